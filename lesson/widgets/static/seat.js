// The seat: the window of one request, a list to write, and then all lists side by side.

import { div, h, span } from "./dom.js";
import { elementOf } from "./input.js";
import { button, card, hidden, keys } from "./parts.js";
import { focusOn, set, view } from "./view.js";

/**
 * @import { Child } from "./dom.js"
 * @import { Model } from "./view.js"
 *
 * A message of the window: `heads` are its lines while it is folded, `full` is all of it.
 * @typedef {{ round: number, who: string, text: string, call: string[], heads: string[],
 *   full: string, note: string }} Message
 *
 * A step of the plan; `full` and `part` are the number of recorded lists that have all of it or a
 * part, `kept` of those whose reminder showed the list, and `own` is how much your model's list has.
 * @typedef {{ number: number, text: string, named: string, whole: string, full: number,
 *   part: number, note: string, kept: number, own: number }} Row
 *
 * @typedef {{ name?: string, told?: boolean, opening: string, list?: [string, string][],
 *   does?: string, end?: string, says?: string }} Reply
 *
 * @typedef {{ round: number, question: string, prompt: string[], removed: number,
 *   messages: Message[], system: string, tools: string[], given: string[],
 *   groups: { title: string, note: string, rows: Row[] }[], extra: { full: number, note: string },
 *   practice: Reply, replies: Reply[], kept: number, told: string, own: Reply | null }} State
 *
 * A line that the reader wrote, and the steps that it names.
 * @typedef {{ text: string, at: number[] }} Line
 */

const LINES = 7;
const NONE = 0; // the row of lines that name no step

/** @param {Model} model @returns {State} */
const stateOf = (model) => model.get("state");

/** Return the reader's lines, each with the steps that it names, or the one it was moved to.
 * @param {Model} model @returns {Line[]} */
const linesOf = (model) => {
  const rows = stateOf(model).groups.flatMap((group) => group.rows);
  const moved = model.get("moved");
  return model
    .get("answer")
    .split("\n")
    .map((/** @type {string} */ line) => line.trim().replace(/^([-*•]|\d+[.)])\s*/, ""))
    .filter(Boolean)
    .map((/** @type {string} */ text) => {
      const named = rows.filter((row) => new RegExp(row.named).test(text.toLowerCase()));
      return { text, at: text in moved ? [moved[text]] : named.map(({ number }) => number) };
    });
};

/** @param {Model} model */
const window_ = (model) => {
  const { round, prompt, removed, messages, system, tools } = stateOf(model);
  const known = model.get("compared");
  return h(
    "section",
    { class: known ? "al-seat-window al-known" : "al-seat-window" },
    div(
      "al-head",
      h("h3", {}, `What the model sees in round ${round}`),
      button("show every line", (event) => unfoldAll(elementOf(event)), {
        class: "al-button al-switch",
      }),
    ),
    div(
      "al-seat-prompt",
      span("al-seat-muted", "The prompt, sent in every round"),
      prompt.map((text, n) =>
        n + 1 < prompt.length ? h("code", {}, text) : h("p", { class: "al-text" }, text),
      ),
    ),
    h(
      "ol",
      { class: "al-seat-gone", "aria-hidden": "true" },
      Array.from({ length: 2 }, () => h("li", {})),
    ),
    h(
      "p",
      { class: "al-seat-edge" },
      h("span", {}, known && removed === 2 ? "The list was here" : `${removed} messages removed`),
    ),
    h("ol", { class: "al-seat-messages", "aria-label": "The last messages" }, messages.map(row)),
    h(
      "p",
      { class: "al-seat-next al-seat-row" },
      h("span", {}, `round ${round}`),
      span("al-seat-body", "you: the next message is yours"),
    ),
    h(
      "details",
      { class: "al-seat-muted" },
      h("summary", keys, `Also sent in every round: the system prompt and ${tools.length} tools`),
      h("p", {}, system),
      h("p", {}, `Tools: ${tools.join(", ")}.`),
    ),
  );
};

/** @param {HTMLElement} pressed */
const unfoldAll = (pressed) => {
  const folds = pressed.closest(".al-seat-window")?.querySelectorAll(".al-seat-fold") ?? [];
  const all = /** @type {HTMLDetailsElement[]} */ ([...folds]);
  const open = all.some((fold) => !fold.open);
  for (const fold of all) fold.open = open;
};

