// A whole run as a strip of cells, for ten rounds or a thousand: an overview, and the handle to move
// with. The cells are those of the strips: a letter tells what a round did.

import { div, h } from "./dom.js";
import { clamp, draggable, pointerIn } from "./input.js";
import { keys } from "./parts.js";

/**
 * @import { Child, Tree } from "./dom.js"
 *
 * A cell of a strip, or null where there is none: its letter, what that means, and a sign.
 * @typedef {{ cell: string, words: string, sign: string, reminded: boolean } | null} Cell
 *
 * @typedef {{ from: number, count: number }} Range
 *
 * @typedef {object} Handle
 * @property {string} label
 * @property {string} words what the chosen place holds
 * @property {number} at the chosen place, from 1; 0 is before the first
 * @property {(at: number) => void} move
 */

/**
 * The cells of a run, side by side.
 * @param {Cell[]} cells
 * @returns {Tree}
 */
export const drawCells = (cells) =>
  h(
    "div",
    {
      class: cells.length > MOST_CELLS ? "al-cells al-dense" : "al-cells",
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
 * What lets the pointer choose one of `count` places side by side.
 * @param {number} count
 * @param {(at: number) => void} move
 */
const scrubbing = (count, move) =>
  draggable((event) => move(clamp(Math.ceil(pointerIn(event).across * count), 1, count)));

/**
 * The strips as one slider. The keys are those of whatever holds it, and bubble to there.
 * @param {number} count how many places there are
 * @param {Handle} handle
 * @param {...Child} strips
 */
export const overview = (count, { label, words, at, move }, ...strips) =>
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
      style: `max-width: ${Math.max(count, 1) * 3}em`,
      ...keys,
      ...scrubbing(count, move),
    },
    strips,
    cursor(at, count),
  );

/**
 * A part of a long run, large enough to be seen; for the eye and the pointer alone.
 * @param {Range} range
 * @param {number} at
 * @param {(at: number) => void} move
 * @param {...Child} strips
 */
export const closeUp = ({ from, count }, at, move, ...strips) =>
  h(
    "div",
    {
      class: "al-overview",
      "aria-hidden": "true",
      ...scrubbing(count, (place) => move(from + place)),
    },
    strips,
    cursor(at - from, count),
  );

/** The chosen place; and what comes after it, which is covered on a stage.
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

const MOST_CELLS = 200; // a cell is wide enough to be told from the next
const CLOSE_UP = 120;

/**
 * The part of a run of `count` places to show beside all of it; null where all can be seen. It
 * moves only now and then, not with every step.
 * @param {number} at
 * @param {number} count
 * @returns {Range | null}
 */
export const closeUpAt = (at, count) => {
  if (count <= MOST_CELLS) return null;
  const pages = Math.round(at / (CLOSE_UP / 3)) - 1;
  const from = clamp((pages - 0.5) * (CLOSE_UP / 3), 0, count - CLOSE_UP);
  return { from, count: CLOSE_UP };
};

/**
 * Where the close-up is in the whole.
 * @param {Range} range
 * @param {number} count
 */
export const frame = (range, count) =>
  h("span", {
    class: "al-frame",
    style: `left: ${percent(range.from, count)}; width: ${percent(range.count, count)}`,
  });
