// Judged runs: lines from the wishes to the items, one tap to judge, the verdict, and all lists.

import { button, card, folded, hidden, keys, status } from "./components.js";
import { b, div, h, h3, ol, p, section, span, strong, svg, ul } from "./dom.js";
import { elementOf, press } from "./input.js";
import { set, turn, view } from "./view.js";

/**
 * A run: for each wish the items that cover it (`on`), the same in words (`places`), and what the
 * files show of it (`fates`). A witness has a name, what it says, "no" or "", and more words.
 * `no` says which choices did say no; `isWrong` that it was a test that is wrong.
 * @typedef {{ number: string, name: string, label: string, source: string, original: string,
 *   link: string, items: string[], title: string, ticked: string, on: number[][],
 *   places: string[], fates: string[], said: string, status: string, witnesses: string[][],
 *   why: string, fair: string, reason: string[], no: Record<string, boolean>,
 *   isWrong: boolean }} Judged
 *
 * One run, or two of the same job.
 * @typedef {{ step: string, name: string, job: string[], wishes: string[], lesson: string,
 *   runs: Judged[] }} Screen
 *
 * All lists: a row for each job. The boxes of runs have a verdict and a model each.
 * @typedef {{ looks: string[][], words: string }} Boxes
 * @typedef {{ total: number, answer: string, question: string, rows: [string, Boxes, Boxes][],
 *   counts: string[][], models: string[][], notes: string[], follows: string,
 *   not: string, follow: string[] }} End
 *
 * What the reader did: an item for each wish, 0 for "in no task"; the wish that gets the next line;
 * and the judgement.
 * @typedef {{ lines?: Record<number, number>, wish?: number, choice?: string }} Play
 *
 * @typedef {{ title: string, lede: string, rules: string, asked: string[],
 *   screens: Screen[], more: Screen[], end: End | null }} State
 */

/** @type {Record<string, string>} */
const SIGNS = { list: "✓", passed: "✓", done: "✓", "no build": "▬" };
/** What a reader may answer, and what it means. The first one is "yes". */
const CHOICES = [
  ["finished", "Finished", ""],
  ["wishes", "the wishes", "compared with the files"],
  ["build", "the build", "it puts the app together"],
  ["test", "a test", "it looks for one thing"],
  ["nobody", "nobody", "no one notices"],
];
const [OTHERWISE, AGREE] = ["The verdict says otherwise", "You and the verdict agree"];
const UNFAIR = [
  `${OTHERWISE}, but our reading of the files is on your side.`,
  `${AGREE}, but our reading of the files says otherwise.`,
];
/** By how fair we call a verdict: what is said to a reader whom it contradicts, or who agrees.
 * @type {Record<string, string[]>} */
const READINGS = {
  Fair: [`${OTHERWISE}, and so does our reading of the files.`, `${AGREE}.`],
  "Half fair": [`${OTHERWISE}, and it can be argued.`, `${AGREE}, and still it can be argued.`],
  Unfair: UNFAIR,
  "Too kind": UNFAIR,
};
/** What is said to a reader who names a witness: it did not say no, or it did.
 * @type {Record<string, string[]>} */
