// The walk: a recorded run, line by line. At three lines it asks, and a click on a line answers.

import { button, card, keys, plural, verdict } from "./components.js";
import { b, div, h, li, p, section, span, strong } from "./dom.js";
import { clamp, press } from "./input.js";
import { takesKeys } from "./presentation.js";
import { counter, todoList } from "./todo_list.js";
import { movie, set } from "./view.js";

/**
 * A statement that ran: its function, its lines, the functions that wait for it, what it did (each
 * with its look), and the states around it.
 * @typedef {{ function: number, first: number, last: number, waits: [number, number][],
 *   chips: [string, string][], before: number, after: number }} Step
 *
 * A state: the count, the list, the list that the model sent, the messages, as numbers in tables.
 * @typedef {{ count: number | null, list: number, sent: number, messages: number[] }} State
 *
 * A question before the step `at`, about the lines of a function. The step `then` has the answer.
 * @typedef {{ at: number, function: number, then: number, right: number[], ask: string,
 *   why: string }} Question
 * @typedef {{ round: string, name: string, title: string, from: number }} Chapter
 * @typedef {{ file: string, name: string, lines: [number, string][] }} Code
 * @typedef {{ name: string, chapters: Chapter[], states: State[], steps: Step[],
 *   questions: Question[], functions: Code[], lists: Item[][],
 *   messages: { text: string, look: string, reminder: boolean }[] }} Film
 * @typedef {{ whose: string, films: Film[], after: number }} Walk
 */

const LINES_ABOVE = 3; // of the line that is shown
const MESSAGES = 5; // that are shown, the last ones

/** Return what is shown: the film, its step, and the question that is open before it.
 * @param {Model} model */
const here = (model) => {
  /** @type {Walk} */
  const walk = model.get("state");
  const number = clamp(model.get("film"), 0, walk.films.length - 1);
  const film = walk.films[number];
  const at = clamp(model.get("at"), 0, film.steps.length - 1);
  const lineOf = (/** @type {Question} */ one) => model.get("answers")[`${number} ${one.at}`];
  const asked = film.questions.find((one) => one.at === at && lineOf(one) == null);
  const answered = film.questions.find((one) => one.then === at && lineOf(one) > 0);
  const line = answered && lineOf(answered);
  const chapter = film.chapters.findLast((one) => one.from <= at);
  return { walk, number, film, at, asked, answered, line, chapter, step: film.steps[at] };
};

/** @param {Model} model @param {number} to */
const go = (model, to) => set(model, { at: clamp(to, 0, here(model).film.steps.length - 1) });

/** Answer the open question with a line, or 0 to skip it. @param {Model} model @param {number} line */
const answer = (model, line) => {
  const { number, at, asked } = here(model);
  if (!asked) return;
  const answers = { ...model.get("answers"), [`${number} ${at}`]: line };
  set(model, { answers, at: line ? asked.then : at });
};

/** @param {Model} model */
const goOn = (model) => (here(model).asked ? answer(model, 0) : go(model, model.get("at") + 1));

/** Show the other film at its first question. @param {Model} model */
const turnOver = (model) => {
  const film = model.get("film") ? 0 : 1;
  const [question] = here(model).walk.films[film].questions;
  set(model, { film, at: question?.at ?? 0 });
};

// The code

const WORDS =
  "False None True and as assert break case class continue def elif else except finally for from if " +
  "import in is lambda match not or pass raise return try while with yield";
const TOKEN = new RegExp(
  `(#.*$)|((?:\\b[bfru]{1,2})?(?:"[^"]*"|'[^']*'))|(\\b(?:${WORDS.replaceAll(" ", "|")})\\b)`,
);

/** Return a line of Python in colours. @param {string} text */
const colour = (text) =>
  text.split(TOKEN).map((part, n) => part && (n % 4 ? span(`al-code-${n % 4}`, part) : part));

/** Draw the function that runs, and those that wait for it. If a question is open, its lines are
 * buttons. @param {Model} model */
