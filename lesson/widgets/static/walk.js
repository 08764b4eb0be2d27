// The walk: a recorded run, line by line. At three lines it asks, and a click on a line answers.

import { button, card, keys, plural, verdict } from "./components.js";
import { div, h, p, section, span, strong } from "./dom.js";
import { clamp, press } from "./input.js";
import { takesKeys } from "./presentation.js";
import { mark, pips } from "./todo_list.js";
import { movie, set } from "./view.js";

/**
 * What the code changes: the nag's count, the list (a letter for each task), the number of messages.
 * @typedef {{ count: number | null, marks: string, messages: number, reminded: boolean }} State
 *
 * A statement that ran: its function, its lines, the functions that wait for it, what it did (each
 * in a colour), and the states around it.
 * @typedef {{ function: number, first: number, last: number, waits: number[],
 *   chips: [string, string][], before: State, after: State }} Step
 *
 * A question before the step `at`, about the lines of its function. The step `then` has the answer.
 * @typedef {{ at: number, then: number, right: number[], ask: string, why: string }} Question
 * @typedef {{ round: string, station: string, title: string, from: number }} Chapter
 * @typedef {{ file: string, name: string, lines: [number, string][] }} Code
 * @typedef {{ name: string, chapters: Chapter[], steps: Step[], questions: Question[],
 *   functions: Code[] }} Film
 * @typedef {{ whose: string, films: Film[], after: number }} Walk
 */

const LINES_ABOVE = 3; // of the line that is shown

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
const TOKENS = ["", "note", "string", "word"];

/** Return a line of Python in colours: some of JupyterLab's are too pale here. @param {string} text */
const highlight = (text) =>
  text
    .split(TOKEN)
    .map((part, n) => part && span({ style: `color: var(--code-${TOKENS[n % 4]})` }, part));

/** @param {string} colour the name that it has in palette.css */
const paint = (colour) => `--mark: var(--${colour})`;

/** @param {string} colour @param {string} words */
const chip = (colour, words) => span({ class: "al-chip", style: paint(colour) }, words);

/** Draw the function that runs, below the names of those that wait for it. If a question is open,
 * its lines are buttons. @param {Model} model */
const drawCode = (model) => {
  const { film, at, asked, chapter, step } = here(model);
  const { file, name, lines: all } = film.functions[step.function];
  const lines = asked ? all.filter(([, text]) => !/^\s*(#|$)/.test(text)) : all;
  const done = film.steps.slice(chapter?.from ?? 0, asked ? at : at + 1);
  const now = paint(step.chips.findLast(([colour]) => colour !== "line")?.[0] ?? "muted");
  const drawLine = (/** @type {[number, string]} */ [number, text]) => {
    const isIn = (/** @type {Step} */ one) =>
      one.function === step.function && one.first <= number && number <= one.last;
    const ran = done.findLast(isIn);
    const isNow = !asked && isIn(step);
    const props = asked
      ? { type: "button", ...keys, onclick: () => answer(model, number), style: paint("reminder") }
      : { style: now };
    return h(
      asked ? "button" : "div",
      { ...props, class: ["al-line", isNow && "al-marked"] },
      h("i", { "aria-hidden": "true" }, number),
      span(
        { class: "al-pre", style: `--in: ${text.search(/\S|$/)}` },
        ran && !isNow ? span("al-muted", text.trim()) : highlight(text.trim()),
        number === ran?.first && ran.chips.map(([colour, words]) => chip(colour, words)),
      ),
    );
  };
  const line = asked ? 0 : lines.findIndex(([number]) => number >= step.first);
  return section(
    { class: "al-walk-code", "aria-label": film.name },
    p(
      "al-walk-callers",
      step.waits.map((one) => `${film.functions[one].name}() › `),
      strong(`${name}()`),
      `  ${file}`,
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

/** Draw what the code changes. What this step has changed is marked, in the colour of its chip.
 * @param {Model} model */
const drawState = (model) => {
  const { walk, asked, step } = here(model);
  const { count, marks, messages, reminded } = asked ? step.before : step.after;
  /** @param {string} colour @param {string} name @param {Child} now */
  const part = (colour, name, now) => {
    const isChanged = !asked && step.chips.some(([one]) => one === colour);
    return div({ class: isChanged && "al-marked", style: paint(colour) }, p("al-note", name), now);
  };
  return div(
    "al-walk-state",
    count !== null &&
      part("reminder", "Rounds without a todo call", [
        span("al-pre", `self.rounds = ${count} `),
        pips(count, walk.after),
      ]),
    part(
      "plan",
      "The list, self.items",
      [...marks].map((letter) => mark({ letter, status: "unknown" })),
    ),
    part("ink", "The next request", [
      plural(messages, "message"),
      reminded && chip("reminder", "with a reminder"),
    ]),
  );
};

// Above the code: the chapters, the words, the buttons

/** @param {Model} model */
const drawChapters = (model) => {
  const { film, chapter } = here(model);
  return div(
    { class: "al-transport al-walk-track", role: "group", "aria-label": "Chapters" },
    film.chapters.map((one, n) => [
      one.round !== film.chapters[n - 1]?.round && span("al-note", one.round),
      button(one.station, () => go(model, one.from), {
        class: "al-walk-station",
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
    {
      class: ["al-aside al-walk-say", asked && "al-marked"],
      style: paint("reminder"),
      role: "status",
    },
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
  const { walk, at } = here(model);
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
    drawState(model),
    drawCode(model),
  );
};

// A movie because its pane scrolls to the line; it does not play by itself.
export default movie(draw, () => false, 0);
