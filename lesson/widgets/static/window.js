// A run and its window: a column for each round, and in it the messages that the model sees in that
// round. The plan climbs with each round, and leaves the window at its upper edge.
// The edge and the reminder are sliders. The style sheet is window.css, with the colours of column.css.

import { addColumn, at, drawMessages, lettersOf, placesOf } from "./column.js";
import { plural, slide, slider } from "./components.js";
import { div, h, span, svg } from "./dom.js";
import { clamp, draggable, elementOf, pointerIn, press } from "./keyboard.js";
import { drawCells } from "./strip.js";

/**
 * A picture of a run. `after` is the threshold of the reminder, or null; `set…` are called with
 * the place to which the reader moves the edge or the reminder, or with the round that was pressed.
 * @typedef {object} Picture
 * @property {string} cells
 * @property {boolean} isFinished
 * @property {string} outcome how the run ended, for screen readers
 * @property {number} size the window, in messages
 * @property {[number, number]} sizes the smallest and the largest window
 * @property {number | null} after
 * @property {number} round the chosen round, from 1; 0 for none
 * @property {(size: number) => void} setSize
 * @property {(after: number) => void} setAfter
 * @property {(round: number) => void} setRound
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
    addColumn(paths, placesOf(lettersOf(cells, size, round), size), size, round - 1, rows);
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
  const { cells, size, round } = picture;
  const message = Math.min(TALLEST, HEIGHT / size);
  const rows = (HEIGHT + ABOVE) / message;
  const edge = `bottom: ${at(size * message)}em`;
  return h(
    "div",
    { class: "al-window", style: `--rounds: ${cells.length || USUAL}` },
    h(
      "div",
      { class: "al-window-names", "aria-hidden": "true", style: `--deep: ${HEIGHT + ABOVE}em` },
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
          onclick: (/** @type {PointerEvent} */ event) =>
            picture.setRound(Math.floor(pointerIn(event).across * cells.length) + 1),
        },
        drawCells(cells, picture.isFinished, round),
      ),
      numbers(cells, round),
    ),
  );
};

/** @param {Picture} picture @param {string} style @param {number} rows */
const edgeHandle = ({ outcome, size, sizes, setSize }, style, rows) =>
  drawHandle(
    {
      label: "Window of the chosen run",
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
const reminderHandle = ({ outcome, cells, setAfter }, after) => {
  // The plan is round 1; a reminder goes out with the results of a round, and is read in the next.
  const sent = cells.search(/[A-Z]/) + 1;
  const read = sent > 0 ? sent + 1 : after + 2;
  const isSent = read <= cells.length;
  const place = Math.min(read, cells.length + 1);
  return drawHandle(
    {
      label: "Reminder of the chosen run",
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
