// The tape: a run as a row of squares, one for each round. ≡ is a list, ✓ a finished step, ▼ the
// reminder above the round in which the model reads it; a hatched round has lost its plan. tape.css
// draws all of this, and tape.py writes the same markup in Python: a test compares the two.

import { div, h, span } from "./dom.js";

/**
 * What a tape can show besides the rounds. `isFinished` says whether the files show all steps (null:
 * not known), and `steps` has a digit for each round: how many it finished. The tape is as long as
 * `length` rounds. Of the rounds, `reached` are shown, those before `seenFrom` have left the window,
 * and `chosen` is framed (from 1; 0 for none). Only the first few `reminders` are shown.
 * @typedef {{ isFinished?: boolean | null, steps?: string, length?: number, reached?: number,
 *   seenFrom?: number, chosen?: number, reminders?: number }} Shown
 */

/** Draw a run.
 * @param {string} cells a letter for each round, see picture_letters.py; a capital if a reminder was
 *   sent with its results @param {Shown} [shown] @param {...Child} over what is drawn over it */
export const tape = (cells, shown = {}, ...over) => {
  const { length = cells.length, reached = cells.length, reminders } = shown;
  const squares = [...cells].map((letter, place) => square(letter, place, shown));
  const reminded = [...cells.slice(0, reached).matchAll(/[A-Z]/g)].map(({ index }) => index);
  const props = { class: "al-tape", "aria-hidden": "true", style: `--length: ${length}` };
  // A reminder is read in the round after the one with whose results it was sent.
  return span(
    props,
    squares,
    reminded.slice(0, reminders).map((place) => reminder(place + 1)),
    over,
  );
};

/** @param {string} letter @param {number} place from 0 @param {Shown} shown */
const square = (letter, place, shown) => {
  const { isFinished = null, steps = "", chosen = 0, seenFrom = 0 } = shown;
  if (place >= (shown.reached ?? Number.POSITIVE_INFINITY)) return h("i", { class: "al-open" });
  const kind = letter.toLowerCase();
  const count = Number(steps[place] ?? 0);
  const look = [
    `al-${kind}`,
    kind === "e" && isFinished !== null && (isFinished ? "al-good" : "al-bad"),
    kind === "p" && count > 0 && "al-ticks",
    place < seenFrom && "al-gone",
    place + 1 === chosen && "al-chosen",
  ];
  return h("i", { class: look }, count > 1 && place >= seenFrom && h("b", {}, count));
};

/** Draw a reminder above a round, from 0. @param {number} place */
const reminder = (place) => h("u", { style: `--at: ${place}` });

/** Draw what the letters of some rounds mean, a number in a square, the reminder that is read, and
 * the window's frame. A list that also finishes a step has the marks of both.
 * @param {string} cells @param {string} steps @param {Record<string, string>} kinds
 * @param {boolean} hasFrame */
export const legend = (cells, steps, kinds, hasFrame) => {
  const letters = [...cells.toLowerCase()];
  const both = letters.some((kind, place) => kind === "p" && Number(steps[place]) > 0);
  return div(
    "al-legend",
    [...new Set([...letters, ...(both ? ["d"] : [])])].map((kind) =>
      span({}, tape(kind), kinds[kind]),
    ),
    /[2-9]/.test(steps) && span({}, tape("d", { steps: "2" }), "finishes 2 steps"),
    /[A-Z]/.test(cells.slice(0, -1)) && span({}, span("al-reminder-mark", "▼"), "reads a reminder"),
    hasFrame && span({}, span("al-key al-frame-key"), "what it sees"),
  );
};

/** Draw the window: a frame over the rounds between two places, which may be half rounds.
 * @param {number} from @param {number} to */
export const windowFrame = (from, to) =>
  span({ class: "al-frame", style: `--from: ${from}; --to: ${to}` });

/** Return the first place that the model sees in the request of a round, in rounds: each of the
 * earlier rounds has added two messages. @param {number} round from 1 @param {number} size */
export const windowStart = (round, size) => Math.max(0, round - 1 - size / 2);

/** Return the last round whose request has the plan of round 1 whole. @param {number} size */
export const lastInSight = (size) => Math.floor(size / 2) + 1;
