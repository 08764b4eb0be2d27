// The seat: the window of one request, a list to write, and then all replies side by side.

import { drawEdge, drawPlace } from "./column.js";
import { button, card, emphasised, fold, keys, plural } from "./components.js";
import { div, h, span } from "./dom.js";
import { elementOf } from "./keyboard.js";
import { squares, stepsDone } from "./todo_list.js";
import { focusOn, set, view } from "./view.js";

/**
 * A message of the window: `heads` are its lines while it is folded, `full` is all of it.
 * @typedef {{ round: number, who: string, text: string, call: string[], heads: string[],
 *   full: string, note: string }} Message
 *
 * A step of the plan: `script` is its status in the practice model's list, "" if it is not there;
 * `found` has a letter for each recorded list (x: it has all of the step, p: a part), and `kept`
 * for each of those whose reminder showed the list, "" if these are not shown.
 * @typedef {{ number: number, text: string, script: string, found: string, note: string,
 *   kept: string }} Row
 *
 * The steps, grouped by where else they can be read; `rest` describes the script's line for all
 * that are not on its list, and `extra` are the recorded lists with a step that is not in the plan.
 * @typedef {{ title: string, note: string, rows: Row[] }} Group
 * @typedef {{ headings: string[][], groups: Group[], rest: string, extra: string,
 *   lesson: string[], told: string }} Table
 *
 * The replies of a model.
 * @typedef {{ opening: string, list?: [string, string][], does?: string, end?: string }} Reply
 * @typedef {{ name: string, note?: string, replies: Reply[] }} Column
 *
 * `removed` is the number of messages that have left the window. `given` are the steps that the
 * window shows as done.
 * @typedef {{ lede: string, round: number, prompt: string[], removed: number, messages: Message[],
 *   system: string, tools: string[], question: string, given: string[], table: Table | null,
 *   columns: Column[] }} State
 */

const LINES = 7;

/** @param {Model} model @returns {State} */
const stateOf = (model) => model.get("state");

/** @param {Model} model */
const request = (model) => {
  const { round, prompt, removed, messages, system, tools } = stateOf(model);
  const ghost = drawPlace("removed", { "aria-hidden": "true" }, h("br"));
  return h(
    "section",
    {},
    h("h2", {}, `What the model sees in round ${round}`),
    h(
      "ol",
      {},
      place(
        "model",
        "prompt",
        prompt.map((text, n) => h("p", { class: n + 1 < prompt.length ? "al-pre" : "" }, text)),
      ),
      [ghost, ghost],
      drawEdge(`${plural(removed, "message")} removed`),
      messages.map(message),
      drawPlace("work", { class: "al-seat-next" }, `round ${round}: the next message is yours`),
    ),
    h(
      "details",
      {},
      h("summary", keys, `Also sent in every round: the system prompt and ${tools.length} tools`),
      muted(system),
      muted(`Tools: ${tools.join(", ")}.`),
    ),
  );
};

/** @param {...Child} words */
const muted = (...words) => h("p", { class: "al-note" }, words);

/** @param {string} who @param {string} label @param {...Child} content */
const place = (who, label, ...content) =>
  drawPlace("work", { class: `al-seat-${who}` }, span("al-note", label), div("", content));

/** @param {Message} message */
const message = ({ round, who, text, call, heads, full, note }) => {
  const part = heads.join("\n");
  return place(
    who,
    round > 0 ? `round ${round}` : "result",
    text,
    call.length > 0 && h("code", { class: "al-seat-call" }, call[0], " ", h("b", {}, call[1])),
    full && (part === full ? h("pre", { class: "al-pre" }, full) : fold(part, full)),
    note && h("p", { class: "al-seat-note" }, "▼\u00a0", note),
  );
};

/** Show the comparison, with the focus on its title. @param {Model} model @param {Element} inside */
const compare = (model, inside) => {
  const top = inside.closest(".agentlib");
  set(model, { compared: true });
  focusOn(top?.querySelector(".al-seat-title") ?? null);
  top?.scrollIntoView({ block: "start" });
};

/** @param {Model} model */
const form = (model) => {
  const { given, question } = stateOf(model);
  const isList = given.length > 0;
  const lines = Math.max(LINES, model.get("answer").split("\n").length);
  return h(
    "section",
    { class: "al-seat-yours" },
    h("h2", {}, isList ? "Your list" : "Your message"),
    isList && h("p", {}, "The prompt says ten steps. The window shows that three are done."),
    isList &&
      h(
        "ol",
        { class: "al-seat-given" },
        given.map((text) => h("li", {}, "✓ ", text)),
      ),
    h(
      "label",
      {},
      h("b", {}, question, " "),
      isList && span("al-note", "One step per line, in a few words."),
      h("textarea", {
        ...keys,
        rows: lines,
        spellcheck: "false",
        oninput: (/** @type {Event} */ event) =>
          model.set("answer", /** @type {HTMLTextAreaElement} */ (event.target).value),
        onkeydown: (/** @type {KeyboardEvent} */ event) => event.stopPropagation(),
      }),
    ),
    button("Compare", (event) => compare(model, elementOf(event)), { class: "al-button al-main" }),
    muted(`${isList ? "Leave a line empty if you cannot know. " : ""}Nothing is graded.`),
  );
};

