// The seat: the window of one request, a list to write, and then all lists side by side.

import { drawEdge, drawPlace } from "./column.js";
import { button, card, emphasised, fold, hidden, keys, plural } from "./components.js";
import { div, h, span } from "./dom.js";
import { elementOf } from "./keyboard.js";
import { squares } from "./todo_list.js";
import { focusOn, set, view } from "./view.js";

/**
 * A message of the window: `heads` are its lines while it is folded, `full` is all of it.
 * @typedef {{ round: number, who: string, text: string, call: string[], heads: string[],
 *   full: string, note: string }} Message
 *
 * A step of the plan: `found` has a letter for each recorded list (x: it has all of the step, p: a
 * part), `kept` for each of those whose reminder showed the list; `own` is the same as a number.
 * @typedef {{ number: number, text: string, named: string, whole: string, found: string,
 *   note: string, kept: string, own: number }} Row
 *
 * The steps, grouped by where else they can be read; `rest` describes the script's step for all
 * that are not done, and `extra` are the recorded lists with a step that is not in the plan.
 * `own` is the name of your model, if it was asked.
 * @typedef {{ title: string, note: string, rows: Row[] }} Group
 * @typedef {{ own: string, headings: string[][], groups: Group[], rest: string, extra: string,
 *   missing: string, lesson: string[], told: string }} Table
 *
 * The replies of a model.
 * @typedef {{ opening: string, list?: [string, string][], does?: string, end?: string }} Reply
 * @typedef {{ name: string, note?: string, replies: Reply[] }} Column
 *
 * `removed` is the number of messages that have left the window; `lost` is said of them once the
 * lists have been compared. `given` are the steps that the window shows as done.
 * @typedef {{ lede: string, round: number, prompt: string[], removed: number, lost: string,
 *   messages: Message[], system: string, tools: string[], question: string, given: string[],
 *   table: Table | null, columns: Column[] }} State
 *
 * A line that the reader wrote, and the steps that it names.
 * @typedef {{ text: string, at: number[] }} Line
 */

const LINES = 7;
const NONE = 0; // what a line names that names no step

/** @param {Model} model @returns {State} */
const stateOf = (model) => model.get("state");

/** @param {Model} model */
const stepsOf = (model) => stateOf(model).table?.groups.flatMap(({ rows }) => rows) ?? [];

/** Return the reader's lines, each with the steps that it names, or the one it was moved to.
 * @param {Model} model @returns {Line[]} */
const linesOf = (model) => {
  const moved = model.get("moved");
  return model
    .get("answer")
    .split("\n")
    .map((/** @type {string} */ line) => line.trim().replace(/^([-*•]|\d+[.)])\s*/, ""))
    .filter(Boolean)
    .map((/** @type {string} */ text) => {
      const named = stepsOf(model).filter((row) => new RegExp(row.named).test(text.toLowerCase()));
      const at = text in moved ? [moved[text]] : named.map(({ number }) => number);
      return { text, at: at.length > 0 ? at : [NONE] };
    });
};

/** @param {Model} model */
const request = (model) => {
  const { round, prompt, removed, lost, messages, system, tools } = stateOf(model);
  const isKnown = model.get("known") && lost;
  const ghost = drawPlace(isKnown ? "ghost" : "removed", { "aria-hidden": "true" }, h("br"));
  return h(
    "section",
    {},
    div(
      "al-head",
      h("h3", {}, `What the model sees in round ${round}`),
      button("show every line", unfoldAll, { class: "al-button al-switch" }),
    ),
    h(
      "ol",
      {},
      place(
        "model",
        "prompt",
        prompt.map((text, n) => h("p", { class: n + 1 < prompt.length ? "al-pre" : "" }, text)),
      ),
      [ghost, ghost],
      drawEdge(isKnown ? lost : `${plural(removed, "message")} removed`),
      messages.map(message),
      drawPlace("work", { class: "al-seat-next" }, `round ${round}: the next message is yours`),
    ),
    opened(
      `Also sent in every round: the system prompt and ${tools.length} tools`,
      muted(system),
      muted(`Tools: ${tools.join(", ")}.`),
    ),
  );
};

/** @param {...Child} words */
const muted = (...words) => h("p", { class: "al-note" }, words);

/** @param {string} summary @param {...Child} content */
const opened = (summary, ...content) => h("details", {}, h("summary", keys, summary), content);

