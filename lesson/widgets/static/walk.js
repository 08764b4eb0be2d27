// The walk: a recorded run, line by line. At three lines it asks, and a click on a line answers.

import { button, card, keys, plural, verdict } from "./components.js";
import { div, h, p, span, strong } from "./dom.js";
import { clamp, press } from "./input.js";
import { isPresented, takesKeys } from "./presentation.js";
import { drawMarks, pips } from "./todo_list.js";
import { set, view } from "./view.js";

/**
 * What the code changes: the nag's count, the list (a letter for each task), the number of messages.
 * @typedef {{ count: number | null, marks: string, messages: number, reminded: boolean }} State
 *
 * A statement that ran: its function, its lines, the functions that wait for it, what it did (each
 * in a colour), and the state after it.
 * @typedef {{ function: string, first: number, last: number, waits: string[],
 *   chips: [string, string][], state: State }} Step
 *
 * A question before the step `at`, about the lines of its function. The step `then` has the answer.
 * @typedef {{ at: number, then: number, right: number[], ask: string, why: string }} Question
 * @typedef {{ number: string, title: string, from: number }} Station
 * @typedef {{ file: string, lines: [number, string][] }} Code
 *
 * A round passes some of the stations, which have `titles`; `jump` is why it passes over one, or "".
 * @typedef {{ name: string, stations: Station[], jump: string }} Round
 * @typedef {{ name: string, titles: Record<string, string>, rounds: Round[], steps: Step[],
 *   questions: Question[], functions: Record<string, Code> }} Film
 * @typedef {{ whose: string, films: Film[], after: number, keywords: string }} Walk
 */

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
  const station = film.rounds
    .flatMap(({ stations }) => stations)
    .findLast(({ from }) => from <= at);
  return { walk, number, film, at, asked, answered, line, station, step: film.steps[at] };
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

const TOKENS = ["", "note", "string", "word"];

/** Return a line of Python in colours: some of JupyterLab's are too pale here.
 * @param {string} text @param {string} keywords */
const highlight = (text, keywords) =>
  text
    .split(RegExp(`(#.*$)|([bfru]*(?:"[^"]*"|'[^']*'))|\\b(${keywords})\\b`))
    .map((part, n) => part && span({ style: `color: var(--code-${TOKENS[n % 4]})` }, part));

/** @param {string} colour the name that it has in palette.css */
const paint = (colour) => `--mark: var(--${colour})`;

/** @param {string} colour @param {string} words */
const chip = (colour, words) => span({ class: "al-chip", style: paint(colour) }, words);

/** Draw the function that runs, below the names of those that wait for it. If a question is open,
 * its lines are buttons. @param {Model} model */
