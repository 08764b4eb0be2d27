// The seat: the window of one request, a list to write, and then the lost plan beside the window.

import { drawPlace } from "./column.js";
import { button, card, emphasised, fold, folded, hidden, keys, plural } from "./components.js";
import { b, div, h, h2, h3, li, ol, p, section, span, svg } from "./dom.js";
import { tape, windowFrame } from "./tape.js";
import { squares, stepsDone } from "./todo_list.js";
import { set, turn, view } from "./view.js";

/**
 * A message of the window: `heads` are its lines while it is folded, `full` is all of it.
 * @typedef {{ round: number, who: string, text: string, call: string[], heads: string[],
 *   full: string, note: string }} Message
 *
 * A step of the plan, the `words` that show it in a list, and the `place` in the window that still
 * shows it; "" if only the plan had it. `checks` finds a line that is in no step.
 * @typedef {{ number: number, text: string, words: string[], place: string }} Row
 * @typedef {{ steps: Row[], checks: string, titles: string[][], conditions: string[] }} Table
 *
 * A line of the window in short, and the words in it that show a step.
 * @typedef {{ place: string, text: string, words: string[] }} Line
 *
 * The replies of a model; of one that replied once, the `short` name is the heading of its list.
 * @typedef {{ opening: string, list?: [string, string][], does?: string, end?: string }} Reply
 * @typedef {{ name: string, short?: string, with_list: boolean, replies: Reply[] }} Column
 *
 * `cells` has a letter for each round so far, see tape.js, and `removed` is the number of messages that
 * have left the window. `given` are the steps that the window shows as done, and `reminder` is what the
 * harness says.
 * @typedef {{ lede: string, round: number, cells: string, prompt: string[], removed: number, messages: Message[],
 *   lines: Line[], reminder: string, system: string, tools: string[], given: string[], table: Table,
 *   columns: Column[] }} State
 */

const LINES = 7;

/** @param {Model} model @returns {State} */
const stateOf = (model) => model.get("state");

/** Draw all that the model sees: the prompt, and the last messages, of which the newest are in view.
 * @param {Model} model */