/** @param {Message} message */
const row = ({ round, who, text, call, heads, full, note }) =>
  h(
    "li",
    { class: `al-seat-row al-seat-${who}` },
    h("span", {}, round > 0 ? `round ${round}` : hidden("result")),
    div(
      "al-seat-body",
      text,
      call.length > 0 && h("code", { class: "al-seat-call" }, call[0], " ", h("b", {}, call[1])),
      code(heads, full),
      note && h("p", { class: "al-seat-note" }, "▼ ", h("b", {}, note)),
    ),
  );

/** Draw a file: its lines that are not indented; all of it when it is opened.
 * @param {string[]} heads @param {string} full */
const code = (heads, full) => {
  const short = h(
    "code",
    { class: "al-seat-heads" },
    heads.map((head) => h("span", {}, head)),
  );
  const count = full.split("\n").length;
  if (!full || heads.length === count) return full && short;
  return h(
    "details",
    { class: "al-seat-fold" },
    h("summary", keys, short, span("al-seat-more", `${count} lines`)),
    h("pre", { class: "al-pre" }, full),
  );
};

/** @param {Model} model */
const form = (model) => {
  const { given, question } = stateOf(model);
  const count = Math.max(LINES, model.get("answer").split("\n").length);
  const compare = (/** @type {Element} */ inside) => {
    const top = inside.closest(".agentlib");
    set(model, { compared: true });
    focusOn(top?.querySelector(".al-seat-title") ?? null);
    top?.scrollIntoView({ block: "start" });
  };
  return h(
    "section",
    { class: "al-seat-yours" },
    h("h3", {}, given.length > 0 ? "Your list" : "Your message"),
    given.length > 0 && [
      h("p", {}, "The prompt says ten steps. The window shows that three are done."),
      h(
        "ol",
        { class: "al-seat-given" },
        given.map((text) => h("li", {}, "✓ ", text)),
      ),
    ],
    h(
      "label",
      {},
      h("b", {}, question ? "What is left? " : "What do you do next? "),
      span("al-seat-muted", "One step per line, in a few words."),
      h(
        "div",
        { class: "al-seat-pad", style: `--rows: ${count}` },
        given.length > 0 &&
          h(
            "span",
            { class: "al-seat-numbers", "aria-hidden": "true" },
            Array.from({ length: count }, (_, n) => h("span", {}, given.length + 1 + n)),
          ),
        h("textarea", {
          ...keys,
          rows: count,
          spellcheck: "false",
          oninput: (/** @type {Event} */ event) =>
            model.set("answer", /** @type {HTMLTextAreaElement} */ (event.target).value),
          onkeydown: (/** @type {KeyboardEvent} */ event) => {
            event.stopPropagation();
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey))
              compare(elementOf(event));
          },
        }),
      ),
    ),
    button("Compare", (event) => compare(elementOf(event)), { class: "al-button al-main" }),
    h("p", { class: "al-seat-muted" }, "Leave a line empty if you cannot know. Nothing is graded."),
  );
};

/** `full` of so many marks are filled, `part` are half filled.
 * @param {number} full @param {number} part @param {number} of */
const dots = (full, part, of) =>
  h(
    "span",
    {},
    h(
      "span",
      { class: "al-seat-dots", "aria-hidden": "true" },
      Array.from({ length: of }, (_, n) => {
        if (n < full) return span("al-full");
        return span(n < full + part ? "al-part" : "al-none");
      }),
    ),
    ` ${full} of ${of}`,
  );

/** Draw what the reader wrote for a step: all of it, a part, or nothing.
 * @param {Model} model @param {Line[]} lines @param {Row} step */
const yours = (model, lines, { number, whole }) => {
  const { given } = stateOf(model);
  const mine = lines.filter(({ at }) => at.includes(number));
  if (number <= given.length) return span("al-seat-muted", "✓ done");
  if (mine.length === 0) return span("al-seat-hole", hidden("not on your list"));
  const words = mine.map(({ text }) => text.toLowerCase()).join(" ");
  const isMoved = mine.some(({ text }) => text in model.get("moved"));
  const isPart = !isMoved && !new RegExp(whole).test(words);
  return mine.map((line) => written(model, line, isPart));
};

const rowName = (/** @type {number} */ n) => (n === NONE ? "none of these" : `step ${n}`);

