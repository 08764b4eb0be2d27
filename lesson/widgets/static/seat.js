// The seat: the window of one request, a list to write, and then all replies side by side.

import { drawEdge, drawPlace } from "./column.js";
import { button, card, emphasised, fold, folded, hidden, keys, plural } from "./components.js";
import { b, div, h, h2, h3, ol, p, section, span, ul } from "./dom.js";
import { widgetOf } from "./input.js";
import { squares, stepsDone } from "./todo_list.js";
import { focusOn, set, turn, view } from "./view.js";

/**
 * A message of the window: `heads` are its lines while it is folded, `full` is all of it.
 * @typedef {{ round: number, who: string, text: string, call: string[], heads: string[],
 *   full: string, note: string }} Message
 *
 * A step of the plan, and the `words` that show it in a list; none for whatever else is in a list.
 * The steps are grouped by where else they can be read: those of one group `only` the plan had.
 * There are `lessons` of the replies without the list in the reminder, and of those with it; `counted`
 * is what each have, with the names of counts in braces.
 * @typedef {{ number: number, text: string, words: string[] }} Row
 * @typedef {{ title: string, note: string, only: boolean, rows: Row[] }} Group
 * @typedef {{ groups: Group[], lessons: string[][], counted: string[], search: string,
 *   told: string }} Table
 *
 * The replies of a model; of one that replied once, the `short` name is the heading of its list.
 * @typedef {{ opening: string, list?: [string, string][], does?: string, end?: string }} Reply
 * @typedef {{ name: string, short?: string, note?: string, with_list: boolean,
 *   replies: Reply[] }} Column
 *
 * `listed` says that the reminder shows the list. `removed` is the number of messages that have left
 * the window. `given` are the steps that the window shows as done, and `shown` says so.
 * @typedef {{ lede: string, listed: boolean, round: number, prompt: string[], removed: number,
 *   messages: Message[], system: string, tools: string[], question: string, shown: string,
 *   given: string[],
 *   table: Table | null, columns: Column[] }} State
 */

const LINES = 7;
const TEN = 10; // steps of the plan; the rows after them are not in it

/** @param {Model} model @returns {State} */
const stateOf = (model) => model.get("state");

/** @param {Model} model */
const request = (model) => {
  const { round, prompt, removed, messages, system, tools } = stateOf(model);
  const ghost = drawPlace("removed", { "aria-hidden": "true" }, h("br"));
  return section(
    "",
    h2(`What the model sees in round ${round}`),
    h(
      "ol",
      {},
      place(
        "model",
        "prompt",
        prompt.map((text, n) => p({ class: n + 1 < prompt.length ? "al-pre" : "" }, text)),
      ),
      [ghost, ghost],
      drawEdge(`${plural(removed, "message")} removed`),
      messages.map(message),
      drawPlace("work", { class: "al-seat-next" }, `round ${round}: the next message is yours`),
    ),
    folded(
      `Also sent in every round: the system prompt and ${tools.length} tools`,
      muted(system),
      muted(`Tools: ${tools.join(", ")}.`),
    ),
  );
};

/** @param {...Child} words */
const muted = (...words) => p("al-note", words);

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
    call.length > 0 && h("code", { class: "al-seat-call" }, call[0], " ", b(call[1])),
    full && (part === full ? h("pre", { class: "al-pre" }, full) : fold(part, full)),
    note && p("al-seat-note", "▼\u00a0", note),
  );
};

/** @param {Model} model */
const form = (model) => {
  const { given, shown, question } = stateOf(model);
  const isList = given.length > 0;
  const lines = Math.max(LINES, model.get("answer").split("\n").length);
  return section(
    "al-seat-yours",
    h2(isList ? "Your list" : "Your message"),
    isList && [
      p("", shown),
      ol(
        "al-seat-given",
        given.map((text) => `✓ ${text}`),
      ),
    ],
    div(
      "al-seat-bar",
      h(
        "label",
        {},
        b(question, " "),
        isList && span("al-note", "One step per line."),
        h("textarea", {
          ...keys,
          rows: lines,
          spellcheck: "false",
          oninput: (/** @type {Event} */ event) =>
            model.set("answer", /** @type {HTMLTextAreaElement} */ (event.target).value),
          onkeydown: (/** @type {KeyboardEvent} */ event) => event.stopPropagation(),
        }),
      ),
      button("Compare", turn(model, ".al-seat-title", { compared: true }), { class: "al-main" }),
    ),
    muted(`${isList ? "Leave a line empty if you cannot know. " : ""}Nothing is graded.`),
  );
};