const drawCode = (model) => {
  const { walk, film, at, asked, station, step } = here(model);
  const { file, lines: all } = film.functions[step.function];
  const lines = asked ? all.filter(([, text]) => !/^\s*(#|$)/.test(text)) : all;
  const done = film.steps.slice(station?.from ?? 0, asked ? at : at + 1);
  const changed = step.chips.findLast(([colour]) => colour !== "line");
  const style = paint(asked ? "ink" : (changed?.[0] ?? "muted"));
  const drawLine = (/** @type {[number, string]} */ [number, text]) => {
    const isIn = (/** @type {Step} */ one) =>
      one.function === step.function && one.first <= number && number <= one.last;
    const ran = done.findLast(isIn);
    const isNow = !asked && isIn(step);
    const code = text.trim();
    return h(
      asked ? "button" : "div",
      {
        ...(asked && { type: "button", onclick: () => answer(model, number) }),
        class: ["al-line", isNow && "al-marked"],
        style,
      },
      span({ class: "al-muted al-walk-number", "aria-hidden": "true" }, number),
      span(
        { class: "al-pre", style: `--in: ${text.search(/\S|$/)}` },
        ran && !isNow ? span("al-muted", code) : highlight(code, walk.keywords),
        number === ran?.first && ran.chips.map(([colour, words]) => chip(colour, words)),
      ),
    );
  };
  return div(
    "al-walk-code",
    p(
      "al-note al-walk-callers",
      step.waits.map((name) => `${name}() › `),
      strong(`${step.function}()`),
      `  ${file}`,
    ),
    div(
      {
        key: `${step.function} ${Boolean(asked)}`,
        class: "al-walk-lines al-scroll",
        tabindex: 0,
        role: "region",
        "aria-label": `${step.function}, of ${film.name}`,
        "data-follow": ".al-line:has(+ * + * + .al-marked)", // three lines above
      },
      lines.map(drawLine),
    ),
  );
};

/** Draw what the code changes. What this step has changed is marked, in the colour of its chip.
 * @param {Model} model */
const drawState = (model) => {
  const { walk, film, at, asked, step } = here(model);
  const { count, marks, messages, reminded } = film.steps[asked ? at - 1 : at].state;
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
    part("plan", "The list, self.items", drawMarks(marks)),
    part("ink", "The next request", [
      plural(messages, "message"),
      reminded && chip("reminder", "with a reminder"),
    ]),
  );
};

// Above the code: the stations, the words, the buttons

/** Draw a line for each round, over the stations that it passes; what it passes over is a jump.
 * @param {Model} model */
const drawStations = (model) => {
  const { film, station } = here(model);
  const numbers = Object.keys(film.titles);
  return h(
    "table",
    { class: "al-table" },
    h(
      "tr",
      {},
      h("td", {}),
      numbers.map((number) => h("th", { scope: "col" }, film.titles[number])),
    ),
    film.rounds.map((round) => {
      const [first, last] = [round.stations[0], round.stations.at(-1)];
      const missed = numbers.find((n) => n > (first?.number ?? "") && !find(round, n));
      return h(
        "tr",
        {},
        h("th", { scope: "row" }, round.name),
        numbers.map((number, n) => {
          const one = find(round, number);
          const isPassed = number > (first?.number ?? "") && number <= (last?.number ?? "");
          const isJump = !one || !find(round, numbers[n - 1]);
          return h(
            "td",
            { class: isPassed && (isJump ? "al-walk-way al-walk-jump" : "al-walk-way") },
            one && drawStation(model, round, one, one === station),
            isPassed && number === missed && span("al-note al-lost", round.jump),
          );
        }),
      );
    }),
  );
};

/** @param {Round} round @param {string} number */
const find = ({ stations }, number) => stations.find((one) => one.number === number);

/** @param {Model} model @param {Round} round @param {Station} one @param {boolean} isHere */
const drawStation = (model, { name, jump }, one, isHere) => {
  const isBad = one.number === "2" && jump !== "";
  return button(isBad ? "✕" : one.number === "5" ? "▼" : one.number, () => go(model, one.from), {
    class: ["al-walk-station", isBad && "al-bad", one.number === "5" && "al-walk-reminder"],
    "aria-current": isHere ? "step" : null,
    "aria-label": `${name}: ${one.title}${isBad ? `, ${jump}` : ""}`,
  });
};

/** Draw what has happened, or the question, or what an answer says. @param {Model} model */
const drawWords = (model) => {
  const { asked, answered, line = 0, station, step } = here(model);
  const ran = `Line ${step.first} of ${step.function}() has run`;
  const did = [ran, ...step.chips.map(([, words]) => words)].join(" · ");
  const wrong = `You clicked line ${line}; it is line ${answered?.right.at(-1)}. `;
  return div(
    {
      class: ["al-aside al-walk-say", asked && "al-marked"],
      style: paint("ink"),
      role: "status",
    },
    asked
      ? p("", strong(asked.ask), " Click it in the code.")
      : answered
        ? p("", verdict(answered.right.includes(line), wrong), answered.why)
        : [p("", strong(station?.title)), p("al-note", did)],
  );
};

/** @param {Model} model */
const drawButtons = (model) => {
  const { walk, film, at, asked } = here(model);
  const isEnd = at === film.steps.length - 1 && !asked;
  return div(
    { class: "al-transport", role: "group", "aria-label": "Steps" },
    button("← line before", () => go(model, at - 1), { off: at === 0 }),
    // The answer to a question is a click in the code, so no button is the main one then.
    button(asked ? "skip this question" : "next line →", () => goOn(model), {
      class: ["al-home", asked ? "al-switch" : "al-main"],
      off: isEnd,
    }),
    span("al-muted", `${at + 1} of ${plural(film.steps.length, "line")}`),
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
      onkeydown: press({ ArrowRight: () => goOn(model), ArrowLeft: () => go(model, at - 1) }),
    },
    isPresented(model) || p("al-note", walk.whose),
    div("al-walk-map al-scroll", drawStations(model)),
    drawWords(model),
    drawButtons(model),
    drawState(model),
    drawCode(model),
  );
};

export default view(draw);
