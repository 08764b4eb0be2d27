// The strips of one run or two, with the rounds that the model sees in brackets.

import { div, h } from "./dom.js";
import { go, rowShown } from "./moves.js";
import { bars, closeUp, closeUpAt, frame, overview, percent } from "./overview.js";
import { rowCount, rowInWords, stateOf, stepIn } from "./run.js";
import { sightOf } from "./sight.js";

/**
 * @import { Range } from "./overview.js"
 * @import { State, Step } from "./run.js"
 * @import { Model } from "./view.js"
 */

/** @type {WeakMap<State, (Step | null)[][]>} */
const alignedCells = new WeakMap();

/**
 * The cells of each run's strip. They stay the same array while the run does.
 * @param {State} state
 */
const cellsOf = (state) => {
  if (!state.rows) return state.runs.map((run) => run.steps);
  const known = alignedCells.get(state);
  if (known) return known;
  const cells = state.runs.map(
    (run, n) => state.rows?.map((row) => run.steps[row[n] ?? -1] ?? null) ?? [],
  );
  alignedCells.set(state, cells);
  return cells;
};

/** @param {Model} model */
export const timeline = (model) => {
  const state = stateOf(model);
  const row = rowShown(model);
  const count = rowCount(state);
  const move = (/** @type {number} */ to) => go(model, to);
  const handle = {
    label: state.rows ? "Rounds of the two runs" : "Rounds",
    words: rowInWords(state, row),
    at: row,
    move,
  };
  const part = closeUpAt(row, count);
  const whole = { from: 0, count };
  return [
    overview(count, handle, drawStrips(state, row, whole), part && frame(part, count)),
    part && closeUp(part, row, move, drawStrips(state, row, part)),
  ];
};

/**
 * The strips of all runs, or a part of them, with what the model sees at a row.
 * @param {State} state
 * @param {number} row
 * @param {Range} range
 */
const drawStrips = (state, row, range) => {
  const isWhole = range.count === rowCount(state);
  const cells = cellsOf(state).map((all) =>
    isWhole ? all : all.slice(range.from, range.from + range.count),
  );
  return [
    state.runs.map((run, n) => [
      state.rows && isWhole && div("al-strip-title", run.title),
      div("al-strip", bars(cells[n]), drawWindow(state, n, row, range)),
    ]),
    state.differs.length > 0 && drawDifferences(state.differs, range),
  ];
};

/**
 * The rounds that the model sees, as a bracket below them; those before are faded.
 * @param {State} state
 * @param {number} index
 * @param {number} row
 * @param {Range} range
 */
const drawWindow = (state, index, row, range) => {
  const run = state.runs[index];
  const at = stepIn(state, index, row);
  if (run.window === null || !at) return null;
  const { firstStep } = sightOf(run, at);
  const first = state.rows
    ? state.rows.findIndex((steps) => steps[index] === firstStep)
    : firstStep;
  const within = (/** @type {number} */ place) =>
    Math.min(Math.max(place - range.from, 0), range.count);
  const bracket = (
    /** @type {string} */ kind,
    /** @type {number} */ from,
    /** @type {number} */ to,
  ) =>
    within(to) > within(from) &&
    h("span", {
      class: kind,
      style: `left: ${percent(within(from), range.count)};
        width: ${percent(within(to) - within(from), range.count)}`,
    });
  if (first <= 1) return bracket("al-in-sight", 0, row);
  // The task is always in sight.
  return [
    bracket("al-in-sight", 0, 1),
    bracket("al-out-of-sight", 1, first),
    bracket("al-in-sight", first, row),
  ];
};

/** @param {number[]} rows @param {Range} range */
const drawDifferences = (rows, { from, count }) =>
  h(
    "svg",
    {
      class: "al-differences",
      viewBox: `0 0 ${count} 1`,
      preserveAspectRatio: "none",
      "aria-hidden": "true",
    },
    h("path", {
      d: rows
        .filter((row) => row >= from && row < from + count)
        .map((row) => `M${row - from + 0.14} 0h.72v1h-.72z`)
        .join(""),
    }),
  );
