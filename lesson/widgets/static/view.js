// What joins a tree to anywidget: it is drawn again whenever the model changes.

import { fill } from "./dom.js";
import { widgetOf } from "./input.js";

/** Say that a widget is new or has changed, so that the extension in jupyter/labextension saves it also
 * when it has no kernel. @param {{ model: Model }} place */
const initialize = ({ model }) => {
  const say = () => {
    const detail = model.widget_manager;
    document.dispatchEvent(new CustomEvent("agentlib-changed", { detail }));
  };
  model.on("change", say);
  say();
};

/** What anywidget expects of a module. `draw` returns the tree of one widget. An element of the class
 * `al-home` takes the focus when what had it is gone. Anywidget itself ends the listening of a view.
 * @param {(model: Model, host: Host) => Tree} draw */
export const view = (draw) => ({
  initialize,
  render(/** @type {Place} */ { model, el, host }) {
    const redraw = () => {
      const hadFocus = el.contains(document.activeElement);
      fill(el, [draw(model, host)]);
      if (hadFocus && !el.contains(document.activeElement)) focusOn(el.querySelector(".al-home"));
      follow(el);
    };
    model.on("change", redraw);
    redraw();
    // The size of a pane follows from the page's width, and from that of the text.
    new ResizeObserver(() => follow(el)).observe(el);
  },
});

/** Scroll each pane to the element that its `data-follow` selects in it. A pane whose content has not changed does not
 * scroll. @param {HTMLElement} el */
const follow = (el) => {
  /** @type {NodeListOf<HTMLElement>} */
  const panes = el.querySelectorAll("[data-follow]");
  for (const pane of panes) {
    const { follow: selector = "", followed } = pane.dataset;
    const target = /** @type {HTMLElement | null} */ (pane.querySelector(selector));
    const top = target?.offsetTop ?? 0;
    if (followed === String(top)) continue;
    pane.dataset.followed = String(top);
    pane.scrollTop = top;
  }
};

/** The same for a widget that plays: while its model is `playing`, `step` is called, until it returns
 * false. @param {(model: Model) => Tree} draw @param {(model: Model) => boolean} step
 * @param {(model: Model) => number} pace returns the time before each step, in milliseconds */
export const movie = (draw, step, pace) => ({
  initialize,
  render(/** @type {Place} */ place) {
    const { model } = place;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    const play = () => {
      clearTimeout(timer);
      if (model.get("playing")) timer = setTimeout(next, pace(model));
    };
    const next = () => (step(model) ? play() : set(model, { playing: false }));
    view(draw).render(place);
    model.on("change:playing", play);
    play();
    return () => clearTimeout(timer);
  },
});

const PATIENCE_MS = 700; // after so long without a player, say why there is none
const RESTARTED = "If the kernel was restarted, run this cell again to open the run.";
/** The player in an element: its name, and its model once it is drawn.
 * @type {WeakMap<Element, { ref: string, model?: Model }>} */
const shown = new WeakMap();

/** Return a function that fills an element with the player of a run, which the values of the `traits`
 * choose, once the kernel has opened it. A kernel that was restarted does not, so no other run stays.
 * `sync` is called with the player's model at each drawing, and `enter` when the player is new.
 * @param {Model} model @param {Host} host @param {string[]} traits
 * @param {(opened: Model) => void} [sync]
 * @param {(opened: Model, el: HTMLElement) => void} [enter] */
export const drawOpened = (model, host, traits, sync, enter) => {
  const [run, name] = model.get("opened");
  const ref = String(run) === String(traits.map((trait) => model.get(trait))) ? name : "";
  return async (/** @type {HTMLElement} */ el) => {
    const now = shown.get(el);
    if (now?.ref === ref) {
      if (now?.model) sync?.(now.model);
      return;
    }
    shown.set(el, { ref });
    if (!ref) {
      await new Promise((done) => setTimeout(done, PATIENCE_MS));
      if (shown.get(el)?.ref === "") el.textContent = model.get("playable") ? "" : RESTARTED;
      return;
    }
    const [widget, opened] = await Promise.all([host.getWidget(ref), host.getModel(ref)]);
    const place = document.createElement("div");
    await widget.render({ el: place });
    if (shown.get(el)?.ref !== ref) return; // another one was opened while this one was loaded
    el.replaceChildren(place);
    shown.set(el, { ref, model: opened });
    sync?.(opened);
    enter?.(opened, el);
  };
};

/** @param {Element | null | undefined} element */
export const focusOn = (element) => {
  if (element instanceof HTMLElement) element.focus({ preventScroll: true });
};

/** Set traits, then show the widget from its top, with the focus on its part of another page.
 * @param {Model} model @param {string} part @param {Record<string, unknown>} values */
export const turn = (model, part, values) => (/** @type {Event} */ event) => {
  const widget = widgetOf(event);
  set(model, values);
  const found = widget.querySelector(part);
  if (!found) return; // it is not drawn yet
  focusOn(found);
  widget.scrollIntoView({ block: "start" });
};

/** Set traits, and send them to the kernel.
 * @param {Model} model @param {Record<string, unknown>} values */
export const set = (model, values) => {
  for (const [name, value] of Object.entries(values)) model.set(name, value);
  model.save_changes();
};