/** Return how much of a step some lines have: x for all of it, p for a part, else a dot.
 * @param {Row} row @param {string[]} lines */
const letterOf = ({ words }, lines) => {
  const found = words.filter((word) => lines.some((line) => new RegExp(word, "i").test(line)));
  return found.length === 0 ? "." : found.length < words.length ? "p" : "x";
};

/** Return the lines that stand in a row: those that fit it, and in a row without words, those that
 * fit no row. The rows of the `given` steps are not searched.
 * @param {Row[]} rows @param {Row} row @param {string[]} lines @param {number} [given] */
const linesIn = (rows, row, lines, given = 0) => {
  const fits = (/** @type {Row} */ one, /** @type {string} */ line) =>
    one.number > given && letterOf(one, [line]) !== ".";
  const isOther = row.words.length === 0;
  return lines.filter((line) => (isOther ? !rows.some((one) => fits(one, line)) : fits(row, line)));
};

/** Return how much of a row a reply has. @param {Row[]} rows @param {Row} row @param {Reply} reply */
const letterIn = (rows, row, { list = [] }) => {
  const lines = list.map(([text]) => text);
  if (row.words.length > 0) return letterOf(row, lines);
  return linesIn(rows, row, lines).length > 0 ? "x" : ".";
};

/** @type {Record<string, string>} */
const AMOUNTS = { x: "all of it", p: "a part of it", ".": "no" };

/** @param {string} letter */
const mark = (letter) => [squares(letter), hidden(AMOUNTS[letter])];

/** @param {Model} model @returns {string[]} */
const linesOf = (model) => {
  /** @type {string[]} */
  const lines = model.get("answer").split("\n");
  return [...new Set(lines.map((line) => line.trim()).filter(Boolean))];
};

/** Return the lines that no press has moved. @param {Model} model */
const unmoved = (model) => linesOf(model).filter((line) => !(line in model.get("moved")));

/** Pick a line of the reader's up, or put it into the row of a number.
 * @param {Model} model @param {string} line @param {number} [number] */
const move = (model, line, number) => (/** @type {Event} */ event) => {
  const widget = widgetOf(event);
  const moved = model.get("moved");
  const picked = number || model.get("picked") === line ? "" : line;
  set(model, { picked, moved: number ? { ...moved, [line]: number } : moved });
  focusOn(widget.querySelector(`[data-line="${CSS.escape(line)}"]`));
};

/** Return the reader's lines in a row: those that the search finds, and those that were moved there.
 * @param {Model} model @param {Row[]} rows @param {Row} row */
const mineIn = (model, rows, row) => [
  ...linesIn(rows, row, unmoved(model), stateOf(model).given.length),
  ...linesOf(model).filter((line) => model.get("moved")[line] === row.number),
];

/** Return whether the line that is picked up can be put into a row.
 * @param {Model} model @param {Row[]} rows @param {Row} row */
const takes = (model, rows, row) => {
  const picked = model.get("picked");
  const isGiven = row.number <= stateOf(model).given.length;
  return picked !== "" && !isGiven && !mineIn(model, rows, row).includes(picked);
};

/** Draw the reader's cell of a row. @param {Model} model @param {Row[]} rows @param {Row} row */
const drawMine = (model, rows, row) => {
  if (row.number <= stateOf(model).given.length) return span("al-note", "✓ given");
  const [picked, moved] = [model.get("picked"), model.get("moved")];
  const mine = mineIn(model, rows, row);
  const isFound = row.words.length > 0 && mine.some((line) => !moved[line]);
  return [
    isFound && mark(letterOf(row, unmoved(model))),
    mine.length === 0 && hidden("not on your list"),
    mine.map((line) =>
      button(line, move(model, line), {
        class: moved[line] && "al-seat-moved",
        "data-line": line,
        "aria-pressed": String(picked === line),
        title: moved[line] && "You have put it here",
      }),
    ),
    // For the keyboard: its row has the handler, because a click anywhere in the row is the same.
    takes(model, rows, row) &&
      button("here", () => {}, {
        class: "al-seat-here",
        "aria-label": `here: put “${picked}” into the row “${row.text}”`,
      }),
  ];
};

