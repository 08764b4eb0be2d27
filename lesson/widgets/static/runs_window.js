// A run and its window: a column for each round, and in it the messages that the model sees in that
// round. The plan climbs with each round, and leaves the window at its upper edge.
// The edge is a slider, and a triangle marks a reminder. The style sheet is window.css, with the
// colours of column.css.

import { addColumn, at, drawMessages, lettersOf, placesOf } from "./column.js";
import { edge, plural } from "./components.js";
import { div, span, svg } from "./dom.js";
import { choose, isFinished } from "./runs_facts.js";
import { drawCells } from "./strip.js";

const TALLEST = 0.5; // em: the height of a message in a small window
const HEIGHT = 7.6; // em: the height of the window, if it has many messages
const ABOVE = 2; // em: room for the plan above the edge
const USUAL = 20; // rounds: the width while the run is not known

/** Draw the columns of all rounds of a run. The newest is at the right.
 * @param {string} cells @param {number} size @param {number} rows */
const drawColumns = (cells, size, rows) => {
  /** @type {Paths} */
  const paths = {};
  for (let round = 1; round <= cells.length; round += 1)
    addColumn(paths, placesOf(lettersOf(cells, size, round), size), size, round - 1, rows);
  return svg("al-svg", [0, 0, cells.length, rows], drawMessages(paths));
};

/** Draw the chosen run with its window. Below each column is the cell of its round. While the run is
 * being measured there is only the edge, so that a drag or the focus is not lost.
 * @param {Facts} facts */
export const drawWindow = (facts) => {
  const { run, size } = facts;
  const cells = run?.cells ?? "";
  const message = Math.min(TALLEST, HEIGHT / size);
  const rows = (HEIGHT + ABOVE) / message;
  return div(
    { class: "al-window", style: `--rounds: ${cells.length || USUAL}` },
    div(
      { class: "al-window-names", "aria-hidden": "true", style: `--deep: ${HEIGHT + ABOVE}em` },
      span({ class: "al-note", style: `--from: ${at(size * message)}em` }, plural(size, "message")),
      span("al-note", "newest"),
    ),
    div(
      "al-window-run",
      div(
        { class: "al-window-columns", style: `height: ${HEIGHT + ABOVE}em` },
        drawColumns(cells, size, rows),
        edge(
          {
            label: "Window of the chosen run",
            value: size,
            range: facts.windows,
            words: `${plural(size, "message")}: ${run?.outcome ?? "being measured"}`,
          },
          (columns) => columns.clientHeight / rows,
          (to) => choose(facts, { size: to }),
          {
            class: "al-slide-edge al-window-edge",
            style: `bottom: ${at(size * message)}em`,
          },
          span("al-knob"),
        ),
      ),
      div("al-window-cells", drawCells(cells, run !== null && isFinished(run), facts.round)),
      numbers(cells.length),
    ),
  );
};

/** Draw the numbers of the first round and of every fifth. @param {number} count */
const numbers = (count) =>
  div(
    { class: "al-note al-window-numbers", "aria-hidden": "true" },
    Array.from({ length: count }, (_, place) => {
      const style = `left: ${((place + 0.5) / count) * 100}%`;
      return (place === 0 || place % 5 === 4) && span({ style }, place + 1);
    }),
  );
