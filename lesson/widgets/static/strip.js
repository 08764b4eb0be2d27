// A strip: one run as a row of SVG, with a cell and its sign for each round.
//
// `cells` has a letter for each round of a run (see ROUNDS in letters.py; a capital if a reminder
// went out with its results). The style sheet is window.css, with the colours of column.css.

import { addPath, at, box, drawPaths, hatch } from "./column.js";
import { svg } from "./dom.js";

const [CELL, GAP, DEEP] = [10, 1.4, 12]; // the size of a cell in its drawing
const CELLS = {
  w: "fill: var(--work); stroke: var(--work)",
  d: "fill: var(--done); stroke: var(--done)",
  p: "fill: var(--plan); stroke: var(--plan)",
  l: "fill: var(--wash); stroke: var(--lost)",
  f: "fill: var(--wash); stroke: var(--done); stroke-width: 2",
  s: "fill: var(--wash); stroke: var(--lost)",
  hatch: "stroke: var(--lost); stroke-width: 1.5",
  u: "fill: var(--empty); stroke: var(--muted)",
  e: "stroke: var(--muted)",
  "?": "stroke: var(--line)",
  "sign-p": "stroke: var(--paper); stroke-width: 1.3",
  "sign-s": "stroke: var(--lost); stroke-width: 1.8",
  done: "stroke: var(--done); stroke-width: 2",
  undone: "stroke: var(--lost); stroke-width: 1.8",
  chosen: "stroke: var(--ink); stroke-width: 2",
};

/**
 * Draw the row of a run: a cell for each round. ≡ writes the plan, ✓ ends, ✗ ends with work undone; a
 * hatched round has lost the plan. A question mark is a round that is not shown yet.
 * @param {string} cells
 * @param {boolean | null} isFinished null if it is not known
 * @param {number} [chosen] a round, from 1
 * @param {number} [length] how many cells the drawing is long
 * @returns {Tree}
 */
export const drawCells = (cells, isFinished, chosen = 0, length = cells.length) => {
  /** @type {Paths} */
  const paths = {};
  const add = (/** @type {string} */ look, /** @type {string} */ path) =>
    addPath(paths, look, path);
  [...cells.toLowerCase()].forEach((kind, place) => {
    const [x, y, w, d] = [place * CELL + GAP, 1, CELL - 2 * GAP, DEEP - 2];
    add(kind, box(x, y, w, d));
    if ("lfs".includes(kind)) add("hatch", hatch(x, y, w, d));
    if ("ps".includes(kind))
      add(`sign-${kind}`, [3.5, 6, 8.5].map((down) => `M${at(x + 1.4)} ${down}h4.4`).join(""));
    if (kind === "e" && isFinished !== null)
      add(
        isFinished ? "done" : "undone",
        isFinished
          ? `M${at(x + 1.5)} 6.3l1.6 2 2.8 -4.6`
          : `M${at(x + 1.7)} 3.9l3.8 4.2m0 -4.2l-3.8 4.2`,
      );
    if (place + 1 === chosen) add("chosen", box(x - GAP, 0, CELL, DEEP));
  });
  return svg("al-svg al-cells", [0, 0, length * CELL, DEEP], drawPaths(paths, CELLS));
};
