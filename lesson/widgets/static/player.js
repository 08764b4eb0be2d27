// The player: a run to step through, forward and back, or two runs side by side. Steps that the page
// has are shown without a request to the kernel. Those of a live run are requested one at a time, by
// number, with a guess.

import { button, card, keys, status } from "./components.js";
import { div, span } from "./dom.js";
import { press } from "./keyboard.js";
import { oneRun, twoRuns } from "./player_panes.js";
import { timeline } from "./player_timeline.js";
import { takesKeys } from "./presentation.js";
import { describeRow, go, shownOf } from "./run.js";
import { movie, NO_ANSWER, set } from "./view.js";

const PACE_MS = 900;

/** Return what the last event was. @param {Shown} shown @param {boolean} isLate */
const words = (shown, isLate) => {
  const { row, last, live, said } = shown;
  if (isLate && row === last) return `The model is asked for a round… ${NO_ANSWER}`;
  if (last === 0 && !live) return "This run has no rounds.";
  return [describeRow(shown, row), judge(shown), said].filter(Boolean).join(" ");
};

/** Compare the guess of the shown round, if there was one, with what the model did.
 * @param {Shown} shown */
const judge = ({ runs, guessed, row }) => {
  const { frames } = runs[0];
  if (!guessed[row] || !frames[row]) return "";
  const isRight = (/** @type {number} */ at) => frames[at]?.fits.includes(guessed[at]);
  const known = Object.keys(guessed)
    .map(Number)
    .filter((at) => at <= row);
  const verdict = isRight(row) ? "Right" : `You guessed “${guessed[row]}”`;
  const fits = frames[row].fits.join(" and ") || "does something else";
  return `${verdict}: it ${fits}. Right so far: ${known.filter(isRight).length} of ${known.length}.`;
};

/** Draw the buttons: forward and back, by itself, or with a guess. @param {Shown} shown */
const transport = (shown) => {
  const { model, row, last, guesses } = shown;
  const [isFirst, isLast] = [row === 0, row === last];
  const play = { off: isLast, class: "al-button al-wide" };
  return div(
    { class: "al-transport", role: "group", "aria-label": "Move through the run" },
    button("|◀", () => go(model, 0), { "aria-label": "To the beginning", off: isFirst }),
    button("◀ Back", () => go(model, row - 1), { off: isFirst }),
    button(model.get("playing") ? "❚❚ Stop" : "▶ Play", () => togglePlaying(model), play),
    button("Next ▶", () => go(model, row + 1), { off: isLast, class: "al-button al-main" }),
    button("▶|", () => go(model, last), { "aria-label": "To the end", off: isLast }),
    guesses.length > 0 && isLast && drawGuesses(shown),
  );
};

/** Draw a button for each thing that the model may do next: it asks for the round, and notes the
 * guess. @param {Shown} shown */
const drawGuesses = ({ model, last, guesses, guessed, isOwed }) => {
  const guess = (/** @type {string} */ words) =>
    set(model, { guessed: { ...guessed, [last + 1]: words }, asked: last + 1 });
  const label = "What does the model do next?";
  return div(
    { class: "al-transport al-guesses", role: "group", "aria-label": label },
    span({ "aria-hidden": "true" }, "In the next round it"),
    guesses.map((words) => button(words, () => guess(words), { off: isOwed })),
  );
};

/** @param {Model} model */
const togglePlaying = (model) => set(model, { playing: !model.get("playing") });

/** Go to the next round, if it needs no guess. Return whether it does. @param {Model} model */
const forward = (model) => {
  const { row, last } = shownOf(model);
  if (row < last) go(model, row + 1);
  return row < last;
};

/** Handle the keys of the player, wherever the focus is in it; buttons keep Space.
 * @param {Shown} shown */
const pressed =
  ({ model, row }) =>
  (/** @type {KeyboardEvent} */ event) => {
    const target = /** @type {Element} */ (event.target);
    press({
      ArrowLeft: () => go(model, row - 1),
      ArrowRight: () => go(model, row + 1),
      ...(target.closest("button, summary") ? {} : { " ": () => togglePlaying(model) }),
    })(event);
  };

/** @param {Model} model @param {boolean} isLate */
const draw = (model, isLate) => {
  const shown = shownOf(model);
  const { runs } = shown;
  const areTwo = runs.length > 1;
  const taker = { tabindex: -1, ...keys, ...takesKeys, onkeydown: pressed(shown) };
  return card(
    areTwo ? "Two runs" : runs[0].title,
    { model, class: "al-player", ...taker },
    transport(shown),
    timeline(shown),
    status(words(shown, isLate), model.get("playing")),
    areTwo ? twoRuns(shown) : oneRun(shown),
  );
};

export default movie(draw, forward, PACE_MS, (model) => shownOf(model).isOwed);
