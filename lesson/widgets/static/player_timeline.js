// The rounds of one run or two as rows of cells, for ten rounds or a thousand: an overview, and a
// slider. Below the cells is a bracket under the rounds that the model sees.

import { slider } from "./components.js";
import { div, h } from "./dom.js";
import { draggable, pointerIn } from "./keyboard.js";
import { go, lastRow, reached, rowShown } from "./player_keys.js";
import { isPresented } from "./presentation.js";
import { describeRow, stateOf, stepOf } from "./run.js";
import { drawCells } from "./strip.js";

/** @param {Model} model */
export const timeline = (model) => {
  const state = stateOf(model);
  const row = rowShown(model);
  const count = lastRow(model);
  const areTwo = state.runs.length > 1;
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
        style: `max-width: ${Math.max(count, 1) * 2.4}em`,
        ...draggable((event) => go(model, Math.max(1, Math.ceil(pointerIn(event).across * count)))),
      },
      state.runs.map((run) => [
        areTwo && div("al-note al-one-line", run.title),
        // A round is not drawn before it was shown; in front of a class, not before it is.
        div(
          run.window === null ? "al-strip" : "al-strip al-strip-window",
          drawStrip(run, row, count, isPresented(model) ? row : reached(model)),
        ),
      ]),
    ),
  ];
};

/** @param {number} place @param {number} count */
const percent = (place, count) => `${((100 * place) / count).toFixed(3)}%`;

/** Draw the cells of a run, with a mark after each round that was reminded, and a bracket below the
 * rounds that the model sees.
 * @param {Run} run @param {number} row @param {number} count how many cells the drawing is long
 * @param {number} known the last round that is drawn */
const drawStrip = (run, row, count, known) => {
  const { number: at, view } = stepOf(run, row);
  const shown = run.steps.slice(1);
  const isSeen = (/** @type {Step} */ { number }) => number >= view.from && number < at;
  const [start, end] = [shown.findIndex(isSeen), shown.findLastIndex(isSeen) + 1];
  // The end of a run is not shown before it is reached.
  const hidden = known < run.steps.length - 1 ? count - shown.length : 0;
  const place = `left: ${percent(start, count)}; width: ${percent(end - start, count)}`;
  return [
    drawCells(
      shown.map(({ cell, number }) => (number <= known ? cell : "?")).join("") + "?".repeat(hidden),
      run.finished,
      row,
      count,
    ),
    shown.map(
      ({ reminded, number }, before) =>
        reminded &&
        number <= known &&
        h("span", { class: "al-reminded", style: `left: ${percent(before + 1, count)}` }),
    ),
    run.window !== null &&
      end > 0 &&
      h("span", { class: "al-bracket", style: place }, h("span", {}, "what it sees")),
  ];
};
