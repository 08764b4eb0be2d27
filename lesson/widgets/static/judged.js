// Judged runs: 43 ticked lists as squares, one guess, the verdicts, and twelve of the lists to judge.

import { button, card, folded, guessing, hidden, keys, status } from "./components.js";
import { b, div, h, h3, ol, p, section, span, strong, svg } from "./dom.js";
import { set, turn, view } from "./view.js";

/**
 * A run as a square; `told` is its number if its list can be opened.
 * @typedef {{ look: string, told: string, isRound: boolean, name: string, facts: string }} Square
 *
 * A told run: for each point the items that cover it (`on`), and what the files show (`fates`). A
 * witness has a name, what it says, and whether that is no.
 * @typedef {{ number: string, name: string, job: string, points: string[], items: string[],
 *   ticked: string, on: number[][], fates: string[], said: string, status: string,
 *   witnesses: [string, string, boolean][], isWrong: boolean,
 *   why: string, fair: string[], lesson: string, source: string, original: string,
 *   link: string }} Judged
 *
 * @typedef {{ title: string, lede: string, question: string, total: number,
 *   jobs: [string, Square[][]][], models: string[], counts: string[][], answer: string[],
 *   follows: string, not: string, follow: string[], runs: Judged[] }} State
 *
 * What the reader did with a run: what can say no, and whether the verdict is shown.
 * @typedef {{ chosen?: string[], judged?: boolean }} Play
 */

/** Who can say no, and how: the last one is that nobody does. */
const CHOICES = [
  ["request", "the request", "compared with the files"],
  ["build", "the build", "it puts the app together"],
  ["test", "a test", "it looks for one thing"],
  ["nobody", "nobody", "no one would notice"],
];
const NO_TASK = "in no task";
const TITLE = ".al-judged-title"; // takes the focus on a new page

/** @param {Model} model @returns {State} */
const stateOf = (model) => model.get("state");

/** @param {Model} model @param {Judged} run @returns {Play} */
const playOf = (model, { number }) => model.get("played")[number] ?? {};

/** Return what the reader did so far, with more of a run.
 * @param {Model} model @param {Judged} run @param {Play} more */
const played = (model, run, more) => ({
  played: { ...model.get("played"), [run.number]: { ...playOf(model, run), ...more } },
});

/** Return names as a list in words. @param {string[]} names */
const join = (names) =>
  [names.slice(0, -1).join(", "), ...names.slice(-1)].filter(Boolean).join(" and ");

// The squares

/** Draw what a square looks like: its tick, and once it is counted, its verdict over it.
 * @param {{ look: string, isRound?: boolean, told?: string }} one @param {boolean} isCounted */
const box = ({ look, isRound, told }, isCounted) => ({
  class: [
    "al-judged-box",
    isRound && "al-judged-round",
    isCounted && look && `al-${look.replace(" ", "-")}`,
    isCounted && told && "al-judged-told",
  ],
});

/** Draw a run; once the verdicts are shown, a told one is a button. @param {Model} model @param {Square} one */
const square = (model, one) => {
  const isCounted = model.get("counted");
  const props = {
    ...box(one, isCounted),
    title: isCounted && `${one.name}. ${one.facts}`,
  };
  if (!isCounted || !one.told) return span(props, "✓", isCounted && hidden(one.look));
  return h(
    "button",
    {
      type: "button",
      ...keys,
      ...props,
      "aria-label": `${one.name}: ${one.look}. Its list opens`,
      onclick: turn(model, TITLE, { opened: one.told }),
    },
    "✓",
  );
};

/** @param {Model} model */
const table = (model) => {
  const isCounted = model.get("counted");
  return h(
    "table",
    { class: "al-table al-judged-jobs" },
    stateOf(model).jobs.map(([name, series]) =>
      h(
        "tr",
        {},
        h("th", { scope: "row" }, name),
        h(
          "td",
          {},
          series.map((runs) =>
            span(
              "al-judged-series",
              runs.map((one) => square(model, one)),
            ),
          ),
          isCounted || hidden(`ticked lists: ${series.flat().length}`),
        ),
      ),
    ),
  );
};