const request = (model) => {
  const { round, cells, prompt, removed, messages, system, tools } = stateOf(model);
  const ghost = drawPlace("removed", { "aria-hidden": "true" }, h("br"));
  const given = prompt.map((text, n) => p(n + 1 < prompt.length ? "al-note" : "", text));
  return section(
    "",
    h2(`What the model sees in round ${round}`),
    tape(
      cells,
      { seenFrom: removed / 2, length: round },
      windowFrame(removed / 2, round - 1),
      span("al-seat-here", "you"),
    ),
    h("ol", {}, place("model", "prompt", given)),
    h(
      "ol",
      { class: "al-seat-window", "data-follow": ":scope > :last-child" },
      [ghost, ghost],
      li("al-edge", `${plural(removed, "message")} removed`),
      messages.map(message),
    ),
    p("al-place al-seat-next", `round ${round}: the next message is yours`),
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

/** Return the place in the window that shows a step, or "". @param {Model} model @param {Row} row */
const placeOf = (model, { place }) => place || (model.get("with_list") ? REMINDER : "");

const REMINDER = "the reminder";

/** Draw the steps of the plan, and which list has each. The roles are given because the rows are grids.
 * @param {Model} model @param {List[]} lists */
const drawTable = (model, lists) => {
  const claude = lists.filter(({ isClaude }) => isClaude);
  const lookAt = (/** @type {number} */ n) =>
    n === model.get("read") ? "al-seat-mark al-seat-read" : "al-seat-mark";
  const head = (/** @type {string} */ look, /** @type {Child[]} */ ...words) =>
    h("th", { role: "columnheader", scope: "col", class: look }, words);
  const cell = (/** @type {string} */ look, /** @type {Child} */ content) =>
    h("td", { role: "cell", class: look }, content);
  const widths = lists.map(({ isClaude }) => (isClaude ? "var(--one)" : "var(--script)")).join(" ");
  return h(
    "table",
    {
      role: "table",
      class: "al-table al-seat-table",
      style: `--lists: var(--you) ${widths} ${claude.length > 0 ? "var(--sum)" : ""}`,
    },
    h(
      "tr",
      { role: "row" },
      head("al-seat-step", "The plan of round 1"),
      head("al-seat-you", "You"),
      lists.map(({ isClaude, label, words }, n) =>
        head(
          lookAt(n),
          label === "1" && h("b", { "aria-hidden": "true" }, `Claude, ${claude.length} times`),
          button(label, () => set(model, { read: n }), {
            "aria-pressed": String(n === model.get("read")),
            "aria-label": isClaude ? words : null,
          }),
        ),
      ),
      claude.length > 0 && head("al-seat-sum", "all of it"),
    ),
    stateOf(model).table.steps.map((row) => {
      const letters = lists.map(({ lines }) => letterOf(row, lines));
      const done = claude.filter(({ lines }) => letterOf(row, lines) === "x").length;
      const place = placeOf(model, row);
      return h(
        "tr",
        { role: "row", class: place ? "" : "al-seat-only" },
        h(
          "th",
          { role: "rowheader", scope: "row", class: "al-seat-step" },
          `${row.text} `,
          span("al-note", place ? `seen in ${place}` : "nowhere else"),
        ),
        cell("al-seat-you", drawMine(model, row)),
        letters.map((letter, n) => cell(lookAt(n), mark(letter))),
        claude.length > 0 && cell("al-seat-sum", `${done} of ${claude.length}`),
      );
    }),
  );
};

const TALL = 2; // rows for the prompt, also in seat.css

/** Draw the window in short, and a thread to it from each step that it shows. Both columns have rows of
 * equal height, so no place is measured. @param {Model} model */
const drawWindow = (model) => {
  const { round, removed, lines, reminder, table } = stateOf(model);
  const withList = model.get("with_list");
  const [[prompt, ...others], all] = [lines, TALL + 2 + lines.length]; // with the heading
  const middles = new Map([
    [prompt.place, 1 + TALL / 2],
    [REMINDER, all - 0.5],
  ]);
  for (const [n, { place }] of others.entries()) middles.set(place, TALL + 2.5 + n);
  const thread = (/** @type {Row} */ row, /** @type {number} */ n) => {
    const middle = middles.get(placeOf(model, row));
    const [from, to] = [(n + 1.5) / (table.steps.length + 1), (middle ?? 0) / all];
    const curve = `M0 ${100 * from}C50 ${100 * from} 50 ${100 * to} 100 ${100 * to}`;
    return middle && h("path", { class: row.place ? "" : "al-seat-new", d: curve });
  };
  const line = (/** @type {Line} */ { place, text, words }) =>
    drawPlace(
      "work",
      { class: place === prompt.place && "al-seat-tall" },
      place.startsWith("round") && span("al-note", place.replace("round", ""), " "),
      place.includes("result") ? h("code", {}, marked(text, words)) : marked(text, words),
    );
  return [
    svg("al-svg al-seat-threads", [0, 0, 100, 100], table.steps.map(thread)),
    h(
      "ol",
      { class: "al-seat-short" },
      li("", b(`What the model sees in round ${round}`)),
      line(prompt),
      drawPlace("ghost", {}, `${plural(removed, "message")} removed: the plan`),
      others.map(line),
      li("al-place al-seat-note", "▼\u00a0", reminder, withList && " Your list: #1 to #10"),
    ),
  ];
};

/** Return a text in which some words are marked. @param {string} text @param {string[]} words */
const marked = (text, words) =>
  text
    .split(RegExp(`(${words.map((one) => one.replace(/[().]/g, "\\$&")).join("|") || "$^"})`))
    .map((part, n) => (n % 2 ? h("mark", {}, part) : part));

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

/** Say how many of the steps that only the plan had are in the reader's list, the script's and Claude's.
 * @param {Model} model @param {List[]} lists */
const result = (model, [script, ...others]) => {
  const { steps } = stateOf(model).table;
  const only = steps.filter(({ place }) => !place);
  const claude = others.filter(({ isClaude }) => isClaude);
  const count = (/** @type {List} */ { lines }, rows = only) =>
    stepsDone(rows.map((row) => letterOf(row, lines)).join(""));
  if (model.get("with_list")) {
    const whole = claude.filter((list) => count(list, steps) === steps.length).length;
    return [
      b(`Now the script writes ${count(script, steps)} of ${steps.length} steps again`),
      `, and ${whole} of ${claude.length} replies of Claude have all of them. The list was in `,
      "sight, so this measures copying, and for a lost plan copying is enough.",
    ];
  }
  const letters = only.map((row) => mine(model, row)).join("");
  const parts = letters.split("p").length - 1;
  const some = claude.filter((list) => count(list) > 0).length;
  return [
    linesOf(model).length > 0 && [
      b(`You wrote ${stepsDone(letters) || "none"} of the ${only.length} again`),
      parts > 0 && `, and a part of ${parts}`,
      ". ",
    ],
    `The script wrote ${count(script) || "none"}.`,
    model.get("claude") &&
      ` Of Claude’s ${claude.length} lists, ${some || "none"} have one of the ${only.length}.`,
  ];
};

/** Return the reader's lines that are about no step of the plan. @param {Model} model */
const otherLines = (model) => {
  const { steps, checks } = stateOf(model).table;
  const words = steps.flatMap((row) => row.words).concat(checks);
  return linesOf(model).filter((line) => !words.some((word) => has(word, line)));
};

/** @param {Model} model */
const comparison = (model) => {
  const { table } = stateOf(model);
  const [withList, claude, all] = [model.get("with_list"), model.get("claude"), listsOf(model)];
  const lists = all.filter(({ isClaude }) => claude || !isClaude);
  const others = otherLines(model);
  return [
    h(
      "h2",
      { class: "al-seat-title", tabindex: -1 },
      table.titles[Number(withList)].map((line) => span("", line, " ")),
    ),
    p({ role: "status" }, result(model, all)),
    div(
      claude ? "al-scroll al-seat-many" : "al-seat-beside",
      drawTable(model, lists),
      claude || drawWindow(model),
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
      button("Compare with Claude", () => set(model, { claude: !claude, read: 0 }), {
        "aria-pressed": String(claude),
      }),
      button("◀ Write again", turn(model, "textarea", { compared: false })),
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
