// What joins a tree to anywidget: it is drawn again whenever the model changes, and it knows what
// the kernel still owes the page.

import { fill } from "./dom.js";

const SLOW_MS = 300;
const SILENT_MS = 2000;

export const NO_ANSWER =
  "No answer from the kernel. Wait if it is busy; if it was restarted, run this cell again.";

/** @param {HTMLElement} el */
const hasFocus = (el) => el.contains(document.activeElement);

/** What anywidget expects of a module. `draw` returns the tree of one widget, and `owed` what the
 * kernel owes it. An element of the class `al-home` takes the focus when what had it is gone.
 * @param {(model: Model, wait: Wait) => Tree} draw
 * @param {(model: Model) => Owed} [owed]
 * @returns {{ render: (place: Place) => () => void }} */
export const view = (draw, owed = () => "") => ({
  render({ model, el }) {
    /** @type {Owed} */
    let debt = "";
    let since = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;

    /** @returns {Wait} */
    const waited = () => {
      const now = owed(model);
      if (now !== debt) {
        debt = now;
        since = performance.now();
      }
      clearTimeout(timer);
      if (!debt) return "";
      const gone = performance.now() - since;
      const next = [SLOW_MS, SILENT_MS].find((end) => end > gone);
      if (next) timer = setTimeout(redraw, next - gone);
      const isCut = el.closest(".jupyter-widgets-disconnected") !== null;
      if (isCut || (debt === "asked" && gone >= SILENT_MS)) return "silent";
      return gone >= SLOW_MS ? "slow" : "";
    };

    const redraw = () => {
      const hadFocus = hasFocus(el);
      fill(el, [draw(model, waited())]);
      if (hadFocus && !hasFocus(el)) focusOn(el.querySelector(".al-home"));
    };

    const events = ["change", "comm_live_update"];
    for (const event of events) model.on(event, redraw);
    redraw();
    return () => {
      clearTimeout(timer);
      for (const event of events) model.off(event, redraw);
    };
  },
});

/** The player in an element: its name, and its model once it is drawn.
 * @type {WeakMap<Element, { ref: string, model?: Model }>} */
const shown = new WeakMap();

/** Return a function that fills an element with the player that the kernel has opened for `model`.
 * `sync` is called with the player's model at each drawing, and `enter` when the player is new.
 * @param {Model} model @param {Host} host @param {(opened: Model) => void} [sync]
 * @param {(opened: Model, el: HTMLElement) => void} [enter] */
export const drawOpened = (model, host, sync, enter) => async (/** @type {HTMLElement} */ el) => {
  const ref = model.get("opened");
  const now = shown.get(el);
  if (!ref || now?.ref === ref) {
    if (now?.model) sync?.(now.model);
    return;
  }
  shown.set(el, { ref });
  const [widget, opened] = await Promise.all([host.getWidget(ref), host.getModel(ref)]);
  const place = document.createElement("div");
  await widget.render({ el: place });
  if (shown.get(el)?.ref !== ref) return; // another one was opened while this one was loaded
  el.replaceChildren(place);
  shown.set(el, { ref, model: opened });
  sync?.(opened);
  enter?.(opened, el);
};

/** @param {Element | null} element */
export const focusOn = (element) => {
  if (element instanceof HTMLElement) element.focus({ preventScroll: true });
};

/** Set traits, and send them to the kernel.
 * @param {Model} model @param {Record<string, unknown>} values */
export const set = (model, values) => {
  for (const [name, value] of Object.entries(values)) model.set(name, value);
  model.save_changes();
};
