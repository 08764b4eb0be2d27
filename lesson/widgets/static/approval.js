// One question at a time. The kernel asks "here": an answer shows that somebody can see it. Every
// answer carries the number of its question, so that none is taken for the answer to another.

import { div, h, span } from "./dom.js";
import { button, card, hidden, keys, plural, status } from "./parts.js";
import { NO_ANSWER, view } from "./view.js";

/**
 * @import { Child } from "./dom.js"
 * @import { Model, Owed, Place } from "./view.js"
 *
 * `command` is null where nothing is asked. `action` says what is to be allowed: "run this
 * command". `is_change` says that the command is a unified diff of a file.
 * @typedef {object} State
 * @property {number} question
 * @property {string | null} command
 * @property {string} action
 * @property {boolean} is_change
 * @property {string} said
 *
 * A line of the command, or some blank ones together.
 * @typedef {{ number: number, text: string, blank: number }} Line
 */

const END_LINES = 3;
const IN_SIGHT = 10; // lines that fit into the box
const LINE_LENGTH = 60; // characters, where the page is narrow
const END_LENGTH = 300; // characters of a long line at the end
const FEW_BLANKS = 2;

/** @param {Model} model @returns {State} */
const stateOf = (model) => model.get("state");

/** @param {Model} model */
const isWaiting = (model) => stateOf(model).command !== null;

/** @param {Model} model */
const isAnswered = (model) => model.get("answered") === stateOf(model).question;

/** @param {Model} model @returns {Owed} */
const owed = (model) => (isWaiting(model) && isAnswered(model) ? "asked" : "");

/** @param {Model} model @param {string} word */
const answer = (model, word) => () => {
  const { question } = stateOf(model);
  model.send({ answer: word, question });
  // A note for this page only: it is never saved to the kernel.
  model.set("answered", question);
};

/**
 * The lines with their numbers; many blank ones are one that says how many.
 * @param {string} command
 * @returns {Line[]}
 */
const linesOf = (command) => {
  /** @type {Line[]} */
  const lines = [];
  const all = command.split("\n");
  for (let place = 0; place < all.length; place += 1) {
    let end = place;
    while (end < all.length && all[end].trim() === "") end += 1;
    const blank = end - place;
    if (blank > FEW_BLANKS) {
      lines.push({ number: place + 1, text: "", blank });
      place = end - 1;
    } else lines.push({ number: place + 1, text: all[place], blank: 0 });
  }
  return lines;
};

/** How a line of a diff is drawn, by its first character: its look, its sign, and that in words.
 * @type {Record<string, [string, string, string]>} */
const SIGNS = { "+": ["al-added", "+", "added: "], "-": ["al-removed", "−", "removed: "] };
const UNCHANGED = ["", "", ""];

/** @param {Line} line @param {boolean} isChange */
const drawLine = ({ number, text, blank }, isChange) => {
  if (blank > 0) return drawRow("al-command-blank", number, `⋮ ${plural(blank, "blank line")}`);
  const isHead = /^(\+\+\+ |--- |@@)/.test(text);
  if (!isChange || isHead) return drawRow("", number, drawText(text));
  const [look, sign, words] = SIGNS[text[0]] ?? UNCHANGED;
  const mark = h("span", { class: "al-sign", "aria-hidden": "true" }, sign);
  return drawRow(look, number, mark, words && hidden(words), drawText(text.slice(1)));
};

/** @param {string} text */
const drawText = (text) => span("al-command-text", text);

/** @param {string} look @param {number} number @param {...Child} parts */
const drawRow = (look, number, ...parts) =>
  span(
    `al-command-line ${look}`,
    h("span", { class: "al-command-number", "aria-hidden": "true" }, `${number}`),
    parts,
  );

/** @param {string} name @param {Line[]} lines @param {boolean} isChange @param {string} kind */
const box = (name, lines, isChange, kind) =>
  h(
    "pre",
    {
      class: `al-pre al-command ${kind}`,
      tabindex: 0,
      role: "region",
      "aria-label": name,
      ...keys,
    },
    lines.map((line) => drawLine(line, isChange)),
  );

/** @param {string} command @param {boolean} isChange */
const sizeOf = (command, isChange) => {
  const all = command.split("\n");
  if (!isChange) return plural(all.length, "line");
  const count = (/** @type {RegExp} */ sign) => all.filter((line) => sign.test(line)).length;
  const added = count(/^\+(?!\+\+ )/);
  const removed = count(/^-(?!-- )/);
  return `${plural(added, "line")} added, ${removed.toLocaleString("en")} removed`;
};

/** @param {Line[]} lines */
const fits = (lines) =>
  lines.reduce((rows, { text }) => rows + Math.max(1, Math.ceil(text.length / LINE_LENGTH)), 0) <=
  IN_SIGHT;

/** @param {Line} line @returns {Line} */
const endOf = (line) =>
  line.text.length > END_LENGTH ? { ...line, text: `…${line.text.slice(-END_LENGTH)}` } : line;

/** @param {State} state */
const question = ({ command, is_change: isChange }) => {
  if (command === null) return div("al-question");
  const lines = linesOf(command);
  const said = lines.filter(({ blank, text }) => blank === 0 && text.trim() !== "");
  return div(
    "al-question",
    div("al-question-size", sizeOf(command, isChange)),
    box(isChange ? "The change" : "The command", lines, isChange, ""),
    !fits(lines) && [
      div("al-question-size", "It ends with:"),
      box("The end of it", said.slice(-END_LINES).map(endOf), isChange, "al-command-end"),
    ],
  );
};

/** @param {Model} model */
const titleOf = (model) =>
  isWaiting(model) ? `May the model ${stateOf(model).action}?` : "What the model wants to do";

const draw = view((model, wait) => {
  const state = stateOf(model);
  const off = !isWaiting(model) || isAnswered(model);
  const choice = (/** @type {string} */ label, /** @type {string} */ word) =>
    button(label, answer(model, word), { off });
  return card(
    "The model's commands",
    { class: "al-approval" },
    div("al-head", span("al-title", titleOf(model))),
    question(state),
    div(
      "al-transport",
      choice("Allow once", "once"),
      choice("Allow in this run", "run"),
      choice("No", "no"),
    ),
    status(wait === "silent" ? NO_ANSWER : state.said),
  );
}, owed);

export default {
  render(/** @type {Place} */ { model, el }) {
    const reply = () => model.send({ here: true, question: stateOf(model).question });
    model.on("msg:custom", reply);
    if (isWaiting(model)) reply(); // it was asked before this page could hear it
    const undraw = draw.render({ model, el });
    return () => {
      model.off("msg:custom", reply);
      undraw();
    };
  },
};