/** @param {Model} model @param {Line} line @param {boolean} isPart */
const written = (model, { text, at }, isPart) =>
  div(
    "al-seat-mine",
    span("al-seat-dots", span(isPart ? "al-part" : "al-full")),
    h("span", {}, text, isPart && hidden(" (a part of the step)")),
    model.get("moving") &&
      h(
        "select",
        {
          ...keys,
          "aria-label": `Step of “${text}”`,
          value: rowName(at[0] ?? NONE),
          onchange: (/** @type {Event} */ event) => {
            const { selectedIndex } = /** @type {HTMLSelectElement} */ (event.target);
            set(model, { moved: { ...model.get("moved"), [text]: selectedIndex } });
          },
        },
        Array.from({ length: 11 }, (_, n) => h("option", {}, rowName(n))),
      ),
  );

const OWN = ["—", "a part", "✓"];

/** @param {Model} model */
const table = (model) => {
  const { groups, extra, practice, replies, given, own } = stateOf(model);
  const lines = linesOf(model);
  const of = replies.length;
  const open = groups.flatMap((group) => group.rows).length - given.length + groups.length - 1;
  const cell = (/** @type {string} */ look, /** @type {Child[]} */ ...inside) =>
    h("td", { class: look, role: "cell" }, ...inside);
  const heading = (/** @type {string} */ title, /** @type {string} */ note) =>
    h("th", { scope: "col", role: "columnheader" }, title, h("small", {}, note));
  let isFirstOpen = true;
  const script = (/** @type {number} */ number) => {
    if (number <= given.length) return cell("al-seat-script", "✓ done");
    if (!isFirstOpen) return null;
    isFirstOpen = false;
    return h(
      "td",
      { class: "al-seat-script al-seat-all", role: "cell", rowspan: open },
      h("b", {}, "“Finish the rest”"),
      h("small", {}, `one line for seven steps. At the end it says: ${practice.says} done.`),
    );
  };
  const step = (/** @type {Row} */ one) =>
    h(
      "tr",
      { role: "row" },
      h(
        "th",
        { class: "al-seat-step", scope: "row", role: "rowheader" },
        span("al-seat-number", one.number),
        one.text,
      ),
      cell("al-seat-you", yours(model, lines, one)),
      script(one.number),
      cell("al-seat-claude", dots(one.full, one.part, of), h("small", {}, one.note)),
      cell("al-seat-kept", dots(one.kept, 0, stateOf(model).kept)),
      own && cell("al-seat-own", OWN[one.own]),
    );
  return h(
    "table",
    { role: "table" },
    h(
      "thead",
      { role: "rowgroup" },
      h(
        "tr",
        { role: "row" },
        heading("The plan", "written in round 1"),
        heading("You", "your list"),
        heading("Practice model", "a script"),
        heading("Claude", `${of} replies, November 2026: how many lists have the step`),
        heading("Claude", "4 replies: the reminder shows the list"),
        own && heading(own.name ?? "", "your model, 1 reply"),
      ),
    ),
    h(
      "tbody",
      { role: "rowgroup" },
      groups.map((group, n) => [
        h(
          "tr",
          {
            role: "row",
            class: n === groups.length - 1 ? "al-seat-why al-seat-lost" : "al-seat-why",
          },
          h("th", { scope: "rowgroup", colspan: 2 }, group.title, h("small", {}, group.note)),
          n === 0 && cell(""),
          h("td", { role: "cell", colspan: own ? 3 : 2 }),
        ),
        group.rows.map(step),
      ]),
      h(
        "tr",
        { role: "row", class: "al-seat-extra" },
        h("th", { class: "al-seat-step", scope: "row" }, "Not in the plan, but on a list"),
        cell(
          "al-seat-you",
          lines.filter(({ at }) => !at[0]).map((l) => written(model, l, false)),
        ),
        cell("al-seat-script"),
        cell("al-seat-claude", dots(extra.full, 0, of), h("small", {}, extra.note)),
        cell("al-seat-kept"),
        own && cell("al-seat-own"),
      ),
    ),
  );
};

/** @param {Reply} reply */
const said = ({ opening, list, does, end }) => [
  h("p", {}, opening && `“${opening}”`),
  (list?.length ?? 0) > 0 &&
    h(
      "ol",
      {},
      list?.map(([text, status]) => h("li", {}, status === "completed" ? "✓ " : "", text)),
    ),
  does && h("p", { class: "al-seat-muted" }, `Then: ${does}.`),
  end && h("p", { class: "al-seat-muted" }, end),
];

