// A todo list, what the files show of it, and the count of rounds since it was last touched.

import { div, h, span } from "./dom.js";
import { hidden, keys, plural } from "./parts.js";

/**
 * One item: `shown` is true if the files show that it is done, false if they do not, and null if
 * the files were not checked.
 * @typedef {object} Item
 * @property {string} id
 * @property {string} text
 * @property {string} status
 * @property {string | null} active
 * @property {string[]} more
 * @property {boolean | null} [shown]
 *
 * A list; `steps` is what the files show, step by step, and null if they were not checked.
 * @typedef {object} TodoList
 * @property {string} title
 * @property {Item[]} items
 * @property {number} done
 * @property {{ text: string, done: boolean }[] | null} steps
 *
 * @typedef {{ waited: number, after: number | null, reminded: boolean }} Counter
 */

/** @type {Record<string, string>} */
const MARKS = { completed: "✓", claimed: "✓", in_progress: "▸", pending: "" };
/** @type {Record<string, string>} */
const WORDS = {
  completed: "completed",
  claimed: "claimed completed",
  in_progress: "in progress",
  pending: "pending",
};

/**
 * Return how to draw an item: "completed" only if the files show it, otherwise "claimed".
 * @param {Item} item
 */
const look = ({ status, shown }) => (status === "completed" && shown !== true ? "claimed" : status);

/** @param {string} state */
const mark = (state) => [
  h("span", { class: `al-mark al-${state}`, "aria-hidden": "true" }, MARKS[state] ?? "?"),
  hidden(`${WORDS[state] ?? state}: `),
];

const LONG_TEXT = 200; // characters

/**
 * Draw an item's text: only the first lines of long text until it is opened.
 * @param {Item} item
 */
const textOf = ({ text }) =>
  text.length > LONG_TEXT
    ? h("details", { class: "al-long-text" }, h("summary", keys, text))
    : text;

/** @param {Item} item */
const row = (item) =>
  h(
    "li",
    { class: `al-item al-${item.status}` },
    mark(look(item)),
    span("al-number", `#${item.id}`),
    span(
      "al-text",
      textOf(item),
      item.more.length > 0 &&
        span(
          "al-more",
          item.more.map((field) => span("al-field", field)),
        ),
      item.active && span("al-active", item.active),
    ),
  );

/**
 * Draw a list, its progress, and its items. `isLost` says that the model does not see it; the
 * others are attributes of the element that contains the items.
 * @param {TodoList} list
 * @param {Record<string, any>} [more]
 */
export const todoList = ({ title, items, done }, { isLost = false, ...more } = {}) =>
  div(
    isLost ? "al-plan al-unseen" : "al-plan",
    div(
      "al-head",
      span("al-title", title),
      isLost && items.length > 0 && span("al-tag", "the model sees none of it"),
      items.length > 0 && !isLost && span("al-count", `${done} of ${items.length} completed`),
    ),
    items.length > 0
      ? h("ol", { class: "al-items", ...more }, items.map(row))
      : h("p", { class: "al-empty" }, "No list yet: the model writes it with the todo tool."),
  );

const MAX_PIPS = 20;

/**
 * Rounds without a todo call, as pips: as many as there may be before the reminder comes.
 * @param {Counter} counter
 */
export const counter = ({ waited, after, reminded }) =>
  after !== null &&
  div(
    "al-counter",
    after <= MAX_PIPS && pips(waited, after),
    h(
      "span",
      {},
      `${waited.toLocaleString("en")} of ${plural(after, "round")} without a todo call`,
    ),
    // It keeps its place, so that nothing moves when it comes.
    h(
      "span",
      { class: "al-reminder", style: reminded ? null : "visibility: hidden" },
      "reminder sent",
    ),
  );

/** @param {number} waited @param {number} after */
const pips = (waited, after) =>
  h(
    "span",
    { class: "al-pips", "aria-hidden": "true" },
    Array.from({ length: after }, (_, n) => span(n < waited ? "al-pip al-on" : "al-pip")),
  );

/**
 * Draw what the files show of a list, and what it says; null if the files were not checked.
 * @param {TodoList} list
 */
export const evidence = ({ steps, items }) =>
  steps &&
  div(
    "al-evidence",
    evidenceRows(
      steps.map((step) => (step.done ? "shown" : "open")),
      items.map((item) => SQUARES[look(item)] ?? "open"),
    ),
  );

/** @type {Record<string, Square>} */
const SQUARES = { completed: "shown", claimed: "claimed" };

/**
 * Two rows of squares that cannot be taken for one another: filled for what the files show, hollow
 * for what is only claimed.
 * @typedef {"shown" | "claimed" | "open"} Square
 * @param {Square[]} files
 * @param {Square[]} claims
 */
export const evidenceRows = (files, claims) => [
  evidenceRow("What the files show", files),
  evidenceRow("What its list says", claims),
];

/** @param {string} label @param {Square[]} squares */
const evidenceRow = (label, squares) => {
  const done = squares.filter((square) => square !== "open").length;
  return div(
    "al-evidence-row",
    span("al-evidence-label", label),
    h(
      "span",
      { class: "al-squares", "aria-hidden": "true" },
      squares.map((square) => span(`al-square al-${square}`)),
    ),
    h("strong", {}, squares.length > 0 ? `${done} of ${squares.length}` : "no list"),
  );
};
