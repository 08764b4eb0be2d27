// The rows of cells of one run or two, with a bracket below the rounds that the model sees.

import { div, h } from "./dom.js";
import { clamp } from "./input.js";
import { go, rowShown } from "./moves.js";
import { drawCells, overview, partAt, percent } from "./overview.js";
import { rowCount, rowInWords, stateOf, stepIn } from "./run.js";

/**
 * @import { Range } from "./overview.js"
 * @import { State } from "./run.js"
 * @import { Model } from "./view.js"
 */

/** @param {Model} model */
export const timeline = (model) => {
  const state = stateOf(model);
  const row = rowShown(model);
  const count = rowCount(state) - 1;
  const move = (/** @type {number} */ to) => go(model, to);
  const handle = {
    label: state.rows ? "Rounds of the two runs" : "Rounds",
    words: rowInWords(state, row),
    at: row,
    move,
  };
  const part = partAt(row, count);
  return [
    overview(count, part, handle, drawStrips(state, row, part)),
    part.count < count &&
      div("al-part-shown", `rounds ${part.from + 1} to ${part.from + part.count} of ${count}`),
  ];
};

/**
 * Draw the cells of all runs, or a part of them, with what the model sees at a row.
 * @param {State} state
 * @param {number} row
 * @param {Range} part
 */
const drawStrips = (state, row, part) => {
  const places = Array.from({ length: part.count }, (_, place) => part.from + place + 1);
  return state.runs.map((run, n) => [
    state.rows && div("al-strip-title", run.title),
    div(
      "al-strip",
      drawCells(places.map((place) => run.steps[stepIn(state, n, place) ?? -1] ?? null)),
      drawBracket(state, n, row, part),
    ),
  ]);
};

/**
 * Draw a bracket below the rounds that the model sees.
 * @param {State} state
 * @param {number} index
 * @param {number} row
 * @param {Range} range
 */
const drawBracket = (state, index, row, range) => {
  const run = state.runs[index];
  const at = stepIn(state, index, row);
  if (run.window === null || !at) return null;
  const { from } = run.steps[at].view;
  const first = state.rows ? state.rows.findIndex((steps) => steps[index] === from) : from;
  const within = (/** @type {number} */ place) => clamp(place - range.from, 0, range.count);
  const [start, end] = [within(Math.max(first, 1) - 1), within(row - 1)];
  return (
    end > start &&
    h("span", {
      class: "al-bracket",
      style: `left: ${percent(start, range.count)}; width: ${percent(end - start, range.count)}`,
    })
  );
};
