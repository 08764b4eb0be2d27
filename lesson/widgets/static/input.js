// The keyboard and the pointer: key presses, shortcuts, dragging.

/** Return whether a modifier key makes this a shortcut. @param {KeyboardEvent} event */
export const isShortcut = ({ ctrlKey, metaKey, altKey }) => ctrlKey || metaKey || altKey;

/** Return a handler that calls the action of the pressed key, and stops the event. A button keeps
 * its Space. @param {Record<string, (event: KeyboardEvent) => void>} actions by key */
export const press = (actions) => (/** @type {KeyboardEvent} */ event) => {
  const action = actions[event.key];
  const target = /** @type {Element} */ (event.target);
  const isPressing = event.key === " " && target.closest("button, summary");
  if (!action || isPressing || isShortcut(event)) return;
  event.preventDefault();
  event.stopPropagation();
  action(event);
};

/** @param {Event} event @returns {HTMLElement} the element whose handler this is */
export const elementOf = ({ currentTarget }) => /** @type {any} */ (currentTarget);

/** @param {Event} event @returns {HTMLElement} the widget around the element */
export const widgetOf = (event) => /** @type {any} */ (elementOf(event).closest(".agentlib"));

/** Return the handlers of an element that can be pressed and dragged on; it takes the focus.
 * @param {(event: PointerEvent) => void} pick gets the press, and each move of the drag */
export const draggable = (pick) => ({
  onpointerdown: (/** @type {PointerEvent} */ event) => {
    if (event.button !== 0) return;
    elementOf(event).focus({ preventScroll: true });
    elementOf(event).setPointerCapture(event.pointerId);
    pick(event);
  },
  onpointermove: (/** @type {PointerEvent} */ event) => {
    if (elementOf(event).hasPointerCapture(event.pointerId)) pick(event);
  },
});

/** Return the pointer's position in its element, from 0 to 1. @param {PointerEvent} event */
export const pointerIn = (event) => {
  const box = elementOf(event).getBoundingClientRect();
  return {
    across: (event.clientX - box.left) / box.width,
    down: (event.clientY - box.top) / box.height,
  };
};

/** @param {number} value @param {number} least @param {number} most */
export const clamp = (value, least, most) => Math.min(Math.max(value, least), most);
