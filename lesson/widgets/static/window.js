// A run and its window: a column for each round, and in it the messages that the model sees in that
// round. The plan climbs with each round, and leaves the window at its upper edge.
//
// For other widgets:
//
//   drawWindow(picture)             all columns of a run; the edge and the reminder are sliders
//   drawCells(cells, isFinished)    the row of a run as SVG: a cell for each round, with its sign
//
// `cells` has a letter for each round of a run (see KINDS in measured.py; a capital if a reminder
// went out with its results). The style sheet is window.css, with the colours of column.css.

import { addColumn, addPath, at, box, columnOf, drawMessages, drawPaths, hatch } from "./column.js";
import { plural, slide, slider } from "./components.js";
import { div, h, span, svg } from "./dom.js";
import { clamp, draggable, elementOf, pointerIn, press } from "./keyboard.js";

/**
 * A picture of a run. `after` is the threshold of the reminder, or null; `set…` are called with
 * the place to which the reader moves the edge or the reminder, or with the round that was pressed.
 * @typedef {object} Picture
 * @property {string} name what the run is called, for screen readers
 * @property {string} cells
 * @property {boolean} isFinished
 * @property {string} outcome how the run ended, for screen readers
 * @property {number} size the window, in messages
 * @property {[number, number]} sizes the smallest and the largest window
 * @property {number | null} after
 * @property {boolean} [isNamed] whether the name is shown next to the picture
 * @property {number} [round] the chosen round, from 1
 * @property {(size: number) => void} setSize
 * @property {(after: number) => void} setAfter
 * @property {(round: number) => void} [setRound]
 *
 * A slider in the picture. A drag along `axis` changes it by 1 every `step` pixels of the columns
 * (negative: towards the start of the axis).
 * @typedef {{ axis: "clientX" | "clientY", step: (columns: Element) => number,
 *   change: (value: number) => void }} Drag
 */

const TALLEST = 0.5; // em: the height of a message in a small window
const HEIGHT = 7.6; // em: the height of the window, if it has many messages
const ABOVE = 2; // em: room for the plan above the edge
const MOST_AFTER = 15; // rounds: the largest threshold
const USUAL = 20; // rounds: the width while the run is not known

/** Draw the columns of all rounds of a run. The newest is at the right.
 * @param {string} cells @param {number} size @param {number} rows */
const drawColumns = (cells, size, rows) => {
  /** @type {Paths} */
  const paths = {};
  for (let round = 1; round <= cells.length; round += 1)
    addColumn(paths, columnOf(cells, size, round), size, round - 1, rows);
  return svg("al-svg", [0, 0, cells.length, rows], drawMessages(paths));
};

/** A drag: its start, the value at the start, and the pixels of one step. */
let drag = { from: 0, value: 0, step: 1 };

/** @param {Scale} scale @param {Drag} how
 * @param {{ class: string, style: string, title: string }} props @param {...Child} content */
const drawHandle = (scale, { axis, step, change }, props, ...content) => {
  const move = (/** @type {number} */ to) => change(clamp(to, ...scale.range));
  return slider(
    scale,
    {
      ...props,
      "aria-orientation": axis === "clientY" ? "vertical" : "horizontal",
      onkeydown: press(slide(scale, move)),
      ...draggable((event) => {
        if (event.type === "pointerdown") {
          const pixels = step(/** @type {Element} */ (elementOf(event).parentElement));
          drag = { from: event[axis], value: scale.value, step: pixels };
        } else move(drag.value + Math.round((event[axis] - drag.from) / drag.step));
      }),
    },
    content,
  );
};

/** Draw the run with its window. Below each column is the cell of its round.
 * @param {Picture} picture
 * @returns {Tree} */
