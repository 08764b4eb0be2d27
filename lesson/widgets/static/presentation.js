// Presentation mode: one widget fills the screen, with large type and a presenter's remote keys.

import { isShortcut } from "./keyboard.js";

/** The keys that remotes send, and the key of the widget for each.
 * @type {Record<string, string>} */
const REMOTE = { PageDown: "ArrowRight", PageUp: "ArrowLeft", F5: " " };
const DARK = [".", "b"];

/** The attribute of elements that take a widget's keys. */
export const takesKeys = { "data-takes-keys": "" };

/** The function that ends presentation mode, by widget. @type {WeakMap<Element, () => void>} */
const leaving = new WeakMap();

/** @param {Model} model */
export const isPresented = (model) => model.get("presented") === true;

/** Put a widget on the stage, or take it down. @param {Model} model @param {HTMLElement} card */
export const togglePresented = (model, card) => {
  const leave = leaving.get(card);
  if (leave) leave();
  else present(model, card);
};

/** @param {Model} model @param {HTMLElement} card */
const present = async (model, card) => {
  const listening = new AbortController();
  const { signal } = listening;
  const leave = () => {
    listening.abort();
    leaving.delete(card);
    if (document.fullscreenElement) document.exitFullscreen();
    card.popover = null;
    card.removeAttribute("data-dark");
    model.set("presented", false);
    card.scrollIntoView({ block: "nearest" });
  };
  leaving.set(card, leave);
  model.set("presented", true);
  // Before the notebook's own shortcuts, and wherever the last click has left the focus.
  addEventListener("keydown", pressed(card, leave), { capture: true, signal });
  // What lies behind the stage is not to be seen, and so it is not to be reached.
  const refocused = (/** @type {FocusEvent} */ { target }) =>
    card.contains(/** @type {Node} */ (target)) || keyTaker(card).focus({ preventScroll: true });
  document.addEventListener("focusin", refocused, { signal });
  const changed = () => document.fullscreenElement || leave();
  document.addEventListener("fullscreenchange", changed, { signal });
  card.popover = "manual";
  card.showPopover();
  keyTaker(card).focus({ preventScroll: true });
  try {
    await document.documentElement.requestFullscreen();
    if (signal.aborted) document.exitFullscreen();
  } catch {
    // Full screen is not allowed here or not supported. The card is above the page.
  }
};

/** @param {HTMLElement} card @param {() => void} leave */
const pressed = (card, leave) => (/** @type {KeyboardEvent} */ event) => {
  if (isShortcut(event)) return;
  const { key, shiftKey } = event;
  const meant = translate(card, event);
  if (key === "Escape" || !card.isConnected) leave();
  else if (DARK.includes(key)) card.toggleAttribute("data-dark");
  else if (card.hasAttribute("data-dark")) card.removeAttribute("data-dark");
  else if (meant)
    keyTaker(card).dispatchEvent(
      new KeyboardEvent("keydown", { key: meant, shiftKey, bubbles: true, cancelable: true }),
    );
  else return;
  event.preventDefault();
  event.stopImmediatePropagation();
};

/** Return the key that is meant for the widget; "" if the focused element uses the key itself.
 * @param {HTMLElement} card @param {KeyboardEvent} event */
const translate = (card, { key, target }) => {
  if (key in REMOTE) return REMOTE[key];
  const isUsed =
    target instanceof Element && card.contains(target) && target.closest(`input, ${TAKES_KEYS}`);
  return key.startsWith("Arrow") && !isUsed ? key : "";
};

const TAKES_KEYS = "[data-takes-keys]";

/** Return the element that takes the keys: the last player inside, or the card.
 * @param {HTMLElement} card */
const keyTaker = (card) => {
  const inside = /** @type {NodeListOf<HTMLElement>} */ (card.querySelectorAll(TAKES_KEYS));
  return inside[inside.length - 1] ?? card;
};