/** @param {Event} event */
const unfoldAll = (event) => {
  const folds = elementOf(event).closest("section")?.querySelectorAll("ol details") ?? [];
  const all = /** @type {HTMLDetailsElement[]} */ ([...folds]);
  const open = all.some((fold) => !fold.open);
  for (const fold of all) fold.open = open;
};

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
    note && h("p", { class: "al-seat-note" }, "▼ ", note),
  );
};

/** Show the comparison, with the focus on its title. @param {Model} model @param {Element} inside */
const compare = (model, inside) => {
  const top = inside.closest(".agentlib");
  set(model, { compared: true, known: true });
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
    h("h3", {}, isList ? "Your list" : "Your message"),
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
      div(
        "al-seat-pad",
        isList &&
          h(
            "span",
            { "aria-hidden": "true" },
            Array.from({ length: lines }, (_, n) => div("", given.length + 1 + n)),
          ),
        h("textarea", {
          ...keys,
          rows: lines,
          spellcheck: "false",
          oninput: (/** @type {Event} */ event) =>
            model.set("answer", /** @type {HTMLTextAreaElement} */ (event.target).value),
          onkeydown: (/** @type {KeyboardEvent} */ event) => {
            event.stopPropagation();
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey))
              compare(model, elementOf(event));
          },
        }),
      ),
    ),
    button("Compare", (event) => compare(model, elementOf(event)), { class: "al-button al-main" }),
    muted(`${isList ? "Leave a line empty if you cannot know. " : ""}Nothing is graded.`),
  );
};

/** @param {string} letters */
const count = (letters) => [
  squares(letters),
  ` ${letters.split("x").length - 1} of ${letters.length}`,
];

/** Draw what the reader wrote for a step: all of it, a part, or nothing.
 * @param {Model} model @param {Line[]} lines @param {Row} step */
const yours = (model, lines, { number, whole }) => {
  const mine = lines.filter(({ at }) => at.includes(number));
  if (number <= stateOf(model).given.length) return span("al-note", "✓ done");
  if (mine.length === 0) return div("al-seat-hole", hidden("not on your list"));
  const words = mine.map(({ text }) => text.toLowerCase()).join(" ");
  const isMoved = mine.some(({ text }) => text in model.get("moved"));
  const isWhole = isMoved || new RegExp(whole).test(words);
  return mine.map((line) => written(model, line, isWhole));
};

/** @param {Model} model @param {Line} line @param {boolean} isWhole */
const written = (model, { text, at }, isWhole) =>
  div(
    "al-item al-in_progress",
    squares(isWhole ? "x" : "p"),
    span("al-text", text, !isWhole && hidden(" (a part of the step)")),
    model.get("moving") && mover(model, text, at[0]),
  );

/** Draw the choice of the step that a line names.
 * @param {Model} model @param {string} text @param {number} at */
const mover = (model, text, at) => {
  const names = ["none of these", ...stepsOf(model).map((_, n) => `step ${n + 1}`)];
  return h(
    "select",
    {
      ...keys,
      "aria-label": `Step of “${text}”`,
      value: names[at],
      onchange: (/** @type {Event} */ event) => {
        const { selectedIndex } = /** @type {HTMLSelectElement} */ (event.target);
        set(model, { moved: { ...model.get("moved"), [text]: selectedIndex } });
      },
    },
    names.map((name) => h("option", {}, name)),
  );
};

/** @param {string} look @param {...Child} cells */
const tr = (look, ...cells) => h("tr", { class: look, role: "row" }, cells);

/** @param {"rowheader" | "columnheader"} role @param {Record<string, any>} props
 * @param {...Child} content */
const th = (role, props, ...content) => h("th", { ...props, role }, content);

/** Draw a cell. In a narrow page `who` is written before it, and a cell without is left out.
 * @param {Record<string, any>} props @param {string} who @param {...Child} content */
const td = (props, who, ...content) =>
  h("td", { ...props, role: "cell", "data-who": who || null }, h("div", {}, content));

/** @param {string} words */
const small = (words) => h("small", {}, words);

const OWN = ["—", "a part", "✓"];