/** Return the replies that are compared, the script's first. `marks` has the letter of each row of the
 * table by its number.
 * @param {Model} model @param {Row[]} rows */
const listsOf = (model, rows) =>
  stateOf(model)
    .columns.filter((column) => column.with_list === model.get("with_list"))
    .flatMap(({ name, short, replies }) =>
      replies.map((reply, n) => ({
        name,
        label: short ?? String(n + 1),
        words: short ? name : `${name}, reply ${n + 1}`,
        reply,
        marks: Object.fromEntries(rows.map((row) => [row.number, letterIn(rows, row, reply)])),
      })),
    );
/** @typedef {ReturnType<typeof listsOf>[number]} List */

/** Draw the steps of the plan, and which list has each. The roles are given because a narrow page
 * draws the rows as grids.
 * @param {Model} model @param {Group[]} groups @param {List[]} lists */
const drawTable = (model, groups, lists) => {
  const { listed } = stateOf(model);
  const rows = rowsOf(groups);
  const claude = lists.filter(isClaude);
  const lookAt = (/** @type {number} */ n) =>
    `al-seat-mark ${n === model.get("read") ? "al-seat-read" : ""}`;
  const head = (/** @type {string} */ look, /** @type {Child[]} */ ...words) =>
    h("th", { role: "columnheader", scope: "col", class: look }, words);
  const cell = (/** @type {string} */ look, /** @type {Child} */ content) =>
    h("td", { role: "cell", class: look }, content);
  const line = (/** @type {Record<string, any>} */ props, /** @type {Child[]} */ ...cells) =>
    h("tr", { role: "row", ...props }, cells);
  return h(
    "table",
    { role: "table", class: "al-table al-seat-table", style: `--lists: ${lists.length - 1}` },
    line(
      { class: "al-seat-head" },
      head("", "The plan"),
      head("al-seat-you", "You", span("al-note", listed ? " with the list" : " without the list")),
      lists.map(({ name, label, words }, n) =>
        head(
          lookAt(n),
          label === "1" && h("b", { "aria-hidden": "true" }, name),
          button(label, () => set(model, { read: n }), {
            "aria-pressed": String(n === model.get("read")),
            "aria-label": words,
          }),
        ),
      ),
      head("al-seat-sum", "all of it"),
    ),
    groups.map(({ title, note, only, rows: steps }) => [
      line(
        { class: ["al-seat-why", only && "al-seat-only"] },
        h("th", { role: "rowheader", colspan: lists.length + 3 }, title, span("al-note", note)),
      ),
      steps.map((row) =>
        line(
          {
            class: [only && "al-seat-only", takes(model, rows, row) && "al-seat-takes"],
            onclick: takes(model, rows, row) && move(model, model.get("picked"), row.number),
          },
          h(
            "th",
            { role: "rowheader", scope: "row" },
            span("al-number", row.number <= TEN && row.number),
            span("", row.text),
          ),
          cell("al-seat-you", drawMine(model, rows, row)),
          lists.map(({ marks }, n) => cell(lookAt(n), mark(marks[row.number]))),
          cell("al-seat-sum", `${stepsDone(lettersIn(claude, [row]))} of ${claude.length}`),
        ),
      ),
    ]),
  );
};

/** @param {Group[]} groups */
const rowsOf = (groups) => groups.flatMap(({ rows }) => rows);

/** @param {List} list */
const isClaude = ({ name }) => name === "Claude";

/** @param {List[]} lists @param {Row[]} rows */
const lettersIn = (lists, rows) =>
  lists.flatMap(({ marks }) => rows.map(({ number }) => marks[number])).join("");

/** Return in how many steps these letters have a part. @param {string} letters */
const partsIn = (letters) => letters.split("p").length - 1;

/** Say what the reader's lines have of the steps that were left, and of those of only the plan; then
 * what the script's list and Claude's have.
 * @param {Model} model @param {Table} table @param {List[]} lists */
