// A whole run as a row of cells, for ten rounds or a thousand: an overview, and a slider. The cells
// are those of the chart of runs: a letter tells what a round did.

import { div, h } from "./dom.js";
import { clamp, draggable, pointerIn } from "./input.js";
import { keys } from "./parts.js";

/**
 * @import { Child, Tree } from "./dom.js"
 *
 * A cell of a row, or null if there is none: its letter, what that means, and a sign.
 * @typedef {{ cell: string, words: string, sign: string, reminded: boolean } | null} Cell
 *
 * @typedef {{ from: number, count: number }} Range
 *
 * @typedef {object} Handle
 * @property {string} label
 * @property {string} words what is at the chosen place
 * @property {number} at the chosen place, from 1; 0 is before the first
 * @property {(at: number) => void} move
 */

/**
 * Draw the cells of a run, side by side.
 * @param {Cell[]} cells
 * @returns {Tree}
 */
export const drawCells = (cells) =>
  h(
    "div",
    {
      class: "al-round-cells",
      "aria-hidden": "true",
      style: `--count: ${Math.max(cells.length, 1)}`,
    },
    cells.map((cell) => {
      if (!cell) return div("al-cell");
      const look = `al-cell al-cell-${cell.cell}${cell.reminded ? " al-reminded" : ""}`;
      return h("div", { class: look, title: cell.words }, cell.sign);
    }),
  );

/** @param {number} place @param {number} count */
export const percent = (place, count) => `${((100 * place) / count).toFixed(3)}%`;

/**
 * Draw the rows as one slider over `count` rounds, of which a part is shown. Key events bubble to
 * the parent, which handles them.
 * @param {number} count
 * @param {Range} part
 * @param {Handle} handle
 * @param {...Child} strips
 */
export const overview = (count, part, { label, words, at, move }, ...strips) =>
  h(
    "div",
    {
      class: "al-overview al-home",
      role: "slider",
      tabindex: 0,
      "aria-label": label,
      "aria-valuemin": 0,
      "aria-valuemax": count,
      "aria-valuenow": at,
      "aria-valuetext": words,
      style: `max-width: ${Math.max(part.count, 1) * 3}em`,
      ...keys,
      ...draggable((event) => {
        const place = Math.ceil(pointerIn(event).across * part.count);
        move(part.from + clamp(place, 1, part.count));
      }),
    },
    strips,
    cursor(at - part.from, part.count),
  );

/** Draw the chosen place and the rounds after it, which presentation mode covers.
 * @param {number} at @param {number} count */
const cursor = (at, count) => [
  h("span", { class: "al-ahead", style: `left: ${percent(at, count)}` }),
  at > 0 &&
    h("span", {
      class: "al-cursor",
      "aria-hidden": "true",
      style: `left: ${percent(at - 1, count)}; width: ${percent(1, count)}`,
    }),
];

const MOST_CELLS = 150; // side by side; a cell is wide enough to be told from the next

/**
 * Return the part of a run of `count` rounds to show: all of it, or if it is too long, the rounds
 * around `at`. The part does not move with every step.
 * @param {number} at
 * @param {number} count
 * @returns {Range}
 */
export const partAt = (at, count) => {
  if (count <= MOST_CELLS) return { from: 0, count };
  const page = Math.round(at / (MOST_CELLS / 3)) - 1;
  const from = clamp((page - 0.5) * (MOST_CELLS / 3), 0, count - MOST_CELLS);
  return { from, count: MOST_CELLS };
};
