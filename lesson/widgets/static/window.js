// The window of the practice model, drawn: a column for each round, and in it the messages that the
// model sees in that round, the newest at the bottom. The plan climbs with each round, and leaves
// the window at its upper edge.
//
// For other widgets:
//
//   columnOf(cells, size, round)    the messages of one column, as plain data
//   drawWindow(picture)             all columns of a run; the edge and the reminder are sliders
//   drawCells(cells, isFinished)    the row of a run as SVG: a cell for each round, with its sign
//
// `cells` has a letter for each round of a run (see KINDS in measured.py; a capital if a reminder
// went out with its results). The style sheet is window.css; its colours are --plan, --work, --good,
// --lost and --wash of an element with the class al-window-colours.

import { div, h, span } from "./dom.js";
import { clamp, draggable, elementOf, pointerIn, press } from "./input.js";
import { keys, plural } from "./parts.js";

/**
 * A message as the picture shows it: the round that wrote it, whether it is the call or the result
 * of that round, and whether the model sees it.
 * @typedef {object} Place
 * @property {number} round
 * @property {"call" | "result"} part
 * @property {"plan" | "short" | "work"} look
 * @property {boolean} hasReminder
 * @property {boolean} isSeen
 *
 * A picture of a run. `after` is the threshold of the reminder, or null; `set…` are called with the
 * place to which the reader moves the edge or the reminder (without them, nothing can be moved).
 * @typedef {object} Picture
 * @property {string} name what the run is called, for screen readers
 * @property {string} cells
 * @property {boolean} isFinished
 * @property {string} outcome how the run ended, for screen readers
 * @property {number} size the window, in messages
 * @property {[number, number]} sizes the smallest and the largest window
 * @property {number | null} after
 * @property {number} [mostAfter] the largest threshold
 * @property {boolean} [isNamed] whether the name is shown next to the picture
 * @property {number} [round] the chosen round, from 1
 * @property {(size: number) => void} [setSize]
 * @property {(after: number) => void} [setAfter]
 * @property {(round: number) => void} [setRound]
 *
 * @import { Tree } from "./dom.js"
 */

const TALLEST = 0.5; // em: the height of a message in a small window
const HEIGHT = 7.6; // em: the height of the window, if it has many messages
const ABOVE = 2; // em: room for the plan above the edge
const GHOST_ROUNDS = 2; // for how long the plan is drawn above the edge

/**
 * Return the messages that were sent for a round after the prompt, the newest first.
 * @param {string} cells
 * @param {number} size how many of them the model sees
 * @param {number} round from 1
 * @returns {Place[]}
 */
export const columnOf = (cells, size, round) => {
  /** @type {Place[]} */
  const places = [];
  for (let written = round - 1; written > 0; written -= 1) {
    const letter = cells[written - 1];
    const isSeen = places.length < size;
    const callIsSeen = places.length + 1 < size;
    const look = LISTS[letter.toLowerCase()] ?? "work";
    // A result without its call is no plan any more.
    const resultLook = isSeen && !callIsSeen ? "work" : look;
    const hasReminder = letter !== letter.toLowerCase();
    places.push({ round: written, part: "result", look: resultLook, hasReminder, isSeen });
    places.push({ round: written, part: "call", look, hasReminder: false, isSeen: callIsSeen });
  }
  return places;
};

/** @type {Record<string, Place["look"]>} */
const LISTS = { p: "plan", s: "short" };

/** Return a rectangle as a path. @param {number} x @param {number} y @param {number} w @param {number} d */
const box = (x, y, w, d) => `M${at(x)} ${at(y)}h${at(w)}v${at(d)}h${at(-w)}z`;

/** @param {number} value */
const at = (value) => String(Math.round(value * 1000) / 1000);

/** Diagonal lines in a rectangle. @param {number} x @param {number} y @param {number} w
 * @param {number} d @param {number} [lines] */
const hatch = (x, y, w, d, lines = 3) =>
  Array.from({ length: 2 * lines - 1 }, (_, line) => {
    const across = (line + 1) / lines;
    const [x0, y0] = across <= 1 ? [0, across] : [across - 1, 1];
    const [x1, y1] = across <= 1 ? [across, 0] : [1, across - 1];
    return `M${at(x + x0 * w)} ${at(y + y0 * d)}L${at(x + x1 * w)} ${at(y + y1 * d)}`;
  }).join("");

/**
 * Add the paths of a column to `paths`, by CSS class.
 * @param {Place[]} column
 * @param {number} size
 * @param {number} x the left end of the column; it is 1 wide, and a message is 1 high
 * @param {number} floor the lower end of the newest message
 * @param {Record<string, string>} paths
 */