/** @param {Model} model */
const asked = (model) => {
  const { question, total } = stateOf(model);
  return [
    h("h3", { class: "al-judged-question" }, question),
    guessing(
      { guess: model.get("guess"), total, start: 0 },
      (guess) => set(model, { guess }),
      button("Show the results", turn(model, ".al-judged-count", { counted: true }), {
        class: "al-main",
      }),
    ),
  ];
};

/** @param {Model} model */
const counted = (model) => {
  const { answer, follows, not, follow, runs } = stateOf(model);
  const guess = model.get("guess");
  const next = runs.find((run) => !playOf(model, run).judged);
  const sentence = (/** @type {string} */ words) => p("", b(not), words);
  return [
    h(
      "h3",
      { class: "al-judged-count", tabindex: -1 },
      span("al-judged-figure", answer[0], " "),
      `${answer[1]}.`,
      guess !== null && span("al-note", ` You said ${guess}.`),
    ),
    next &&
      div(
        "al-transport",
        button(`Judge one: ${next.name}`, turn(model, TITLE, { opened: next.number }), {
          class: "al-main",
        }),
      ),
    p("", strong(follows)),
    folded("What does not follow", follow.map(sentence)),
  ];
};

/** @param {Model} model */
const squares = (model) => {
  const { lede, counts, models } = stateOf(model);
  const isCounted = model.get("counted");
  const sample = (/** @type {string} */ words, one = {}, hasVerdict = false) =>
    span("", span(box({ look: "", ...one }, hasVerdict), "✓"), words);
  const verdicts = counts.map(([look, words]) => sample(words, { look }, true));
  return [
    p("", lede),
    div(
      "al-judged-beside",
      section(
        "",
        table(model),
        p(
          "al-legend",
          isCounted && [verdicts, sample("its list opens", { told: "1" }, true)],
          models.map((words, n) => sample(words, { isRound: n > 0 })),
        ),
      ),
      section("", isCounted ? counted(model) : asked(model)),
    ),
  ];
};

// One run

/** Draw a line from a point to each task that covers it, or to "in no task".
 * @param {number[]} items @param {number} point @param {Judged} run */
const drawLines = (items, point, run) => {
  const start = ((point + 0.5) / run.points.length) * 100;
  const end = (/** @type {number} */ item) => ((item - 0.5) / (run.items.length + 1)) * 100;
  const line = (/** @type {string} */ look, /** @type {number} */ to) =>
    h("path", { class: look, d: `M0 ${start}C50 ${start} 50 ${to} 100 ${to}` });
  if (!items.length) return line("al-judged-gap", end(run.items.length + 1));
  return items.map((item) => line("", end(item)));
};

/** @param {number[]} items */
const name = (items) =>
  items.length ? `${items.length > 1 ? "tasks" : "task"} ${items.join(", ")}` : NO_TASK;

/** Draw the points and the items; once the verdict is shown, the lines between them.
 * @param {Model} model @param {Judged} run */
const desk = (model, run) => {
  const { judged } = playOf(model, run);
  const ask = (/** @type {string} */ text, /** @type {number} */ n) => {
    const fate = judged && run.fates[n];
    return div(
      ["al-judged-part", fate && fate !== "done" && "al-judged-bad"],
      text,
      judged && hidden(`: ${name(run.on[n])}`),
      fate && b(`${fate === "done" ? "✓" : "✕"} ${fate}`),
    );
  };
  const task = (/** @type {string} */ text, /** @type {number} */ n) =>
    div("al-judged-part", span("al-judged-box", "✓"), hidden("ticked: "), `${n + 1} ${text}`);
  return div(
    "al-judged-desk",
    h3("What the user asked for"),
    h3("The agent’s list, ", span("al-note", run.ticked)),
    ol("", run.points.map(ask)),
    svg(
      "al-svg al-judged-lines",
      [0, 0, 100, 100],
      judged && run.on.map((items, point) => drawLines(items, point, run)),
    ),
    ol("", [...run.items.map(task), judged && div("al-judged-part", NO_TASK)].filter(Boolean)),
  );
};

