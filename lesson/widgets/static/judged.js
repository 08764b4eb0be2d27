// Judged runs: 43 ticked lists as squares, one guess, the verdicts, and twelve of the lists to judge.

import { button, card, folded, guessing, hidden, keys, slide, status } from "./components.js";
import { b, div, h, h3, ol, p, section, span, strong, svg } from "./dom.js";
import { clamp, press, widgetOf } from "./input.js";
import { focusOn, set, turn, view } from "./view.js";

/**
 * A run as a square; `told` is its number if its list can be opened.
 * @typedef {{ look: string, told: string, isRound: boolean, name: string, facts: string }} Square
 *
 * A told run: for each point the items that cover it (`on`), and what the files show (`fates`). A
 * witness has a name, what it says, and whether that is no; `no` is by choice.
 * @typedef {{ number: string, name: string, job: string, points: string[], items: string[],
 *   ticked: string, on: number[][], fates: string[], said: string, status: string,
 *   witnesses: [string, string, boolean][], no: Record<string, boolean>, isWrong: boolean,
 *   why: string, fair: string[], lesson: string, source: string, original: string,
 *   link: string }} Judged
 *
 * @typedef {{ title: string, lede: string, question: string, total: number,
 *   jobs: [string, Square[][]][], models: string[], counts: string[][], answer: string[],
 *   follows: string, not: string, follow: string[], runs: Judged[] }} State
 *
 * What the reader did: an item for each point, 0 for "in no task"; the point that gets the next
 * line; whether the other lines are skipped; what can say no; whether the verdict is shown.
 * @typedef {{ lines?: Record<number, number>, point?: number, skipped?: boolean,
 *   chosen?: string[], judged?: boolean }} Play
 */

/** @type {Record<string, string>} */
const SIGNS = { passed: "✓", failed: "✕", "no build": "▬", done: "✓" };
/** Who can say no, and how: the last one is that nobody does. */
const CHOICES = [
  ["request", "the request", "compared with the files"],
  ["build", "the build", "it puts the app together"],
  ["test", "a test", "it looks for one thing"],
  ["nobody", "nobody", "no one would notice"],
];
/** What is said of a witness that did not say no.
 * @type {Record<string, string>} */
const SILENT = {
  request: "In the files, no point of the request is missing.",
  build: "The build succeeded.",
  test: "All tests passed.",
};
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

/** @param {Model} model @param {Square} one @param {number} n */
const square = (model, one, n) => {
  const { runs } = stateOf(model);
  if (!model.get("counted")) return span(box(one, false), "✓");
  const run = runs.find(({ number }) => number === one.told);
  const isChosen = n === model.get("square");
  return h(
    "button",
    {
      type: "button",
      ...keys,
      ...box(one, true),
      tabindex: isChosen ? 0 : -1,
      title: `${one.name}. ${one.facts}`,
      "aria-label": `${one.name}: ${one.look}${run ? ". Its list opens" : ""}`,
      "aria-current": isChosen ? "true" : null,
      onclick: run
        ? turn(model, TITLE, { square: n, opened: one.told })
        : () => set(model, { square: n }),
    },
    "✓",
  );
};

/** Choose another square by its keys. @param {Model} model */
const choose = (model) => (/** @type {KeyboardEvent} */ event) => {
  const scale = { value: model.get("square"), range: [0, stateOf(model).total - 1] };
  const go = (/** @type {number} */ to) => {
    const widget = widgetOf(event);
    set(model, { square: clamp(to, scale.range[0], scale.range[1]) });
    focusOn(widget.querySelector('.al-judged-box[tabindex="0"]'));
  };
  press(slide(/** @type {any} */ (scale), go, 1))(event);
};