const drawCode = (model) => {
  const { film, at, asked, chapter, step } = here(model);
  const { file, name, lines: all } = film.functions[asked?.function ?? step.function];
  const lines = asked ? all.filter(([, text]) => !/^\s*(#|$)/.test(text)) : all;
  const done = film.steps.slice(chapter?.from ?? 0, asked ? at : at + 1);
  const hasFailed = step.chips.some(([look]) => look === "error");
  const drawLine = (/** @type {[number, string]} */ [number, text]) => {
    const isIn = (/** @type {Step} */ one) =>
      film.functions[one.function].name === name && one.first <= number && number <= one.last;
    const ran = done.findLast(isIn);
    const isNow = !asked && isIn(step);
    const code = h(
      "code",
      { style: `--in: ${text.search(/\S|$/)}` },
      span("", colour(text.trim())),
      !asked &&
        number === ran?.first &&
        ran.chips.map(([of, words]) => span(`al-chip al-chip-${of}`, words)),
    );
    return h(
      asked ? "button" : "div",
      {
        ...(asked && { type: "button", ...keys, onclick: () => answer(model, number) }),
        key: `${number} ${Boolean(asked)}`,
        class: [
          "al-line",
          isNow ? "al-now" : ran && "al-ran",
          isNow && hasFailed && "al-fails",
          asked && "al-walk-choice",
        ],
      },
      h("i", { "aria-hidden": "true" }, number),
      code,
    );
  };
  const line = asked ? 0 : lines.findIndex(([number]) => number >= step.first);
  return div(
    "al-walk-code",
    h(
      "ol",
      { class: "al-walk-callers", "aria-label": "The functions that wait" },
      (asked ? [] : step.waits).map(([one, number]) => {
        const { name: waits, lines: its } = film.functions[one];
        const text = its.find((it) => it[0] === number)?.[1].trim();
        return li("al-one-line", b(waits), ` ${number}  ${text}`);
      }),
      li("al-one-line al-walk-here", b(`${name}()`), `  ${file}`),
    ),
    div(
      {
        ...keys,
        key: `${name} ${Boolean(asked)}`,
        class: "al-walk-lines al-scroll",
        tabindex: 0,
        role: "region",
        "aria-label": `${name}, of ${film.name}`,
        "data-follow": `.al-line:nth-child(${Math.max(1, line + 1 - LINES_ABOVE)})`,
      },
      lines.map(drawLine),
    ),
  );
};

/** Draw what changes: the count, the list above the one that was sent, and the messages.
 * @param {Model} model */
const drawNow = (model) => {
  const { walk, film, asked, step } = here(model);
  const [now, before] = [asked ? step.before : step.after, step.before].map((n) => film.states[n]);
  const first = Math.max(0, now.messages.length - MESSAGES);
  const sent = film.lists[now.sent];
  return div(
    "al-walk-now",
    now.count !== null &&
      div(
        ["al-walk-count", now.count !== before.count && "al-changed"],
        h("code", {}, `self.rounds = ${now.count}`),
        counter({ waited: now.count, after: walk.after, reminded: false }),
      ),
    div(
      now.list !== before.list ? "al-changed" : "",
      todoList({ title: "self.items", items: film.lists[now.list] }),
    ),
    sent.length > 0 &&
      now.sent !== now.list &&
      div("al-walk-sent", todoList({ title: "sent by the model", items: sent })),
    h(
      "ol",
      { class: "al-walk-messages", "aria-label": `The last of ${now.messages.length} messages` },
      now.messages.slice(first).map((id, n) => {
        const { text, look, reminder } = film.messages[id];
        const isNew = before.messages[first + n] !== id;
        return li(
          { key: id, class: [`al-is-${look}`, isNew && "al-changed"] },
          span("al-muted", first + n + 1),
          span("al-one-line", text),
          reminder && span("al-chip al-chip-count", "reminder"),
        );
      }),
    ),
  );
};

// Above the code: the chapters, the words, the buttons

/** @param {Model} model */
const drawChapters = (model) => {
  const { film, chapter } = here(model);
  return div(
    { class: "al-walk-track", role: "group", "aria-label": "Chapters" },
    film.chapters.map((one, n) => [
      one.round !== film.chapters[n - 1]?.round && span("al-note", one.round),
      button(one.name, () => go(model, one.from), {
        class: `al-walk-station al-station-${one.name}`,
        "aria-current": one === chapter ? "step" : null,
        "aria-label": `${one.round}: ${one.title}`,
        title: one.title,
      }),
    ]),
  );
};

/** Draw what has happened, or the question, or what an answer says. @param {Model} model */
const drawWords = (model) => {
  const { film, asked, answered, line = 0, chapter, step } = here(model);
  const did = step.chips.map(([, words]) => words).join(", ");
  const has = `Line ${step.first} of ${film.functions[step.function].name}() has run`;
  const wrong = `You clicked line ${line}; it is line ${answered?.right.at(-1)}. `;
  return div(
    { class: ["al-walk-say", asked && "al-walk-asks"], role: "status" },
    asked
      ? p("", strong(asked.ask), " Click it in the code.")
      : answered
        ? p("", verdict(answered.right.includes(line), wrong), answered.why)
        : [p("", strong(chapter?.title)), p("al-note", did ? `${has}: ${did}.` : `${has}.`)],
  );
};

/** @param {Model} model */
const drawButtons = (model) => {
  const { walk, film, at, asked } = here(model);
  const isEnd = at === film.steps.length - 1 && !asked;
  return div(
    { class: "al-transport", role: "group", "aria-label": "Steps" },
    button("← line before", () => go(model, at - 1), { off: at === 0 }),
    button(asked ? "skip →" : "next line →", () => goOn(model), {
      class: "al-main al-home",
      off: isEnd,
    }),
    span("al-count", `${at + 1} of ${plural(film.steps.length, "line")}`),
    walk.films.length > 1 &&
      button("The package’s code", () => turnOver(model), {
        "aria-pressed": String(model.get("film") > 0),
      }),
  );
};

/** @param {Model} model */
const draw = (model) => {
  const { walk, film, at } = here(model);
  return card(
    "One reminder, line by line",
    {
      model,
      class: "al-walk",
      tabindex: -1,
      ...keys,
      ...takesKeys,
      onkeydown: press({
        ArrowRight: () => goOn(model),
        ArrowLeft: () => go(model, at - 1),
      }),
    },
    p("al-note", walk.whose),
    drawChapters(model),
    drawWords(model),
    drawButtons(model),
    section({ class: "al-walk-stage", "aria-label": film.name }, drawCode(model), drawNow(model)),
  );
};

// A movie because its pane scrolls to the line; it does not play by itself.
export default movie(draw, () => false, 0);