/** @param {string} letters */
const count = (letters) => [squares(letters), ` ${stepsDone(letters)} of ${letters.length}`];

/** @param {string} words */
const small = (words) => h("small", {}, words);

/** @type {Record<string, string>} */
const STATUSES = { completed: "✓ done", in_progress: "on its list", pending: "on its list" };

/** Draw the steps of the plan, and which list has each.
 * @param {Table} table */
const drawTable = ({ headings, groups, rest, extra }) => {
  const missing = groups.flatMap(({ rows }) => rows).filter(({ script }) => !script);
  // The script's list has one line for all steps that are not on it.
  const all = { class: "al-seat-all", rowspan: missing.length + groups.length - 1 };
  const script = (/** @type {Row} */ row) => {
    if (row.script) return h("td", {}, STATUSES[row.script]);
    if (row !== missing[0]) return null;
    return h("td", all, h("b", {}, "“Finish the rest”"), small(rest));
  };
  return h(
    "table",
    {},
    h(
      "tr",
      { class: "al-seat-head" },
      headings.map(([title, note]) => h("th", { scope: "col" }, title, small(note))),
    ),
    groups.map(({ title, note, rows }, n) => {
      const look = n === groups.length - 1 ? "al-seat-lost" : "";
      const isSpanned = n > 0 && missing.length > 0; // by the script's line
      const colspan = headings.length - (isSpanned ? 1 : 0);
      return [
        h("tr", { class: `al-seat-why ${look}` }, h("th", { colspan }, title, small(note))),
        rows.map((row) =>
          h(
            "tr",
            { class: look },
            h(
              "th",
              { scope: "row", class: "al-seat-step" },
              div("al-item", span("al-number", row.number), span("al-text", row.text)),
            ),
            script(row),
            h("td", {}, count(row.found), small(row.note)),
            row.kept && h("td", { class: "al-seat-kept" }, count(row.kept)),
          ),
        ),
      ];
    }),
    h(
      "tr",
      { class: "al-seat-why" },
      h("th", { scope: "row" }, "Not in the plan, but on a list"),
      h("td"),
      h("td", {}, count(extra), small("check the receipts: the prompt asks for it")),
    ),
  );
};

/** @param {Reply} reply */
const said = ({ opening, list = [], does, end }) => [
  h("p", {}, opening && `“${opening}”`),
  h(
    "ol",
    {},
    list.map(([text, status]) => h("li", {}, status === "completed" ? "✓ " : "", text)),
  ),
  does && muted(`Then: ${does}.`),
  end && muted(end),
];

/** Draw all replies of a model in full. @param {Column} column @param {boolean} open */
const drawColumn = ({ name, note, replies }, open) =>
  h(
    "details",
    { open },
    h("summary", keys, note ? `${name}, ${note}` : name),
    h(
      "ol",
      { class: "al-seat-replies" },
      replies.map((reply) => h("li", {}, said(reply))),
    ),
  );

/** What the reader wrote, as it is: nothing is graded. @param {Model} model */
const yours = (model) => {
  const { given } = stateOf(model);
  /** @type {string[]} */
  const lines = model.get("answer").split("\n");
  return h(
    "section",
    { class: "al-seat-mine" },
    h("h3", {}, given.length > 0 ? "Your list" : "Your message"),
    h(
      "ol",
      {},
      given.map((text) => h("li", { class: "al-note" }, `✓ ${text}`)),
      lines.filter((line) => line.trim()).map((line) => h("li", {}, line)),
    ),
  );
};

/** @param {Model} model */
const comparison = (model) => {
  const { table, columns } = stateOf(model);
  const back = (/** @type {Event} */ event) => {
    const top = elementOf(event).closest(".agentlib");
    set(model, { compared: false });
    focusOn(top?.querySelector("textarea") ?? null);
  };
  return [
    h(
      "h2",
      { class: "al-seat-title", tabindex: -1 },
      table ? "This is the plan that had left the window" : "The same request, other replies",
    ),
    table &&
      muted(
        "Each row is one of its ten steps. A dashed square: the step is not on that list. ",
        "A half-filled one: a part of it is.",
      ),
    div(
      "al-seat-beside",
      yours(model),
      // A narrow page scrolls the table, so the keyboard must reach it.
      table && h("div", { class: "al-scroll", tabindex: 0 }, drawTable(table)),
    ),
    h(
      "ul",
      { class: "al-seat-lessons" },
      table?.lesson.map((sentence) => h("li", {}, emphasised(sentence))),
    ),
    muted(table?.told),
    columns.map((column) => drawColumn(column, !table)),
    button("◀ Back to the window", back),
  ];
};

export default view((model) => {
  const isCompared = model.get("compared");
  return card(
    "Take the model’s seat",
    { class: "al-seat" },
    h(
      "div",
      { hidden: isCompared },
      h("p", { class: "al-seat-lede" }, emphasised(stateOf(model).lede)),
      div("al-seat-ask", request(model), form(model)),
    ),
    h("div", { hidden: !isCompared }, isCompared && comparison(model)),
  );
});
