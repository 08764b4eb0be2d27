// The rounds of one run or two as rows of cells, for ten rounds or a thousand: an overview, and a
// slider. Below the cells is a bracket under the rounds that the model sees.

import { slider } from "./components.js";
import { div, h } from "./dom.js";
import { clamp, draggable, pointerIn } from "./keyboard.js";
import { go, lastRow, reached, rowShown } from "./player_keys.js";
import { isPresented } from "./presentation.js";
import { describeRow, stateOf, stepOf } from "./run.js";
import { drawCells } from "./strip.js";

/** @typedef {{ from: number, count: number }} Range */

/** @param {Model} model */
export const timeline = (model) => {
  const state = stateOf(model);
  const row = rowShown(model);
  const count = lastRow(model);
  const areTwo = state.runs.length > 1;
  const part = partAt(row, count);
  return [
    slider(
      {
        label: areTwo ? "Rounds of the two runs" : "Rounds",
        value: row,
        range: [0, count],
        words: describeRow(state, row),
      },
      {
        class: "al-overview al-home",
        style: `max-width: ${Math.max(part.count, 1) * 2.4}em`,
        ...draggable((event) => {
          const place = Math.ceil(pointerIn(event).across * part.count);
          go(model, part.from + clamp(place, 1, part.count));
        }),
      },
      state.runs.map((run) => [
        areTwo && div("al-note al-one-line", run.title),
        // A round is not drawn before it was shown; in front of a class, not before it is.
        div(
          run.window === null ? "al-strip" : "al-strip al-strip-window",
          drawStrip(run, row, part, isPresented(model) ? row : reached(model)),
        ),
      ]),
    ),
    part.count < count &&
      div("al-note", `rounds ${part.from + 1} to ${part.from + part.count} of ${count}`),
  ];
};

/** @param {number} place @param {number} count */
const percent = (place, count) => `${((100 * place) / count).toFixed(3)}%`;

/** Draw the cells of a run, or a part of them, with a mark after each round that was reminded, and a
 * bracket below the rounds that the model sees.
 * @param {Run} run @param {number} row @param {Range} part @param {number} known the last round
 * that is drawn */
const drawStrip = (run, row, part, known) => {
  const { number: at, view } = stepOf(run, row);
  const shown = run.steps.slice(part.from + 1, part.from + part.count + 1);
  const isSeen = (/** @type {Step} */ { number }) => number >= view.from && number < at;
  const [start, end] = [shown.findIndex(isSeen), shown.findLastIndex(isSeen) + 1];
  // The end of a run is not shown before it is reached.
  const hidden = known < run.steps.length - 1 ? part.count - shown.length : 0;
  const place = `left: ${percent(start, part.count)}; width: ${percent(end - start, part.count)}`;
  return [
    drawCells(
      shown.map(({ cell, number }) => (number <= known ? cell : "?")).join("") + "?".repeat(hidden),
      run.finished,
      row - part.from,
      part.count,
    ),
    shown.map(
      ({ reminded, number }, before) =>
        reminded &&
        number <= known &&
        h("span", { class: "al-reminded", style: `left: ${percent(before + 1, part.count)}` }),
    ),
    run.window !== null &&
      end > 0 &&
      h("span", { class: "al-bracket", style: place }, h("span", {}, "what it sees")),
  ];
};

const MOST_CELLS = 150; // side by side; a cell is wide enough to be told from the next

/** Return the part of a run of `count` rounds to show: all of it, or if it is too long, the rounds
 * around `at`. The part does not move with every step.
 * @param {number} at
 * @param {number} count
 * @returns {Range} */
const partAt = (at, count) => {
  if (count <= MOST_CELLS) return { from: 0, count };
  const page = Math.round(at / (MOST_CELLS / 3)) - 1;
  const from = clamp((page - 0.5) * (MOST_CELLS / 3), 0, count - MOST_CELLS);
  return { from, count: MOST_CELLS };
};