/** @param {Model} model @param {Table} table */
const drawTable = (model, { headings, groups, rest, extra, own }) => {
  const { given } = stateOf(model);
  const [lines, steps] = [linesOf(model), stepsOf(model)];
  const others = lines.filter(({ at }) => at.includes(NONE));
  // The script's list has the given steps, and one for all others.
  const all = { class: "al-seat-all", rowspan: steps.length - given.length + groups.length - 1 };
  const script = (/** @type {number} */ number) => {
    if (number <= given.length) return td({}, "", "✓ done");
    if (number !== steps[given.length].number) return null;
    return td(all, "script", h("b", {}, "“Finish the rest”"), small(rest));
  };
  const step = (/** @type {Row} */ row) => [
    th(
      "rowheader",
      { class: "al-seat-step" },
      div("al-item", span("al-number", row.number), span("al-text", row.text)),
    ),
    td({}, "you", yours(model, lines, row)),
    script(row.number),
    td({}, "Claude", count(row.found), small(row.note)),
    td({ class: "al-seat-kept" }, "", count(row.kept)),
    own && td({}, "your model", OWN[row.own]),
  ];
  return h(
    "table",
    { role: "table" },
    tr(
      "al-seat-head",
      headings.map(([title, note]) => th("columnheader", {}, title, small(note))),
    ),
    groups.map(({ title, note, rows }, n) => {
      const look = n === groups.length - 1 ? "al-seat-lost" : "";
      return [
        tr(`al-seat-why ${look}`, th("rowheader", { colspan: 2 }, title, small(note))),
        rows.map((row) => tr(look, step(row))),
      ];
    }),
    tr(
      "al-seat-why",
      th("rowheader", {}, "Not in the plan, but on a list"),
      td(
        {},
        others.length > 0 ? "you" : "",
        others.map((line) => written(model, line, true)),
      ),
      td({}, ""),
      td({}, "Claude", count(extra), small("check the receipts: the prompt asks for it")),
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

/** Draw the title of a column, and its content.
 * @param {Column} column @returns {[string, Child]} */
const drawColumn = ({ name, note, replies }) => [
  note ? `${name}, ${note}` : name,
  h(
    "ol",
    { class: "al-seat-replies" },
    replies.map((reply) => h("li", {}, said(reply))),
  ),
];

/** All replies in full, for a request that has no table. @param {Model} model */
const drawColumns = (model) => {
  const answer = h("p", { class: "al-pre" }, model.get("answer") || "Nothing.");
  const columns = [["You", answer], ...stateOf(model).columns.map(drawColumn)];
  return div(
    "al-seat-columns",
    columns.map(([title, content]) => h("section", {}, h("h3", {}, title), content)),
  );
};

/** @param {Model} model @param {Table} table */
const lesson = (model, table) => [
  muted(
    "Each row is one of its ten steps. A dashed field: the step is not on that list. ",
    "A half-filled one: a part of it is.",
  ),
  drawTable(model, table),
  h(
    "ul",
    { class: "al-seat-columns" },
    table.lesson.map((sentence) => h("li", {}, emphasised(sentence))),
  ),
  muted(table.told),
  stateOf(model).columns.map((column) => opened(...drawColumn(column))),
];

/** @param {Model} model */
const comparison = (model) => {
  const { table } = stateOf(model);
  return [
    h(
      "h3",
      { class: "al-seat-title", tabindex: -1 },
      table ? "This is the plan that had left the window" : "The same request, other replies",
    ),
    table ? lesson(model, table) : drawColumns(model),
    div(
      "al-transport",
      button("◀ Back to the window", (event) => {
        const top = elementOf(event).closest(".agentlib");
        set(model, { compared: false });
        focusOn(top?.querySelector("textarea") ?? null);
      }),
      table &&
        button("move a line of yours", () => model.set("moving", !model.get("moving")), {
          "aria-pressed": model.get("moving") ? "true" : "false",
        }),
    ),
  ];
};

/** Return the announcement for screen readers after Compare. @param {Model} model */
const announced = (model) => {
  const { table, given } = stateOf(model);
  if (!table) return "The replies are shown.";
  const named = linesOf(model).flatMap(({ at }) => at);
  const steps = stepsOf(model).map(({ number }) => number);
  const open = steps.filter((number) => number > given.length).toSorted((a, b) => a - b);
  const numbers = (/** @type {boolean} */ isWanted) =>
    open.filter((number) => named.includes(number) === isWanted).join(", ") || "none";
  return `The plan is beside your list. Open steps on your list: ${numbers(true)}.
    Not on it: ${numbers(false)}. ${table.missing}`;
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
    h("p", { class: "al-hidden", role: "status" }, isCompared && announced(model)),
  );
});
