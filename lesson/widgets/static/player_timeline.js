// The rounds of one run or two as rows of cells, for ten rounds or a thousand: an overview, and a
// slider. Below the cells is a bracket under the rounds that the model sees.

import { slide, slider } from "./components.js";
import { div, span } from "./dom.js";
import { draggable, pointerIn, press } from "./input.js";
import { describeRow, frameOf, go } from "./player_facts.js";
import { drawCells } from "./strip.js";

/** @param {Shown} shown */
export const timeline = (shown) => {
  const { model, runs, row, last, reached } = shown;
  const areTwo = runs.length > 1;
  /** @type {Scale} */
  const scale = {
    label: areTwo ? "Rounds of the two runs" : "Rounds",
    value: row,
    range: [0, last],
    words: describeRow(shown, row),
  };
  return slider(
    scale,
    {
      class: "al-overview al-home",
      style: `max-width: ${Math.max(last, 1) * 2.4}em`,
      onkeydown: press(slide(scale, (to) => go(model, to), 1)),
      ...draggable((event) => go(model, Math.max(1, Math.ceil(pointerIn(event).across * last)))),
    },
    runs.map((run) => [
      areTwo && div("al-note al-one-line", run.title),
      div(
        ["al-strip", run.window !== null && "al-strip-window"],
        drawStrip(run, row, last, reached), // no round is drawn before it was shown
      ),
    ]),
  );
};

/** Draw the cells of a run, with a mark after each round that was reminded, and a bracket below the
 * rounds that the model sees.
 * @param {Run} run @param {number} row @param {number} count how many cells the drawing is long
 * @param {number} known the last round that is drawn */
const drawStrip = (run, row, count, known) => {
  const { number: at, view } = frameOf(run, row);
  const shown = run.frames.slice(1);
  const isSeen = (/** @type {Frame} */ { number }) => number >= view.from && number < at;
  const [start, end] = [shown.findIndex(isSeen), shown.findLastIndex(isSeen) + 1];
  const percent = (/** @type {number} */ place) => `${((100 * place) / count).toFixed(3)}%`;
  // The end of a run is not shown before it is reached.
  const hidden = known < run.frames.length - 1 ? count - shown.length : 0;
  const place = `left: ${percent(start)}; width: ${percent(end - start)}`;
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
        span({ class: "al-reminded", style: `left: ${percent(before + 1)}` }),
    ),
    run.window !== null &&
      end > 0 &&
      span({ class: "al-bracket", style: place }, span({}, "what it sees")),
  ];
};