/** @param {Model} model */
const table = (model) => {
  const isCounted = model.get("counted");
  let n = 0;
  return h(
    "table",
    { class: "al-table al-judged-jobs", onkeydown: isCounted ? choose(model) : null },
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
              runs.map((one) => square(model, one, n++)),
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
  const { answer, follows, not, follow, runs, jobs } = stateOf(model);
  const guess = model.get("guess");
  const next = runs.find((run) => !playOf(model, run).judged);
  const { name, facts } = jobs.flatMap(([, series]) => series.flat())[model.get("square")];
  const sentence = (/** @type {string} */ words) => p("", b(not), words);
  return [
    h(
      "h3",
      { class: "al-judged-count", tabindex: -1 },
      span("al-judged-figure", answer[0], " "),
      `${answer[1]}.`,
      guess !== null && span("al-note", ` You said ${guess}.`),
    ),
    p({ class: "al-note", role: "status" }, b(`${name}. `), facts),
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

/** Return the path from a point to an item, in a drawing of 100 x 100.
 * @param {number} point @param {number} item 0 for "in no task" @param {Judged} run */
const path = (point, item, { points, items }) => {
  const start = ((point + 0.5) / points.length) * 100;
  const end = (((item || items.length + 1) - 0.5) / (items.length + 1)) * 100;
  return `M0 ${start}C50 ${start} 50 ${end} 100 ${end}`;
};

/** Return the lines to draw: the reader's; once the verdict is shown, the true ones over them.
 * @param {Play} play @param {Judged} run */
const paths = ({ lines = {}, judged }, run) => {
  const own = Object.entries(lines).map(([point, item]) => [Number(point), item]);
  const real = run.on.flatMap((items, point) =>
    (items.length ? items : [0]).map((n) => [point, n]),
  );
  const look = (/** @type {number[]} */ [, item]) => (item ? "" : "al-judged-gap");
  const draw = (/** @type {number[][]} */ some, /** @type {string} */ more) =>
    some.map((line) => h("path", { class: [more, look(line)], d: path(line[0], line[1], run) }));
  if (!judged) return draw(own, "");
  const isOther = (/** @type {number[]} */ [point, item]) =>
    item ? !run.on[point].includes(item) : run.on[point].length > 0;
  return [draw(own.filter(isOther), "al-judged-own"), draw(real, "")];
};

/** @param {number[]} items */
const name = (items) =>
  items.length ? `${items.length > 1 ? "tasks" : "task"} ${items.join(", ")}` : NO_TASK;

/** Return which point gets the next line, and the function that draws it to an item.
 * @param {Model} model @param {Judged} run */
const linkOf = (model, run) => {
  const { lines = {}, point, judged, skipped } = playOf(model, run);
  const next = point ?? run.points.findIndex((_, n) => !(n in lines));
  const isDrawing = !judged && !skipped && next >= 0;
  const link = (/** @type {number} */ to) =>
    isDrawing &&
    set(model, played(model, run, { lines: { ...lines, [next]: to }, point: undefined }));
  return { next: isDrawing ? next : -1, link };
};

/** Draw the points, the items, and the lines between them. They are pressed until the verdict.
 * @param {Model} model @param {Judged} run */
const desk = (model, run) => {
  const play = playOf(model, run);
  const { lines = {}, judged, skipped } = play;
  const { next, link } = linkOf(model, run);
  /** @param {Child} content @param {() => void} action @param {Record<string, any>} props */
  const part = (content, action, { look, ...props } = {}) =>
    judged || skipped
      ? div(["al-judged-part", look], content)
      : button(content, action, { ...props, class: ["al-judged-part", look] });
  const ask = (/** @type {string} */ text, /** @type {number} */ n) => {
    const fate = judged ? run.fates[n] : "";
    const place = judged ? run.on[n] : n in lines ? [lines[n]].filter(Boolean) : null;
    const words = [text, hidden(`: ${place ? name(place) : "no line yet"}`)];
    return part(
      [span("", words), fate && b(`${SIGNS[fate] ?? "✕"} ${fate}`)],
      () => set(model, played(model, run, { point: n })),
      {
        look: fate && fate !== "done" && "al-judged-bad",
        "aria-current": n === next ? "true" : null,
      },
    );
  };
  const task = (/** @type {string} */ text, /** @type {number} */ n) =>
    part([span("al-judged-box", "✓"), hidden("ticked: "), `${n + 1} ${text}`], () => link(n + 1));
  return div(
    "al-judged-desk",
    h3("What the user asked for"),
    h3("The agent’s list, ", span("al-note", run.ticked)),
    ol("", run.points.map(ask)),
    svg("al-svg al-judged-lines", [0, 0, 100, 100], paths(play, run)),
    ol("", [...run.items.map(task), part(NO_TASK, () => link(0))]),
  );
};

/** Ask for the lines, then who can say no: one question at a time.
 * @param {Model} model @param {Judged} run */
const judge = (model, run) => {
  const { lines = {}, skipped, chosen = [] } = playOf(model, run);
  const open = run.points.length - Object.keys(lines).length;
  if (open && !skipped)
    return div(
      "al-transport",
      status([
        b("Draw the lines. "),
        `Which task covers the framed point? Press it, or “${NO_TASK}”. ${open} to go.`,
      ]),
      button("Skip the lines", () => set(model, played(model, run, { skipped: true }))),
    );
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

/** Return what the witnesses say to what the reader has chosen.
 * @param {Judged} run @param {string[]} chosen */
const answer = (run, chosen) => {
  const words = (/** @type {string[]} */ some) =>
    join(CHOICES.filter(([key]) => some.includes(key)).map(([, name]) => name));
  const no = Object.keys(run.no).filter((key) => run.no[key]);
  const right = chosen.filter((key) => no.includes(key));
  const missed = no.filter((key) => !chosen.includes(key));
  const silent = chosen.flatMap((key) => (run.no[key] ? [] : (SILENT[key] ?? [])));
  const isNobody = chosen.includes("nobody");
  return [
    `You said: ${words(chosen)}.`,
    right.length > 0 && `Right: ${words(right)} said no.`,
    ...silent,
    missed.length > 0 && `${right.length ? "Also" : "But"} ${words(missed)} said no.`,
    run.isWrong && "That test is wrong.",
    no.length === 0 && (isNobody ? "Right: nothing said no." : "Nothing said no."),
  ]
    .filter(Boolean)
    .join(" ");
};

/** @param {Judged} run */
const verdict = ({ witnesses, lesson, why, fair, said }) => [
  p("al-note", "Blue: the task that covers the point. Dashed: no task does. Dotted: your line."),
  div(
    "al-judged-witnesses",
    witnesses.map(([name, words, isNo]) =>
      p({ class: ["al-aside", isNo && "al-judged-no"] }, b(`${name} `), words),
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