const SAYS = {
  wishes: [
    "In the files, each wish looks done.",
    "Compared with the files, the wishes did say no.",
  ],
  build: ["The build succeeded.", "The build did say no."],
  test: ["All tests passed.", "A test did say no."],
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

/** @param {string} look */
const box = (look, more = "") =>
  span(`al-mark al-judged-box al-${look.replace(" ", "-")} ${more}`, SIGNS[look] ?? "✕");

/** @param {number} item */
const nameOf = (item) => (item ? `task ${item}` : NO_TASK);

/** @param {string} heading @param {...Child} content */
const part = (heading, ...content) => section("", h3(heading), content);

/** @param {Judged} run */
const source = ({ source: words, link, original }) =>
  p("al-note", `${words} `, h("a", { href: link, target: "_blank", rel: "noreferrer" }, original));

/** @param {Judged} run */
const said = (run) => p("al-aside", b("Its last message. "), run.said);

/** @param {string} text @param {number} n */
const item = (text, n) => [box("list"), hidden("ticked: "), `${n + 1} ${text}`];

/** @param {Judged} run */
const list = ({ items }) => ol("al-judged-list", items.map(item));

/** Draw the wishes, the items, and a line for each wish that has one.
 * @param {Model} model @param {Screen} screen */
const desk = (model, { wishes, runs: [run] }) => {
  const { lines = {}, wish } = playOf(model, run);
  const without = wishes.flatMap((_, n) => (n in lines ? [] : [n]));
  const next = wish ?? without[0];
  const link = (/** @type {number} */ to) =>
    next !== undefined &&
    set(model, played(model, run, { lines: { ...lines, [next]: to }, wish: undefined }));
  const targets = [NO_TASK, ...run.items]; // by number
  const last = run.items.length;
  const paths = Object.entries(lines).map(([n, to]) => {
    const start = ((Number(n) + 0.5) / wishes.length) * 100;
    const end = (((to || last + 1) - 0.5) / targets.length) * 100;
    const look = to ? "" : "al-judged-gap";
    return h("path", { class: look, d: `M0 ${start}C50 ${start} 50 ${end} 100 ${end}` });
  });
  const says = without.length
    ? [
        b("Draw the lines. "),
        `Tap the task that covers the framed wish, or “${NO_TASK}”. ${without.length} to go. `,
        `Keys: 0 to ${last}.`,
      ]
    : "The lines are drawn. To change one, tap its wish and then a task.";
  return [
    status(says),
    div(
      {
        class: "al-judged-desk",
        onkeydown: press(Object.fromEntries(targets.map((_, n) => [String(n), () => link(n)]))),
      },
      h3("What the user wished"),
      h3(run.title, span("al-note", run.ticked)),
      ul(
        "",
        wishes.map((words, n) => {
          const place = hidden(n in lines ? `: ${nameOf(lines[n])}` : ": no line yet");
          const look = { "aria-current": n === next ? "true" : null };
          return button([words, place], () => set(model, played(model, run, { wish: n })), look);
        }),
      ),
      svg("al-svg al-judged-lines", [0, 0, 100, 100], paths),
      ol("", [
        ...run.items.map((text, n) => button(item(text, n), () => link(n + 1))),
        button(`0 ${NO_TASK}`, () => link(0)),
      ]),
    ),
  ];
};

/** Draw where each wish is on each list, and once the verdict is open, what the files show.
 * @param {Model} model @param {Screen} screen @param {boolean} isOpen */
const wishList = (model, { wishes, runs }, isOpen) => {
  const place = (/** @type {Judged} */ run, /** @type {number} */ n) => {
    const fate = isOpen ? run.fates[n] : "";
    const mine = playOf(model, run).lines?.[n];
    const isSame = mine === undefined || (mine ? run.on[n].includes(mine) : !run.on[n].length);
    return span(
      ["al-judged-place", !run.on[n].length && "al-bad"],
      run.label && `${run.label}: `,
      run.places[n],
      fate &&
        h("b", { class: fate === "done" ? "al-good" : "al-bad" }, `, ${fate} `, SIGNS[fate] ?? "✕"),
      isOpen && !isSame && span("al-note", ` (your line: ${nameOf(mine)})`),
    );
  };
  return part(
    "What the user wished",
    ol(
      "al-judged-wishes",
      wishes.map((words, n) => [words, runs.map((run) => place(run, n))]),
    ),
  );
};

/** @param {Model} model @param {Screen} screen */
const judge = (model, screen) => {
  const { asked, rules, screens } = stateOf(model);
  const isFirst = screen === screens[0];
  const open = screen.runs.filter((run) => !playOf(model, run).choice).map(({ label }) => label);
  const ask = (/** @type {Judged} */ run) => {
    const options = CHOICES.map(([key, name, words]) => {
      const choose = turn(model, ".al-judged-verdict", played(model, run, { choice: key }));
      const look = { "aria-pressed": String(playOf(model, run).choice === key) };
      return button([name, isFirst && words && span("al-note", words)], choose, look);
    });
    const question = `${run.label && `${run.label}: `}${asked[0]}`;
    return div(
      { class: "al-transport", role: "group", "aria-label": question },
      h3(question),
      options[0],
      span("", asked[1]),
      options.slice(1),
      span(
        { class: "al-judged-waits", role: "status" },
        playOf(model, run).choice && `Now judge ${open}: then both verdicts are shown.`,
      ),
    );
  };
  return section("al-judged-judge", screen.runs.map(ask), isFirst && p("al-note", rules));
};

/** Repeat the reader's choice. @param {string} choice */
const yours = (choice) => {
  const [, name] = CHOICES.find(([key]) => key === choice) ?? [];
  return choice === "finished" ? "You: finished. " : `You: not finished, and ${name} can say no. `;
};

/** @param {Judged} run @param {string} choice */
const isAgreed = ({ status }, choice) => (choice === "finished") === (status === "passed");

/** Return what the verdict and our reading say to a reader's choice, and what did say no.
 * @param {Judged} run @param {string} choice */
const answer = (run, choice) => {
  const saysNo = run.no[choice];
  const test = run.isWrong ? "a test, which is wrong" : "a test";
  const names = Object.entries({ build: "the build", test, wishes: "the wishes" })
    .filter(([key]) => run.no[key] && key !== choice)
    .map(([, name]) => name);
  const words = [names.slice(0, -1).join(", "), ...names.slice(-1)].filter(Boolean).join(" and ");
  const rest = words ? `${saysNo ? "So did" : "What said no:"} ${words}.` : "";
  const said = SAYS[choice]?.[Number(saysNo)] ?? (words ? "" : "Nothing said no.");
  const reading = READINGS[run.fair][Number(isAgreed(run, choice))];
  return [reading, said, rest].filter(Boolean).join(" ");
};

/** @param {Model} model @param {Screen} screen */
const verdict = (model, screen) => [
  screen.runs.map((run) => {
    const choice = playOf(model, run).choice ?? "";
    return section(
      "",
      h(
        "h3",
        { class: "al-transport al-judged-verdict", tabindex: -1 },
        run.label,
        hidden("The verdict: "),
        span(`al-judged-stamp al-${run.status}`, run.status),
      ),
      p("al-aside", b(yours(choice)), answer(run, choice)),
    );
  }),
  div("al-judged-side", wishList(model, screen, true)),
  screen.runs.map((run) =>
    section(
      "al-judged-why",
      h(
        "dl",
        {},
        run.witnesses.map(([name, words, no, more]) => [
          h("dt", {}, name),
          h("dd", {}, span(no && "al-bad", words), ` ${more}`),
        ]),
      ),
      p("", b(run.label ? `${run.label}: why? ` : "Why? "), run.why),
      p("", b(run.reason[0]), run.reason[1]),
      folded(`${run.title}${run.ticked}`, list(run), said(run)),
      source(run),
    ),
  ),
];

/** @param {Model} model @param {Screen} screen */
const drawScreen = (model, screen) => {
  const { screens, lede, end } = stateOf(model);
  const { runs, job, lesson } = screen;
  const at = model.get("at");
  const look = `al-judged-beside al-judged-${runs.length}`;
  const head = p("", b(job[0]), job[1]);
  if (runs.every((run) => playOf(model, run).choice)) {
    const then = turn(model, TITLE, { at: Math.min(at + 1, screens.length) });
    const next =
      at + 1 < screens.length
        ? "Next"
        : at < screens.length
          ? "And all the lists?"
          : "Back to all lists";
    return [
      head,
      div(look, verdict(model, screen)),
      div(
        "al-transport al-judged-next",
        p("", strong(lesson)),
        end && button(next, then, { class: "al-main" }),
      ),
    ];
  }
  const isFirst = screen === screens[0];
  const listed = (/** @type {Judged} */ run) =>
    part(`${run.title}${run.ticked}`, list(run), said(run), source(run));
  return [
    isFirst && p("", lede),
    head,
    isFirst
      ? [desk(model, screen), said(runs[0]), source(runs[0])]
      : div(look, wishList(model, screen, false), runs.map(listed)),
    judge(model, screen),
  ];
};

/** @param {Model} model */
const tally = (model) => {
  const { screens, more } = stateOf(model);
  const runs = [...screens, ...more].flatMap((screen) => screen.runs);
  const choiceOf = (/** @type {Judged} */ run) => playOf(model, run).choice ?? "";
  const judged = runs.filter(choiceOf);
  const agreed = judged.filter((run) => isAgreed(run, choiceOf(run)));
  const doubted = judged.filter((run) => run.fair !== "Fair");
  return folded(
    `You and the verdict agree in ${agreed.length} of ${judged.length} runs. ` +
      `In ${doubted.length}, the verdict itself can be doubted.`,
    ul(
      "",
      judged.map((run) => [
        b(`${run.name}: ${run.status}, ${run.fair.toLowerCase()}. `),
        yours(choiceOf(run)),
      ]),
    ),
  );
};

/** @param {End} end @param {boolean} isCounted */
const table = ({ rows, models }, isCounted) => {
  const boxes = (/** @type {Boxes} */ { looks, words }) =>
    h(
      "td",
      {},
      looks.map(([look, name]) =>
        box(isCounted ? look : "list", name === models[1][0] ? "al-judged-round" : ""),
      ),
      isCounted && hidden(words),
    );
  return h(
    "table",
    { class: "al-table" },
    h(
      "tr",
      {},
      ["Job", "With a ticked list", isCounted && "Without a list"].map(
        (words) => words && h("th", { scope: "col" }, words),
      ),
    ),
    rows.map(([job, lists, bare]) =>
      h("tr", {}, h("th", { scope: "row" }, job), boxes(lists), isCounted && boxes(bare)),
    ),
  );
};

/** @param {Model} model @param {End} end */
const drawEnd = (model, end) => {
  const { screens, more } = stateOf(model);
  const isCounted = model.get("counted");
  const guess = model.get("guess");
  const change = (/** @type {Event} */ event) =>
    set(model, { guess: Number(/** @type {HTMLInputElement} */ (elementOf(event)).value) });
  const range = { type: "range", min: 0, max: end.total, value: guess, ...keys, oninput: change };
  const answer = `${end.answer} You said ${guess}.`;
  return div(
    isCounted ? "al-judged-beside" : "",
    section(
      "",
      tally(model),
      h("h3", { class: "al-judged-count", tabindex: -1 }, isCounted ? answer : end.question),
      !isCounted &&
        div(
          "al-transport al-judged-next",
          h("label", {}, `Your guess: ${guess} of ${end.total} `, h("input", range)),
          button("Show the verdicts", turn(model, ".al-judged-count", { counted: true }), {
            class: "al-main",
          }),
        ),
      // A narrow page scrolls the table, so the keyboard must reach it.
      div({ class: "al-scroll", tabindex: 0 }, table(end, isCounted)),
      p(
        "al-legend",
        isCounted && end.counts.map(([look, words]) => span("", box(look), words)),
        end.models.map(([, words], n) => span("", box("list", n ? "al-judged-round" : ""), words)),
      ),
      isCounted && end.notes.map((words) => p("", words)),
    ),
    isCounted &&
      section(
        "",
        p("", strong(end.follows)),
        ul(
          "",
          end.follow.map((words) => [b(end.not), words]),
        ),
        h3("More runs to judge"),
        div(
          "al-transport",
          more.map(({ name }, n) =>
            button(name, turn(model, TITLE, { at: screens.length + 1 + n })),
          ),
        ),
      ),
  );
};

export default view((model) => {
  const { title, screens, more, end } = stateOf(model);
  const at = model.get("at");
  const screen = screens[at] ?? more[at - screens.length - 1];
  return card(
    title,
    { class: "al-judged" },
    div(
      "al-head",
      h("h2", { class: "al-judged-title", tabindex: -1 }, title),
      screen && span("al-note", at < screens.length ? screen.step : screen.name),
    ),
    div({ key: at }, screen ? drawScreen(model, screen) : end && drawEnd(model, end)),
  );
});
