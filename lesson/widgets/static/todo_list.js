// A todo list, what the files show of it, and the count of rounds since it was last touched.

import { hidden, plural } from "./components.js";
import { div, h, li, p, span, strong } from "./dom.js";

/** The looks of a letter: what the files show, what is only claimed, what is in progress, and what
 * is there in part. @type {Record<string, string>} */
const LOOKS = { x: "shown", o: "claimed", ">": "current", p: "half", g: "gone" };

/** @param {string} letter */
const lookOf = (letter) => LOOKS[letter] ?? "open";

/** @type {Record<string, string[]>} */
const MARKS = {
  x: ["✓", "completed"],
  o: ["✓", "claimed completed"],
  ">": ["▸", "in progress"],
  ".": ["", "pending"],
};

/** @param {string} letter */
const mark = (letter) =>
  span({ class: `al-mark al-${lookOf(letter)}`, "aria-hidden": "true" }, MARKS[letter]?.[0] ?? "?");

/** Draw a list as its marks alone, and say how many items have each. @param {string} letters */
export const drawMarks = (letters) => {
  const counts = [...new Set(letters)].map(
    (letter) => `${letters.split(letter).length - 1} ${MARKS[letter]?.[1] ?? "unknown"}`,
  );
  return span("al-pips", hidden(counts.join(", ") || "no list"), [...letters].map(mark));
};

/** @param {Item[]} items */
const lettersOf = (items) => items.map(({ letter }) => letter).join("");

/** @param {string} letters */
const countDone = (letters) => [...letters].filter((letter) => "xo".includes(letter)).length;

/** @param {Item} item */
const row = (item) =>
  li(
    { class: `al-item al-${item.status}` },
    mark(item.letter),
    hidden(`${MARKS[item.letter]?.[1] ?? item.status}: `),
    span("al-number", `#${item.id}`),
    span(
      "al-text",
      item.text,
      item.more.length > 0 &&
        span(
          "al-more",
          item.more.map((field) => span("al-field", field)),
        ),
      item.active && span("al-active", item.active),
    ),
  );

/** Draw a list, its progress, and its items. `isLost` says that the model does not see it; the
 * others are attributes of the element that contains the items.
 * @param {TodoList} list @param {Record<string, any>} [more] */
export const todoList = ({ items, files }, { isLost = false, ...more } = {}) =>
  div(
    ["al-plan", isLost && "al-unseen"],
    div(
      "al-head",
      span("al-title", "The list"),
      isLost && items.length > 0 && span("al-reminder al-lost", "the model sees none of it"),
      items.length > 0 &&
        !isLost &&
        !files && // else `evidence` says it below the list
        span("al-muted", `${countDone(lettersOf(items))} of ${items.length} completed`),
    ),
    items.length > 0
      ? h("ol", { class: "al-items", ...more }, items.map(row))
      : p("al-muted", "No list yet: the model writes it with the todo tool."),
  );

const MAX_PIPS = 20;

/** Rounds without a todo call, as pips: as many as there may be before the reminder comes.
 * @param {Counter} counter */
export const counter = ({ waited, after, reminded }) =>
  after !== null &&
  div(
    "al-counter",
    after <= MAX_PIPS && pips(waited, after),
    span({}, `${roundsOf(waited, after)} without a todo call`),
    // It keeps its place, so that nothing moves when it comes.
    span({ class: "al-reminder", style: reminded ? null : "visibility: hidden" }, "reminder sent"),
  );

/** An ignored reminder leaves more rounds than the threshold. @param {number} waited
 * @param {number} after */
const roundsOf = (waited, after) =>
  waited > after
    ? plural(waited, "round")
    : `${waited.toLocaleString("en")} of ${plural(after, "round")}`;

/** @param {number} waited @param {number} after */
export const pips = (waited, after) =>
  span(
    { class: "al-pips", "aria-hidden": "true" },
    Array.from({ length: after }, (_, n) => span(["al-pip", n < waited && "al-on"])),
  );

/** Draw what the files show of a list, and what it says; nothing if the files were not checked.
 * @param {TodoList} list */
export const evidence = ({ files, items }) =>
  files && div("al-evidence", evidenceRows(files, lettersOf(items)));

/** Return how many steps the files show. @param {string} letters */
export const stepsDone = (letters) => letters.split("x").length - 1;

/** Two rows of squares that cannot be taken for one another: filled for what the files show, hollow
 * for what is only claimed.
 * @param {string} files @param {string} claims */
export const evidenceRows = (files, claims) => [
  evidenceRow("What the files show", files),
  evidenceRow("What its list says", claims),
];

/** @param {string} label @param {string} letters */
const evidenceRow = (label, letters) =>
  div(
    "al-evidence-row",
    span("al-evidence-label", label),
    squares(letters),
    strong(letters ? `${countDone(letters)} of ${letters.length}` : "no list"),
  );

/** @param {string} letters */
export const squares = (letters) =>
  span(
    { class: "al-squares", "aria-hidden": "true" },
    [...letters].map((letter) => span(`al-square al-${lookOf(letter)}`)),
  );
