// Moving through a run, with keys, buttons, or by itself. Steps that the page has are shown without a
// request to the kernel. Those of a live run are requested one at a time, by number, with a guess.

import { clamp, press } from "./keyboard.js";
import { stateOf } from "./run.js";
import { set } from "./view.js";

/** @param {Model} model */
export const lastRow = (model) =>
  Math.max(...stateOf(model).runs.map(({ frames }) => frames.length)) - 1;

/** @param {Model} model @returns {number} */
export const rowShown = (model) => Math.min(model.get("at"), lastRow(model));

/** @param {Model} model @param {number} to */
export const go = (model, to) => {
  const at = clamp(to, 0, lastRow(model));
  set(model, { at, reached: Math.max(reached(model), at) });
};

/** The last round that was shown. @param {Model} model */
export const reached = (model) => Math.max(model.get("reached") ?? 0, rowShown(model));

/** Return whether a round of a live run was requested. @param {Model} model */
export const owed = (model) => stateOf(model).live && model.get("asked") > lastRow(model);

/** Ask the model for the next round, and note the reader's guess of it.
 * @param {Model} model @param {string} words */
export const guess = (model, words) => {
  const next = lastRow(model) + 1;
  model.set("guessed", { ...model.get("guessed"), [next]: words });
  set(model, { asked: next });
};

/** Compare the guess of a round, if there was one, with what the model did.
 * @param {Model} model @param {number} row */
export const judge = (model, row) => {
  const guessed = model.get("guessed") ?? {};
  const { frames } = stateOf(model).runs[0];
  if (!guessed[row] || !frames[row]) return "";
  const isRight = (/** @type {string} */ at) => frames[Number(at)]?.fits.includes(guessed[at]);
  const known = Object.keys(guessed).filter((at) => Number(at) <= row);
  const verdict = isRight(String(row)) ? "Right" : `You guessed “${guessed[row]}”`;
  const fits = frames[row].fits.join(" and ") || "does something else";
  return `${verdict}: it ${fits}. Right so far: ${known.filter(isRight).length} of ${known.length}.`;
};

/** Whether there is a next round that needs no guess. @param {Model} model */
export const hasMore = (model) => rowShown(model) < lastRow(model);

/** Go to the next round, if it needs no guess. Return whether it does. @param {Model} model */
export const forward = (model) => {
  const isNext = hasMore(model);
  if (isNext) go(model, rowShown(model) + 1);
  return isNext;
};

/** @param {Model} model */
export const togglePlaying = (model) => set(model, { playing: !model.get("playing") });

/** Handle the keys of the player, wherever the focus is in it; buttons keep Space.
 * @param {Model} model */
export const pressed = (model) => (/** @type {KeyboardEvent} */ event) => {
  const target = /** @type {Element} */ (event.target);
  press({
    ArrowLeft: () => go(model, rowShown(model) - 1),
    ArrowRight: () => go(model, rowShown(model) + 1),
    ...(target.closest("button, summary") ? {} : { " ": () => togglePlaying(model) }),
  })(event);
};
