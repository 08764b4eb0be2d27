// A whole run as a strip, for ten rounds or a thousand: an overview, and the handle to move with.
// Each round is a bar whose height and colour tell its kind; a broken bar is a round that failed.

import { h, span } from "./dom.js";
import { clamp, draggable, pointerIn } from "./input.js";
import { keys } from "./parts.js";

/**
 * @import { Child, Tree } from "./dom.js"
 *
 * A cell of a strip, or null where there is none.
 * @typedef {{ kind: string, failed: boolean, reminded: boolean } | null} Cell
 *
 * @typedef {{ from: number, count: number }} Range
 *
 * @typedef {object} Handle
 * @property {string} label
 * @property {string} words what the chosen place holds
 * @property {number} at the chosen place, from 0
 * @property {(at: number) => void} move
 */

const ROW = 10;
/** @type {Record<string, number>} */
const HEIGHTS = { prompt: 3, plan: 10, edit: 8, command: 6, read: 5, answer: 3 };
// The gap beside a bar, in cells: a pixel or so, however many cells there are.
const gapFor = (/** @type {number} */ count) =>
  count > MOST_BARS ? 0 : clamp(count / 1400, 0.03, 0.16);

const LEGEND = ["plan", "edit", "command", "read", "answer", "error", "reminder"];

/** @type {WeakMap<Cell[], { count: number, tree: Tree }>} */
const drawn = new WeakMap();

/**
 * The bars of a run as one picture. It is kept, because a run may be long: it is drawn again only
 * where cells have been added to it.
 * @param {Cell[]} cells
 * @returns {Tree}
 */
export const bars = (cells) => {
  const known = drawn.get(cells);
  if (known?.count === cells.length) return known.tree;
  const tree = draw(cells);
  drawn.set(cells, { count: cells.length, tree });
  return tree;
};

/** @param {Cell[]} cells */
const draw = (cells) => {
  /** @type {Record<string, string>} */
  const paths = {};
  const gap = gapFor(cells.length);
  cells.forEach((cell, place) => {
    if (!cell) return;
    const top = ROW - (HEIGHTS[cell.kind] ?? HEIGHTS.command);
    const kind = cell.failed ? "error" : cell.kind;
    const bar = (/** @type {number} */ from, /** @type {number} */ to) =>
      `M${place + gap} ${from}h${1 - 2 * gap}V${to}h${2 * gap - 1}z`;
    const shape = cell.failed ? bar(top, ROW - 3.6) + bar(ROW - 2, ROW) : bar(top, ROW);
    paths[kind] = (paths[kind] ?? "") + shape;
  });
  return h(
    "div",
    { class: "al-bars", "aria-hidden": "true" },
    h(
      "svg",
      { viewBox: `0 0 ${Math.max(cells.length, 1)} ${ROW}`, preserveAspectRatio: "none" },
      Object.entries(paths).map(([kind, d]) => h("path", { class: `al-kind-${kind}`, d })),
    ),
    cells.flatMap((cell, place) =>
      cell?.reminded
        ? [h("span", { class: "al-tick", style: `left: ${percent(place + 0.5, cells.length)}` })]
        : [],
    ),
  );
};

/** @param {number} place @param {number} count */
export const percent = (place, count) => `${((100 * place) / count).toFixed(3)}%`;

/**
 * What lets the pointer choose one of `count` places side by side.
 * @param {number} count
 * @param {(at: number) => void} move
 */
const scrubbing = (count, move) =>
  draggable((event) => move(clamp(Math.floor(pointerIn(event).across * count), 0, count - 1)));

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
      class: count > MOST_BARS ? "al-overview al-dense al-home" : "al-overview al-home",
      role: "slider",
      tabindex: 0,
      "aria-label": label,
      "aria-valuemin": 0,
      "aria-valuemax": count - 1,
      "aria-valuenow": at,
      "aria-valuetext": words,
      style: `max-width: ${Math.max(count * 2.4, 16)}em`,
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
  h("span", { class: "al-ahead", style: `left: ${percent(at + 1, count)}` }),
  h("span", {
    class: "al-cursor",
    "aria-hidden": "true",
    style: `left: ${percent(at, count)}; width: ${percent(1, count)}`,
  }),
];

const MOST_BARS = 240; // a bar is wide enough to be told from the next
const CLOSE_UP = 120;

/**
 * The part of a run of `count` places to show beside all of it; null where all can be seen. It
 * moves only now and then, not with every step.
 * @param {number} at
 * @param {number} count
 * @returns {Range | null}
 */
export const closeUpAt = (at, count) => {
  if (count <= MOST_BARS) return null;
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

/** What the bars mean, in words: for the eyes only, because all of it is said elsewhere. */
export const legend = () =>
  h(
    "div",
    { class: "al-legend", "aria-hidden": "true" },
    LEGEND.map((kind) =>
      span(
        "al-legend-entry",
        kind === "reminder" ? span("al-legend-tick") : bars(SAMPLES[kind]),
        kind,
      ),
    ),
  );

/** @type {Record<string, Cell[]>} */
const SAMPLES = Object.fromEntries(
  LEGEND.map((kind) => [
    kind,
    [{ kind: kind === "error" ? "command" : kind, failed: kind === "error", reminded: false }],
  ]),
);
