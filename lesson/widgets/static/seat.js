// The seat: the window of one request, a list to write, and then all replies side by side.

import { drawEdge, drawPlace } from "./column.js";
import { button, card, emphasised, fold, folded, hidden, keys, plural } from "./components.js";
import { b, div, h, h2, h3, ol, p, section, span } from "./dom.js";
import { squares, stepsDone } from "./todo_list.js";
import { set, turn, view } from "./view.js";

/**
 * A message of the window: `heads` are its lines while it is folded, `full` is all of it.
 * @typedef {{ round: number, who: string, text: string, call: string[], heads: string[],
 *   full: string, note: string }} Message
 *
 * A step of the plan, and the `words` that show it in a list. The steps are in two groups: those that
 * `only` the plan had, and those that can still be `seen`. `checks` finds a line that is in no step.
 * @typedef {{ number: number, text: string, words: string[] }} Row
 * @typedef {{ only: Row[], seen: Row[], checks: string, title: string[],
 *   conditions: string[] }} Table
 *
 * The replies of a model; of one that replied once, the `short` name is the heading of its list.
 * @typedef {{ opening: string, list?: [string, string][], does?: string, end?: string }} Reply
 * @typedef {{ name: string, short?: string, with_list: boolean, replies: Reply[] }} Column
 *
 * `removed` is the number of messages that have left the window. `given` are the steps that the window
 * shows as done.
 * @typedef {{ lede: string, round: number, prompt: string[], removed: number, messages: Message[],
 *   system: string, tools: string[], given: string[], table: Table, columns: Column[] }} State
 */

