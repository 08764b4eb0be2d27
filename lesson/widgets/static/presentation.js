// Presentation mode: one widget fills the screen, with large type and a presenter's remote keys.

import { isShortcut } from "./input.js";

/** The keys that remotes send, and the key of the widget for each.
 * @type {Record<string, string>} */
const REMOTE = { PageDown: "ArrowRight", PageUp: "ArrowLeft", F5: " " };

/** The attribute of elements that take a widget's keys. */
export const takesKeys = { "data-takes-keys": "" };

/** Return the element that takes the keys: the last player inside, or the card.
 * @param {HTMLElement} card @returns {HTMLElement} */
const keyTaker = (card) =>
  /** @type {any} */ ([...card.querySelectorAll("[data-takes-keys]")].at(-1) ?? card);

/** @param {Model} model */
export const isPresented = (model) => model.get("presented") === true;

/** End presentation mode: only one widget is presented at a time. */
let leave = () => {};

/** Put a widget on the stage, or take it down. @param {Model} model @param {HTMLElement} card */
export const togglePresented = async (model, card) => {
  if (isPresented(model)) return leave();
  const listening = new AbortController();
  const { signal } = listening;
  leave = () => {
    listening.abort();
    if (document.fullscreenElement) document.exitFullscreen();
    card.popover = null;
    model.set("presented", false);
    card.scrollIntoView({ block: "nearest" });
  };
  model.set("presented", true);
  // Before the notebook's own shortcuts, and wherever the last click has left the focus.
  addEventListener("keydown", (event) => press(card, event), { capture: true, signal });
  // What lies behind the stage is not to be seen, and so it is not to be reached.
  const refocused = (/** @type {FocusEvent} */ { target }) =>
    card.contains(/** @type {Node} */ (target)) || keyTaker(card).focus({ preventScroll: true });
  document.addEventListener("focusin", refocused, { signal });
  const changed = () => document.fullscreenElement || leave();
  document.addEventListener("fullscreenchange", changed, { signal });
  card.popover = "manual";
  card.showPopover();
  keyTaker(card).focus({ preventScroll: true });
  // If full screen is not allowed here, the card is above the page.
  await document.documentElement.requestFullscreen().catch(() => {});
  if (signal.aborted) return;
  // In full screen, the page came above the card.
  card.hidePopover();
  card.showPopover();
  keyTaker(card).focus({ preventScroll: true });
};

/** @param {HTMLElement} card @param {KeyboardEvent} event */
const press = (card, event) => {
  if (isShortcut(event)) return;
  const { key, target } = event;
  const taker = keyTaker(card);
  const isUsed = !key.startsWith("Arrow") || taker.contains(/** @type {Node} */ (target));
  const meant = REMOTE[key] ?? (isUsed ? "" : key);
  if (key === "Escape" || !card.isConnected) leave();
  else if (meant)
    taker.dispatchEvent(
      new KeyboardEvent("keydown", { key: meant, bubbles: true, cancelable: true }),
    );
  else return;
  event.preventDefault();
  event.stopImmediatePropagation();
};