const result = (model, { groups, counted }, [script, ...others]) => {
  const plan = rowsOf(groups).filter(({ number }) => number <= TEN);
  const left = plan.filter(({ number }) => number > stateOf(model).given.length);
  const only = rowsOf(groups.filter((group) => group.only));
  const moved = linesOf(model).map((line) => model.get("moved")[line]);
  const put = moved.filter((number) => number <= TEN).length;
  const mine = (/** @type {Row[]} */ rows) => {
    const letters = rows
      .map((row) => (moved.includes(row.number) ? "x" : letterOf(row, unmoved(model))))
      .join("");
    return [b(stepsDone(letters)), partsIn(letters) > 0 && ` and a part of ${partsIn(letters)}`];
  };
  const claude = others.filter(isClaude);
  const letters = lettersIn(claude, only);
  /** @type {Record<string, number>} */
  const counts = {
    only: only.length,
    script: stepsDone(lettersIn([script], only)),
    count: claude.length,
    all: letters.length,
    done: stepsDone(letters),
    parts: partsIn(letters),
    whole: claude.filter((list) => stepsDone(lettersIn([list], plan)) === TEN).length,
  };
  const words = counted[Number(model.get("with_list"))];
  return [
    `Of the ${left.length} steps that were left, you have `,
    mine(left),
    put > 0 && `, with ${plural(put, "line")} that you have put into a row`,
    `; of the ${only.length} that only the plan had, `,
    mine(only),
    ". ",
    emphasised(words.replace(/\{(\w+)\}/g, (_, name) => `${counts[name]}`)),
  ];
};

/** @param {Reply} reply */
const said = ({ opening, list = [], does, end }) => [
  p("", opening && `“${opening}”`),
  ol(
    "",
    list.map(([text, status]) => [status === "completed" && "✓ ", text]),
  ),
  does && muted(`Then: ${does}.`),
  end && muted(end),
];

/** Draw all replies of a model in full. @param {Column} column */
const drawColumn = ({ name, note, replies }) =>
  h(
    "details",
    { open: true },
    h("summary", keys, note ? `${name}, ${note}` : name),
    ol("al-seat-replies", replies.map(said)),
  );

/** Draw all replies in full, and what the reader wrote as it is: nothing is graded.
 * @param {Model} model */
const drawReplies = (model) => {
  const mine = linesOf(model).map((line) => p("", line));
  return [
    mine.length > 0 && div("al-aside al-seat-say", h3("Your message"), mine),
    stateOf(model).columns.map(drawColumn),
  ];
};

/** @param {Model} model @param {Table} table */
const drawLists = (model, table) => {
  const withList = model.get("with_list");
  const { groups, lessons, search, told } = table;
  const lists = listsOf(model, rowsOf(groups));
  const { words, reply } = lists[model.get("read")];
  return [
    div(
      "al-transport al-seat-sums",
      button(
        "▼ Show the list in the reminder",
        () => set(model, { with_list: !withList, read: 0 }),
        { class: "al-seat-switch", "aria-pressed": String(withList) },
      ),
      p({ role: "status" }, result(model, table, lists)),
    ),
    div(
      "al-legend",
      span("", squares("x"), "all of the step"),
      span("", squares("p"), "a part of it: docstrings but no types, “tidy” for “split”"),
      span("", squares("."), "not on this list"),
    ),
    muted(
      search,
      linesOf(model).length > 0 &&
        "Does a line of yours stand in a wrong row? Press it, then press the right row.",
    ),
    div("al-scroll", drawTable(model, groups, lists)),
    div("al-aside al-seat-say", h3(words), said(reply)),
    ul("al-seat-lessons", lessons[Number(withList)].map(emphasised)),
    !withList && muted(told),
  ];
};

/** @param {Model} model */
const comparison = (model) => {
  const { table } = stateOf(model);
  return [
    h(
      "h2",
      { class: "al-seat-title", tabindex: -1 },
      table ? "This is the plan that had left the window" : "The same request, other replies",
    ),
    table ? drawLists(model, table) : drawReplies(model),
    button("◀ Back to the window", turn(model, "textarea", { compared: false })),
  ];
};

export default view((model) => {
  const isCompared = model.get("compared");
  return card(
    "Take the model’s seat",
    { class: "al-seat" },
    div(
      { hidden: isCompared },
      p("al-seat-lede", emphasised(stateOf(model).lede)),
      div("al-seat-ask", request(model), form(model)),
    ),
    div({ hidden: !isCompared }, isCompared && comparison(model)),
  );
});