const LINES = 7;

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
      { class: "al-seat-window" },
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
  const lines = Math.max(LINES, model.get("answer").split("\n").length);
  return section(
    "al-seat-yours",
    h2("Your list"),
    p("", "The prompt says ten steps. The window shows that three are done."),
    ol(
      "al-seat-given",
      stateOf(model).given.map((text) => `✓ ${text}`),
    ),
    div(
      "al-seat-bar",
      h(
        "label",
        {},
        b("What is left? "),
        span("al-note", "One step per line."),
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
    muted("Leave a line empty if you cannot know. Nothing is graded."),
  );
};

/** Return how much of a step some lines have: x for all of it, p for a part, else a dot.
 * @param {Row} row @param {string[]} lines */
const letterOf = ({ words }, lines) => {
  const found = words.filter((word) => lines.some((line) => has(word, line)));
  return found.length === 0 ? "." : found.length < words.length ? "p" : "x";
};

/** @param {string} word a pattern @param {string} line */
const has = (word, line) => new RegExp(word, "i").test(line);

/** @type {Record<string, string>} */
const AMOUNTS = { x: "all of it", p: "a part of it", ".": "no" };

/** @param {string} letter */
const mark = (letter) => [squares(letter), hidden(AMOUNTS[letter])];

/** @param {Model} model @returns {string[]} */
const linesOf = (model) => {
  /** @type {string[]} */
  const lines = model.get("answer").split("\n");
  return lines.map((line) => line.trim()).filter(Boolean);
};

/** Return how much of a step the reader's list has: what the search finds, or what they say.
 * @param {Model} model @param {Row} row @returns {string} */
const mine = (model, row) => model.get("marks")[row.number] ?? letterOf(row, linesOf(model));

/** Draw the reader's cell of a row. @param {Model} model @param {Row} row */
const drawMine = (model, row) => {
  if (row.number <= stateOf(model).given.length) return ["✓", hidden("given")];
  const letter = mine(model, row);
  const marks = { ...model.get("marks"), [row.number]: letter === "x" ? "." : "x" };
  return button(mark(letter), () => set(model, { marks }), {
    title: "Press it if the search is wrong about your list",
  });
};

/** Return the replies that are compared, the script's first. @param {Model} model */
const listsOf = (model) =>
  stateOf(model)
    .columns.filter(({ with_list }) => with_list === model.get("with_list"))
    .filter(({ short }) => short || isClaudeShown(model))
    .flatMap(({ name, short, replies }) =>
      replies.map((reply, n) => ({
        isClaude: !short,
        label: short ?? String(n + 1),
        words: short ? name : `${name}, reply ${n + 1}`,
        reply,
        lines: (reply.list ?? []).map(([text]) => text),
      })),
    );
/** @typedef {ReturnType<typeof listsOf>[number]} List */

/** @param {Model} model @returns {boolean} */
const isClaudeShown = (model) => model.get("claude") || model.get("with_list");

/** Draw some steps of the plan, and which list has each. The roles are given because a narrow page draws
 * the rows as grids.
 * @param {Model} model @param {Row[]} rows @param {List[]} lists @param {string} [title] */
const drawTable = (model, rows, lists, title = "") => {
  const claude = lists.filter(({ isClaude }) => isClaude);
  const lookAt = (/** @type {number} */ n) =>
    `al-seat-mark ${n === model.get("read") ? "al-seat-read" : ""}`;
  const head = (/** @type {string} */ look, /** @type {Child[]} */ ...words) =>
    h("th", { role: "columnheader", scope: "col", class: look }, words);
  const cell = (/** @type {string} */ look, /** @type {Child} */ content) =>
    h("td", { role: "cell", class: look }, content);
  return h(
    "table",
    {
      role: "table",
      class: ["al-table al-seat-table", title && "al-seat-only"],
      style: `--lists: ${Math.max(lists.length - 1, 1)}`, // `repeat(0, …)` is no valid CSS
    },
    h(
      "tr",
      { role: "row", class: "al-seat-head" },
      head("", title),
      head("al-seat-you", "You"),
      lists.map(({ isClaude, label, words }, n) =>
        head(
          [lookAt(n), isClaude ? "" : "al-seat-wide"].join(" "),
          label === "1" && h("b", { "aria-hidden": "true" }, "Claude"),
          button(label, () => set(model, { read: n }), {
            "aria-pressed": String(n === model.get("read")),
            "aria-label": words,
          }),
        ),
      ),
      claude.length > 0 && head("al-seat-sum", "all of it"),
    ),
    rows.map((row) => {
      const letters = lists.map(({ lines }) => letterOf(row, lines));
      const done = claude.filter(({ lines }) => letterOf(row, lines) === "x").length;
      return h(
        "tr",
        { role: "row" },
        h("th", { role: "rowheader", scope: "row" }, row.text),
        cell("al-seat-you", drawMine(model, row)),
        letters.map((letter, n) => cell(lookAt(n), mark(letter))),
        claude.length > 0 && cell("al-seat-sum", `${done} of ${claude.length}`),
      );
    }),
  );
};

/** Say how many of the steps that only the plan had are in the reader's list, the script's and Claude's.
 * @param {Model} model @param {Table} table @param {List[]} lists */
const result = (model, { only, seen }, [script, ...others]) => {
  const claude = others.filter(({ isClaude }) => isClaude);
  const count = (/** @type {List} */ { lines }, /** @type {Row[]} */ rows) =>
    stepsDone(rows.map((row) => letterOf(row, lines)).join(""));
  if (model.get("with_list")) {
    const plan = [...only, ...seen];
    const whole = claude.filter((list) => count(list, plan) === plan.length).length;
    return [
      b(`Now the script writes ${count(script, plan)} of ${plan.length} steps again`),
      `, and ${whole} of ${claude.length} replies of Claude have all of them. The list was in `,
      "sight, so this measures copying, and for a lost plan copying is enough.",
    ];
  }
  const letters = only.map((row) => mine(model, row)).join("");
  const parts = letters.split("p").length - 1;
  const some = claude.filter((list) => count(list, only) > 0).length;
  return [
    linesOf(model).length > 0 && [
      b(`You wrote ${stepsDone(letters) || "none"} of the ${only.length} again`),
      parts > 0 && `, and a part of ${parts}`,
      ". ",
    ],
    `The script wrote ${count(script, only) || "none"}.`,
    claude.length > 0 &&
      ` Of Claude’s ${claude.length} lists, ${some || "none"} have one of the ${only.length}.`,
  ];
};

/** @param {List} list */
const said = ({ words, reply: { opening, list = [], does, end } }) =>
  div(
    "al-aside al-seat-say",
    h3(words),
    p("", opening && `“${opening}”`),
    ol(
      "",
      list.map(([text, status]) => [status === "completed" && "✓ ", text]),
    ),
    does && muted(`Then: ${does}.`),
    end && muted(end),
  );

/** Return the reader's lines that are about no step of the plan. @param {Model} model */
const otherLines = (model) => {
  const { only, seen, checks } = stateOf(model).table;
  const words = [...only, ...seen].flatMap((row) => row.words).concat(checks);
  return linesOf(model).filter((line) => !words.some((word) => has(word, line)));
};

/** @param {Model} model */
const comparison = (model) => {
  const { table } = stateOf(model);
  const [withList, claude, lists] = [model.get("with_list"), isClaudeShown(model), listsOf(model)];
  const others = otherLines(model);
  return [
    h(
      "h2",
      { class: "al-seat-title", tabindex: -1 },
      table.title.map((line) => span("", line)),
    ),
    p({ role: "status" }, result(model, table, lists)),
    div("al-scroll", drawTable(model, table.only, lists, "Only the plan had it")),
    folded(
      `The other ${table.seen.length}, which the prompt or the window still shows`,
      div("al-scroll", drawTable(model, table.seen, lists)),
    ),
    others.length > 0 && muted(`Yours, and in no step of the plan: ${others.join("; ")}.`),
    div(
      "al-legend",
      ["x", "p", "."].map((letter) => span("", squares(letter), AMOUNTS[letter])),
      span("", "A search for a few words decides. Is it wrong about your list? Press your square."),
    ),
    div(
      "al-transport",
      button(
        "▼ Show the list in the reminder",
        () => set(model, { with_list: !withList, read: 0 }),
        { class: "al-seat-switch", "aria-pressed": String(withList) },
      ),
      !withList &&
        button("Compare with Claude", () => set(model, { claude: !claude, read: 0 }), {
          "aria-pressed": String(claude),
        }),
      button("◀ Back to the window", turn(model, "textarea", { compared: false })),
    ),
    claude && muted(table.conditions[Number(withList)]),
    said(lists[Math.min(model.get("read"), lists.length - 1)]),
  ];
};

export default view((model) => {
  const isCompared = model.get("compared");
  return card(
    "Take the model’s seat",
    { class: "al-seat", model },
    div(
      { hidden: isCompared },
      p("al-seat-lede", emphasised(stateOf(model).lede)),
      div("al-seat-ask", form(model), request(model)),
    ),
    div({ hidden: !isCompared }, isCompared && comparison(model)),
  );
});