/** Ask who can say no.
 * @param {Model} model @param {Judged} run */
const judge = (model, run) => {
  const { chosen = [] } = playOf(model, run);
  const toggle = (/** @type {string} */ key) => () => {
    const others = chosen.filter((one) => one !== key && (one === "nobody") === (key === "nobody"));
    const now = chosen.includes(key) ? others : [...others, key];
    set(model, played(model, run, { chosen: now }));
  };
  return div(
    { class: "al-transport", role: "group", "aria-label": "Who can say no?" },
    status([b("Every task is ticked. Who can say no? "), "Several may."]),
    CHOICES.map(([key, words, how]) =>
      button([words, span("al-note", how)], toggle(key), {
        class: "al-judged-choice",
        "aria-pressed": String(chosen.includes(key)),
      }),
    ),
    button(
      "Show the result",
      turn(model, ".al-judged-verdict", played(model, run, { judged: true })),
      { class: "al-main", off: !chosen.length },
    ),
  );
};

/** Return what the reader has chosen, and what said no. @param {Judged} run @param {string[]} chosen */
const answer = ({ witnesses, isWrong }, chosen) => {
  const names = (/** @type {string[][]} */ choices) => join(choices.map(([, name]) => name));
  const said = names(CHOICES.filter(([key]) => chosen.includes(key)));
  const no = names(CHOICES.filter((_, n) => witnesses[n]?.[2])) || "nobody";
  const begin = said === no ? "Right:" : `You said: ${said}. But`;
  return `${begin} ${no} said no.${isWrong ? " That test is wrong." : ""}`;
};

/** @param {Judged} run */
const verdict = ({ witnesses, lesson, why, fair, said }) => [
  p("al-note", "Blue: the task that covers the point. Dashed: no task does."),
  div(
    "al-judged-witnesses",
    witnesses.map(([name, words, isNo]) =>
      p({ class: ["al-aside", isNo && "al-aside-bad"] }, b(`${name} `), words),
    ),
  ),
  lesson && p("", strong(lesson)),
  folded(
    "Why, and is the result fair?",
    p("", why),
    p("", b(fair[0]), fair[1]),
    p("", b("The agent’s last message. "), said),
  ),
];

/** @param {Model} model @param {Judged} run */
const drawRun = (model, run) => {
  const { judged, chosen = [] } = playOf(model, run);
  const stamp = [
    hidden("The result: "),
    span(["al-judged-stamp", run.status === "passed" ? "al-good" : "al-bad"], run.status),
    span("", answer(run, chosen)),
  ];
  return [
    judged
      ? h("h3", { class: "al-judged-verdict", tabindex: -1 }, stamp)
      : p("", b("The job. "), run.job),
    desk(model, run),
    judged ? verdict(run) : [judge(model, run), p("", b("Its last message. "), run.said)],
    p(
      "al-note",
      `${run.source} `,
      h("a", { href: run.link, target: "_blank", rel: "noreferrer" }, run.original),
    ),
  ];
};

/** Draw the buttons that leave a run. @param {Model} model @param {Judged} run */
const leave = (model, run) => {
  const next = stateOf(model).runs.find((one) => one !== run && !playOf(model, one).judged);
  const go = (/** @type {string} */ words, /** @type {string} */ opened, look = "") =>
    button(words, turn(model, TITLE, { opened }), { class: look });
  return div(
    "al-transport",
    go("All runs", ""),
    playOf(model, run).judged && next && go(`Next: ${next.name}`, next.number, "al-main"),
  );
};

export default view((model) => {
  const { title, runs } = stateOf(model);
  const opened = model.get("opened");
  const run = runs.find(({ number }) => number === opened);
  return card(
    title,
    { class: "al-judged", model },
    div(
      "al-head",
      h("h2", { class: "al-judged-title", tabindex: -1 }, run ? run.name : title),
      run && leave(model, run),
    ),
    div({ key: opened }, run ? drawRun(model, run) : squares(model)),
  );
});
