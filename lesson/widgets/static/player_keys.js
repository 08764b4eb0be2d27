// Moving through a run, with keys, buttons, or by itself. Steps that the page has are shown without a
// request to the kernel. Those of a live run are requested one at a time, by number, with a guess.

import { slide } from "./components.js";
import { clamp, press } from "./keyboard.js";
import { stateOf, stepsIn } from "./run.js";
import { set } from "./view.js";

const PAGE = 10; // rounds, for PageUp and PageDown
const PACE_MS = 900;

/** @param {Model} model */
export const lastRow = (model) =>
  Math.max(...stateOf(model).runs.map(({ steps }) => steps.length)) - 1;

/** @param {Model} model @returns {number} */
export const rowShown = (model) => Math.min(model.get("at"), lastRow(model));

/** @param {Model} model @param {number} to */
export const go = (model, to) => {
  const at = clamp(to, 0, lastRow(model));
  set(model, { at, reached: Math.max(reached(model), at) });
};

/** The last round that was shown. @param {Model} model */
export const reached = (model) => Math.max(model.get("reached") ?? 0, rowShown(model));

/** @param {Model} model @returns {Owed} */
export const owed = (model) =>
  stateOf(model).live && model.get("asked") > lastRow(model) ? "asked" : "";

/** @param {Model} model */
export const forward = (model) => {
  if (hasMore(model)) go(model, rowShown(model) + 1);
};

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
  const { steps } = stateOf(model).runs[0];
  if (!guessed[row] || !steps[row]) return "";
  const isRight = (/** @type {string} */ at) => steps[Number(at)]?.fits.includes(guessed[at]);
  const known = Object.keys(guessed).filter((at) => Number(at) <= row);
  const verdict = isRight(String(row)) ? "Right" : `You guessed “${guessed[row]}”`;
  const fits = steps[row].fits.join(" and ") || "does something else";
  const right = known.filter(isRight).length;
  const guesses = known.length === 1 ? "guess was" : "guesses were";
  return `${verdict}: it ${fits}. ${right} of ${known.length} ${guesses} right.`;
};

/** Whether there is a next step that needs no guess. @param {Model} model */
export const hasMore = (model) => rowShown(model) < lastRow(model);

/** Return the next row in which a step of any run matches, or -1. After the last row the search
 * continues with the first, and ends at the row that is shown.
 * @param {Model} model @param {(step: Step, row: number) => boolean} isWanted */
export const nextRow = (model, isWanted) => {
  const state = stateOf(model);
  const count = lastRow(model) + 1;
  for (let ahead = 1; ahead <= count; ahead += 1) {
    const row = (rowShown(model) + ahead) % count;
    if (stepsIn(state, row).some((step) => isWanted(step, row))) return row;
  }
  return -1;
};

/** @param {Model} model */
export const togglePlaying = (model) => {
  if (model.get("playing") || hasMore(model)) set(model, { playing: !model.get("playing") });
};

/** Handle the keys of the player, wherever the focus is in it. Scrollable panes keep the vertical
 * keys, and buttons keep Space.
 * @param {Model} model */
export const pressed = (model) => (/** @type {KeyboardEvent} */ event) => {
  if (event.defaultPrevented) return;
  const target = /** @type {Element} */ (event.target);
  const row = rowShown(model);
  const goTo = (/** @type {number} */ to) => (to === row + 1 ? forward(model) : go(model, to));
  const actions = slide({ value: row, range: [0, lastRow(model)] }, goTo, 1, PAGE);
  const { ArrowLeft, ArrowRight } = actions;
  press({
    ...(isScrollable(target) ? { ArrowLeft, ArrowRight } : actions),
    ...(target.closest("button, summary") ? {} : { " ": () => togglePlaying(model) }),
  })(event);
};

/** @param {Element} target */
const isScrollable = (target) =>
  target.matches(".al-scroll, [role=region]") && target.scrollHeight > target.clientHeight;

/** Take a step now and then while the run is played. A view that is gone takes none; and where
 * there are two views of one player, the second finds the step already taken.
 * @param {Model} model
 * @returns {() => void} what ends it */
export const playAlong = (model) => {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const play = () => {
    clearTimeout(timer);
    if (!model.get("playing")) return;
    if (!hasMore(model)) {
      set(model, { playing: false });
      return;
    }
    const row = rowShown(model);
    timer = setTimeout(() => {
      if (rowShown(model) === row) forward(model);
      play();
    }, PACE_MS);
  };
  model.on("change:playing", play);
  play();
  return () => {
    clearTimeout(timer);
    model.off("change:playing", play);
  };
};