const addColumn = (column, size, x, floor, paths) => {
  const add = (/** @type {string} */ look, /** @type {string} */ path) => {
    paths[look] = (paths[look] ?? "") + path;
  };
  const [left, width] = [x + 0.06, 0.88];
  if (column.length < size)
    add("empty", box(left, floor - size, width, size - column.length - 0.14));
  const newestPlan = column.find(({ look }) => look === "plan")?.round;
  const written = (column[0]?.round ?? 0) + 1;
  column.forEach((place, index) => {
    const top = floor - 1 - index;
    if (place.isSeen) {
      add(place.look, box(left, top + 0.07, width, 0.86));
      if (place.look === "short") add("hatch", hatch(left, top + 0.07, width, 0.86));
      if (place.hasReminder) add(index ? "read" : "reminder", mark(x, top, index ? 0.6 : 0.84));
    } else if (place.look === "plan" && place.round === newestPlan) {
      if (written - place.round - Math.ceil(size / 2) <= GHOST_ROUNDS)
        add("ghost", box(left, top + 0.07, width, 0.86));
    }
  });
};

/** Draw the mark of a reminder in its message. @param {number} x @param {number} top
 * @param {number} width */
const mark = (x, top, width) =>
  `M${at(x + 0.5 - width / 2)} ${at(top + 0.9 - 1.5 * width)}h${width}l${-width / 2} ${1.5 * width}z`;

/** @param {Record<string, string>} paths */
const drawPaths = (paths) =>
  ["empty", "work", "short", "hatch", "plan", "read", "reminder", "ghost"]
    .filter((look) => paths[look])
    .map((look) => h("path", { class: `al-window-${look}`, d: paths[look] }));

/**
 * Draw the columns of all rounds of a run. The newest is at the right.
 * @param {string} cells
 * @param {number} size
 * @param {number} rows
 */
const drawColumns = (cells, size, rows) => {
  /** @type {Record<string, string>} */
  const paths = {};
  for (let round = 1; round <= cells.length; round += 1)
    addColumn(columnOf(cells, size, round), size, round - 1, rows, paths);
  return h(
    "svg",
    {
      class: "al-window-svg",
      viewBox: `0 0 ${cells.length} ${at(rows)}`,
      preserveAspectRatio: "none",
      "aria-hidden": "true",
    },
    drawPaths(paths),
  );
};

/** A drag: its start, the value at the start, and the pixels of one step. */
let drag = { from: 0, value: 0, step: 1 };

/**
 * Draw a slider that is dragged along one side of the picture.
 * @param {"clientX" | "clientY"} side
 * @param {number} value
 * @param {() => number} step pixels, negative if the value grows towards the beginning of the side
 * @param {(value: number) => void} change
 */
const slides = (side, value, step, change) =>
  draggable((event) => {
    if (event.type === "pointerdown") drag = { from: event[side], value, step: step() };
    else change(drag.value + Math.round((event[side] - drag.from) / drag.step));
    elementOf(event).focus({ preventScroll: true });
  });

/**
 * Draw the run with its window. Below each column is the cell of its round.
 * @param {Picture} picture
 * @returns {Tree}
 */