export const drawWindow = (picture) => {
  const { cells, size, round = 0 } = picture;
  const message = Math.min(TALLEST, HEIGHT / size);
  const rows = (HEIGHT + ABOVE) / message;
  const edge = `bottom: ${at(size * message)}em`;
  return h(
    "div",
    { class: "al-window", style: `--rounds: ${cells.length || USUAL}` },
    h(
      "div",
      { class: "al-window-names", "aria-hidden": "true", style: `--deep: ${HEIGHT + ABOVE}em` },
      picture.isNamed ? h("strong", {}, picture.name) : null,
      h("span", { style: `--from: ${at(size * message)}em` }, plural(size, "message")),
      h("span", {}, "newest"),
    ),
    div(
      "al-window-run",
      h(
        "div",
        { class: "al-window-columns", style: `height: ${HEIGHT + ABOVE}em` },
        drawColumns(cells, size, rows),
        edgeHandle(picture, edge, rows),
        picture.after === null ? null : reminderHandle(picture, picture.after),
      ),
      h(
        "div",
        {
          class: "al-window-cells",
          "aria-hidden": "true",
          onclick:
            picture.setRound &&
            ((/** @type {PointerEvent} */ event) =>
              picture.setRound?.(Math.floor(pointerIn(event).across * cells.length) + 1)),
        },
        drawCells(cells, picture.isFinished, round),
      ),
      numbers(cells, round),
    ),
  );
};

/** @param {Picture} picture @param {string} style @param {number} rows */
const edgeHandle = ({ name, outcome, size, sizes, setSize }, style, rows) =>
  drawHandle(
    {
      label: `Window of ${name}`,
      value: size,
      range: sizes,
      words: `${plural(size, "message")}: ${outcome}`,
    },
    { axis: "clientY", step: (columns) => -columns.clientHeight / rows, change: setSize },
    {
      class: "al-window-edge",
      style,
      title: "Drag the edge, or use the arrow keys: how many messages the model sees",
    },
    span("al-window-knob"),
  );

/** @param {Picture} picture @param {number} after */
const reminderHandle = ({ name, outcome, cells, setAfter }, after) => {
  // The plan is round 1; a reminder goes out with the results of a round, and is read in the next.
  const sent = cells.search(/[A-Z]/) + 1;
  const read = sent > 0 ? sent + 1 : after + 2;
  const isSent = read <= cells.length;
  const place = Math.min(read, cells.length + 1);
  return drawHandle(
    {
      label: `Reminder of ${name}`,
      value: after,
      range: [1, MOST_AFTER],
      words: `after ${plural(after, "round")}: ${outcome}`,
    },
    {
      axis: "clientX",
      step: (columns) => columns.clientWidth / cells.length,
      change: setAfter,
    },
    {
      class: isSent ? "al-window-reminds" : "al-window-reminds al-window-unsent",
      style: `left: ${((place - 0.5) / Math.max(cells.length, place)) * 100}%`,
      title: "Drag the reminder, or use the arrow keys: after how many rounds it is sent",
    },
    isSent ? "" : "▽",
  );
};

/** Draw the number of the first round, of every fifth, and of the chosen one.
 * @param {string} cells @param {number} chosen */
const numbers = (cells, chosen) =>
  h(
    "div",
    { class: "al-window-numbers", "aria-hidden": "true" },
    [...cells].map((_, place) => {
      const round = place + 1;
      const isFifth = round % 5 === 0 && Math.abs(round - chosen) > 1;
      if (round !== 1 && round !== chosen && !isFifth) return null;
      const style = `left: ${((place + 0.5) / cells.length) * 100}%`;
      return h("span", { class: round === chosen ? "al-window-chosen" : null, style }, round);
    }),
  );

const [CELL, GAP, DEEP] = [10, 1.4, 12]; // the size of a cell in its drawing
const CELLS = {
  w: "fill: var(--work); stroke: var(--work-edge)",
  d: "fill: var(--good); stroke: var(--good)",
  p: "fill: var(--plan); stroke: var(--plan)",
  l: "fill: var(--wash); stroke: var(--lost)",
  f: "fill: var(--wash); stroke: var(--good); stroke-width: 2",
  s: "fill: var(--wash); stroke: var(--lost)",
  hatch: "stroke: var(--lost); stroke-width: 1.5",
  e: "stroke: var(--muted)",
  "sign-p": "stroke: var(--paper); stroke-width: 1.3",
  "sign-s": "stroke: var(--lost); stroke-width: 1.8",
  done: "stroke: var(--good); stroke-width: 2",
  undone: "stroke: var(--lost); stroke-width: 1.8",
  chosen: "stroke: var(--ink); stroke-width: 2",
};

/**
 * Draw the row of a run: a cell for each round. ≡ writes the plan, ✓ ends, ✗ ends with work undone; a
 * hatched round has lost the plan. A space is no cell.
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