/** All replies in full, for a request that has no table. @param {Model} model */
const columns = (model) => {
  const { practice, replies, own } = stateOf(model);
  /** @type {[string, Child][]} */
  const all = [
    ["You", h("p", { class: "al-pre" }, model.get("answer") || "Nothing.")],
    ["Practice model, a script", said(practice)],
    [`Claude, ${replies.length} replies, November 2026`, everyReply(replies)],
  ];
  if (own) all.push([`${own.name}, your model`, said(own)]);
  return div(
    "al-seat-columns",
    all.map(([title, inside]) => h("section", {}, h("h3", {}, title), inside)),
  );
};

/** @param {Reply[]} replies */
const everyReply = (replies) =>
  h(
    "ol",
    { class: "al-seat-replies" },
    replies.map((reply) => h("li", {}, said(reply))),
  );

/** @param {Model} model */
const comparison = (model) => {
  const { groups, replies, told, own } = stateOf(model);
  const hasTable = groups.length > 0;
  return [
    h(
      "h3",
      { class: "al-seat-title", tabindex: -1 },
      hasTable ? "This is the plan that had left the window" : "The same request, other replies",
    ),
    hasTable
      ? [
          h(
            "p",
            { class: "al-seat-muted" },
            "Each row is one of its ten steps. A dashed field: the step is not on that list. ",
            "A half-filled one: a part of it is.",
          ),
          table(model),
          h(
            "ul",
            { class: "al-seat-lesson" },
            h(
              "li",
              {},
              "What the prompt names or the window shows ",
              h("b", {}, "can be written again"),
              ".",
            ),
            h(
              "li",
              {},
              "What was only in the plan ",
              h("b", {}, "is gone"),
              ". Another plan takes its place.",
            ),
            h("li", {}, "A reminder that shows the list ", h("b", {}, "keeps all ten steps"), "."),
          ),
          h("p", { class: "al-seat-muted" }, told),
          own && h("details", {}, h("summary", keys, `Read ${own.name}’s reply`), said(own)),
          h(
            "details",
            {},
            h("summary", keys, `Read the ${replies.length} replies`),
            everyReply(replies),
          ),
        ]
      : columns(model),
    div(
      "al-transport",
      button("◀ Back to the window", (event) => {
        const top = elementOf(event).closest(".agentlib");
        set(model, { compared: false });
        focusOn(top?.querySelector("textarea") ?? null);
      }),
      hasTable &&
        button("move a line of yours", () => model.set("moving", !model.get("moving")), {
          "aria-pressed": model.get("moving") ? "true" : "false",
        }),
    ),
  ];
};

/** Return the announcement for screen readers after Compare. @param {Model} model */
const announced = (model) => {
  const { groups, given } = stateOf(model);
  const lines = linesOf(model);
  const open = groups.flatMap((group) => group.rows).filter(({ number }) => number > given.length);
  const numbers = (/** @type {boolean} */ wanted) =>
    open
      .map(({ number }) => number)
      .filter((number) => lines.some(({ at }) => at.includes(number)) === wanted)
      .toSorted((one, other) => one - other)
      .join(", ") || "none";
  if (open.length === 0) return "The replies are shown.";
  const gone = open.filter(({ full }) => full === 0).map(({ number }) => number);
  return `The plan is beside your list. Open steps on your list: ${numbers(true)}. Not on it:
    ${numbers(false)}. Steps ${gone.join(" and ")} are on none of Claude’s lists.`;
};

export default view((model) => {
  const { round, messages, question } = stateOf(model);
  const compared = model.get("compared");
  return card(
    "Take the model’s seat",
    { class: "al-seat" },
    h(
      "div",
      { hidden: compared },
      h(
        "p",
        { class: "al-seat-lede" },
        `An agent is working in ten steps. It is round ${round}, and this is all that the model `,
        `sees: the prompt and the last ${messages.length} messages. `,
        question && ["Now the harness says: ", h("b", {}, `▼ ${question}`), " "],
        "What do you write?",
      ),
      div("al-seat-ask", window_(model), form(model)),
    ),
    h("div", { hidden: !compared }, compared && comparison(model)),
    h("p", { class: "al-hidden", role: "status" }, compared && announced(model)),
  );
});