export const drawWindow = (picture) => {
  const { cells, size, round = 0 } = picture;
  const message = Math.min(TALLEST, HEIGHT / size);
  const rows = (HEIGHT + ABOVE) / message;
  const edge = `bottom: ${at(size * message)}em`;
  return h(
    "div",
    { class: "al-window al-window-colours", style: `--rounds: ${cells.length}` },
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
const edgeHandle = ({ name, outcome, size, sizes, setSize }, style, rows) => {
  if (!setSize) return h("span", { class: "al-window-edge", style });
  const change = (/** @type {number} */ to) => setSize(clamp(to, sizes[0], sizes[1]));
  /** @type {HTMLElement | undefined} */
  let columns;
  return h(
    "div",
    {
      class: "al-window-edge",
      style,
      role: "slider",
      tabindex: 0,
      ...keys,
      "aria-label": `Window of ${name}`,
      "aria-orientation": "vertical",
      "aria-valuemin": sizes[0],
      "aria-valuemax": sizes[1],
      "aria-valuenow": size,
      "aria-valuetext": `${plural(size, "message")}: ${outcome}`,
      title: "Drag the edge, or use the arrow keys: how many messages the model sees",
      onkeydown: (/** @type {KeyboardEvent} */ event) =>
        press(event, {
          ArrowUp: () => change(size + 1),
          ArrowRight: () => change(size + 1),
          ArrowDown: () => change(size - 1),
          ArrowLeft: () => change(size - 1),
          PageUp: () => change(size + 4),
          PageDown: () => change(size - 4),
          Home: () => change(sizes[0]),
          End: () => change(sizes[1]),
        }),
      onpointerenter: (/** @type {PointerEvent} */ event) => {
        columns = elementOf(event).parentElement ?? undefined;
      },
      ...slides("clientY", size, () => -(columns?.clientHeight ?? 100) / rows, change),
    },
    span("al-window-knob"),
  );
};

/** @param {Picture} picture @param {number} after */
const reminderHandle = ({ name, outcome, cells, mostAfter = 15, setAfter }, after) => {
  if (!setAfter) return null;
  const change = (/** @type {number} */ to) => setAfter(clamp(to, 1, mostAfter));
  // The plan is round 1; a reminder after n rounds goes out with the last of them, and is read then.
  const read = cells.search(/[A-Z]/) + 2 || after + 2;
  const isSent = read <= cells.length;
  /** @type {HTMLElement | undefined} */
  let columns;
  return h(
    "div",
    {
      class: isSent ? "al-window-reminds" : "al-window-reminds al-window-unsent",
      style: `left: ${((Math.min(read, cells.length + 1) - 0.5) / cells.length) * 100}%`,
      role: "slider",
      tabindex: 0,
      ...keys,
      "aria-label": `Reminder of ${name}`,
      "aria-valuemin": 1,
      "aria-valuemax": mostAfter,
      "aria-valuenow": after,
      "aria-valuetext": `after ${plural(after, "round")}: ${outcome}`,
      title: "Drag the reminder, or use the arrow keys: after how many rounds it is sent",
      onkeydown: (/** @type {KeyboardEvent} */ event) =>
        press(event, {
          ArrowUp: () => change(after + 1),
          ArrowRight: () => change(after + 1),
          ArrowDown: () => change(after - 1),
          ArrowLeft: () => change(after - 1),
          Home: () => change(1),
          End: () => change(mostAfter),
        }),
      onpointerenter: (/** @type {PointerEvent} */ event) => {
        columns = elementOf(event).parentElement ?? undefined;
      },
      ...slides("clientX", after, () => (columns?.clientWidth ?? 100) / cells.length, change),
    },
    isSent ? "" : "▽",
  );
};

/** Draw the number of every fifth round, of the last, and of the chosen one.
 * @param {string} cells @param {number} chosen */
const numbers = (cells, chosen) =>
  h(
    "div",
    { class: "al-window-numbers", "aria-hidden": "true" },
    [...cells].map((_, place) => {
      const round = place + 1;
      const isShown =
        round === chosen || round === 1 || (round % 5 === 0 && Math.abs(round - chosen) > 1);
      return isShown
        ? h(
            "span",
            {
              class: round === chosen ? "al-window-chosen" : null,
              style: `left: ${((place + 0.5) / cells.length) * 100}%`,
            },
            String(round),
          )
        : null;
    }),
  );

const [CELL, GAP, DEEP] = [10, 1.4, 12]; // the size of a cell in its drawing

/**
 * Draw the row of a run: a cell for each round. ≡ writes the plan, ✓ ends, ✗ ends with work undone; a
 * hatched round has lost the plan.
 * @param {string} cells
 * @param {boolean} isFinished
 * @param {number} [chosen] a round, from 1
 * @param {number} [length] how many cells the drawing is long
 * @returns {Tree}
 */
export const drawCells = (cells, isFinished, chosen = 0, length = cells.length) => {
  /** @type {Record<string, string>} */
  const paths = {};
  const add = (/** @type {string} */ look, /** @type {string} */ path) => {
    paths[look] = (paths[look] ?? "") + path;
  };
  [...cells.toLowerCase()].forEach((kind, place) => {
    const [x, y, w, d] = [place * CELL + GAP, 1, CELL - 2 * GAP, DEEP - 2];
    add(kind, box(x, y, w, d));
    if ("lfs".includes(kind)) add("hatch", hatch(x, y, w, d));
    if ("ps".includes(kind))
      add(`sign-${kind}`, [3.5, 6, 8.5].map((down) => `M${at(x + 1.4)} ${down}h4.4`).join(""));
    if (kind === "e")
      add(
        isFinished ? "sign-done" : "sign-undone",
        isFinished
          ? `M${at(x + 1.5)} 6.3l1.6 2 2.8 -4.6`
          : `M${at(x + 1.7)} 3.9l3.8 4.2m0 -4.2l-3.8 4.2`,
      );
    if (place + 1 === chosen) add("chosen", box(x - GAP, 0, CELL, DEEP));
  });
  return h(
    "svg",
    {
      class: "al-cells",
      viewBox: `0 0 ${length * CELL} ${DEEP}`,
      preserveAspectRatio: "none",
      "aria-hidden": "true",
    },
    ["w", "d", "p", "l", "f", "s", "hatch", "e", "sign-p", "sign-s", "sign-done", "sign-undone"]
      .concat("chosen")
      .filter((look) => paths[look])
      .map((look) => h("path", { class: `al-cell-${look}`, d: paths[look] })),
  );
};
