// The toy of the site's front page: its reader is the reminder. The pile is what the model sees in
// the next round, the newest message at the bottom. Nothing is simulated: each state is a round of a
// run that was played, because up to the first reminder all runs with one window are the same. The
// harness repeats the reader's reminder after as many rounds, as agentlib's Nag does.

import { lettersOf, lookOf } from "./column.js";
import { button, edge, plural, thousands } from "./components.js";
import { b, div, h, li, p, span, strong } from "./dom.js";
import { cheapestOf, isFinished } from "./runs_facts.js";
import { evidenceRows, stepsDone } from "./todo_list.js";
import { movie, set } from "./view.js";

/**
 * A run; `lines` has for each of its messages the place of its line in `strings`.
 * @typedef {Measured & { lines: number[] }} Played
 *
 * A round of the run with a window and a threshold; `after` is 0 if the model is never reminded.
 * @typedef {{ size: number, after: number, round: number }} Moment
 *
 * @typedef {ReturnType<typeof factsOf>} Toy
 */

const SLOTS = 20; // messages that fill the pile; a larger window has smaller messages
const ABOVE = 3; // messages: the room above the edge
const NEAR = 2; // messages: a plan that is so close to the edge should be written again
const WAITS = 6; // the reader comes in the middle of a run, which waits for them in this round
const [FIRST_MS, SLOW_MS, FAST_MS] = [900, 650, 160]; // between two rounds
const DOUBLE_MS = 500; // so long after the end, a click is one too many
const LIST = /^(\d+) of (\d+) done/; // the line of a list

/** Return the runs with a window: reminded after 1 round, after 2, and so on, and last the one that
 * is never reminded. So the run of a threshold is `runs.at(after - 1)`, also that of 0.
 * @param {Model} model @param {number} size @returns {Played[]} */
const runsOf = (model, size) =>
  model.get("columns")[size].map((/** @type {number} */ place) => model.get("runs")[place]);

/** @param {Model} model @param {{ size: number, after: number }} setting */
const runOf = (model, { size, after }) => /** @type {Played} */ (runsOf(model, size).at(after - 1));

/** Return the threshold of a row. @param {Played[]} runs @param {number} row */
const afterOf = (runs, row) => (row + 1) % runs.length;

/** @param {string} cells */
const countReminders = (cells) => cells.replace(/[^A-Z]/g, "").length;

/** Return the first round that does not see the plan, up to the next one.
 * @param {Played} run @param {Moment} at */
const lostSince = (run, { size, round }) => {
  let first = round + 1;
  const sees = (/** @type {number} */ n) => /p/i.test(lettersOf(run.cells, size, n).slice(0, size));
  while (first > 2 && !sees(first - 1)) first -= 1;
  return first;
};

/** Return what the reader knows of the runs with a window: the thresholds that they have `tried`, the
 * `best` of them, and the `edge`, the last that finishes, if they know that one more does not.
 * @param {Model} model @param {number} size */
const knownOf = (model, size) => {
  const runs = runsOf(model, size);
  /** @type {number[]} */
  const tried = model.get("tries")[size] ?? [];
  const best = cheapestOf(
    runs.map((run, row) => (tried.includes(afterOf(runs, row)) ? run : null)),
  );
  const finishes = (/** @type {number} */ after) => isFinished(runs[after - 1]);
  const edge = tried.find(
    (after) => after && tried.includes(after + 1) && finishes(after) && !finishes(after + 1),
  );
  return { runs, tried, best: best < 0 ? null : afterOf(runs, best), edge };
};

/** Return what is known of the shown moment. @param {Model} model */
const factsOf = (model) => {
  /** @type {Moment} */
  const at = model.get("at");
  const run = runOf(model, at);
  const isOver = at.round === run.cells.length;
  // The last round has no results, so the pile is what the model saw when it ended.
  const letters = lettersOf(run.cells, at.size, isOver ? at.round : at.round + 1);
  const plan = letters.slice(0, at.size).toLowerCase().lastIndexOf("p");
  const lines = run.lines.map((line) => /** @type {string} */ (model.get("strings")[line]));
  const soFar = run.cells.slice(0, at.round);
  let steps = soFar.replace(/[^df]/gi, "").length;
  const done = run.done.replaceAll("x", () => (steps-- > 0 ? "x" : "."));
  const list = lines.slice(0, 2 * at.round).findLast((line) => LIST.test(line)) ?? "";
  const [ticked, items] = (LIST.exec(list) ?? []).slice(1).map(Number);
  const isTrue = Math.min(ticked, stepsDone(done));
  const claims = "x".repeat(isTrue) + "o".repeat(ticked - isTrue) + ".".repeat(items - ticked);
  const windows = Object.keys(model.get("columns")).map(Number);
  return {
    ...at,
    ...knownOf(model, at.size),
    model,
    /** @type {[number, number]} */
    range: [Math.min(...windows), Math.max(...windows)],
    run,
    isOver,
    isGood: isFinished(run),
    letters,
    lines: lines.slice(0, letters.length),
    said: lines[2 * at.round - 2].replace(/^.*? · /, ""),
    isLost: plan < 0,
    isNear: plan < 0 || plan >= at.size - 1 - NEAR,
    waited: at.round - 1 - soFar.toLowerCase().lastIndexOf("p"),
    reminders: countReminders(soFar),
    done: isOver ? run.done : done,
    claims: isOver ? run.claims : claims,
  };
};

// What the reader does.

/** When the last run was seen to its end, in milliseconds. */
let endedAt = 0;

/** Return whether the reader wants no motion. */
const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Return whether only the first rounds have passed, and the reader has not done anything.
 * @param {Model} model */
const isUntouched = (model) => model.get("past").length === 0;

/** Show a moment. Return whether the run goes on after it. @param {Model} model @param {Moment} at */
const show = (model, at) => {
  set(model, { at });
  const goesOn = at.round < runOf(model, at).cells.length;
  if (!goesOn) noteTry(model, at);
  return goesOn;
};

/** Show the next round. Return whether another one follows on its own: the first rounds pass until
 * the run waits for the reader. @param {Model} model */
const next = (model) => {
  const at = model.get("at");
  const isOpening = isUntouched(model);
  const round = isOpening && isStill() ? WAITS : at.round + 1;
  return show(model, { ...at, round }) && !(isOpening && round === WAITS);
};

/** Return how long a round is shown. @param {Model} model */
const pace = (model) => {
  if (isUntouched(model)) return FIRST_MS;
  const { round, after } = model.get("at");
  return round < after + 6 ? SLOW_MS : FAST_MS;
};

/** Show a moment that the reader has chosen: what was shown before can be undone.
 * @param {Model} model @param {Partial<Moment>} changes
 * @param {boolean} [isPlaying] whether the rounds after it follow */
const choose = (model, changes, isPlaying = false) => {
  const at = model.get("at");
  set(model, { past: [...model.get("past"), at], playing: false });
  const goesOn = show(model, { ...at, ...changes });
  set(model, { playing: isPlaying && goesOn });
};

/** @param {Model} model */
const undo = (model) => {
  const past = model.get("past");
  set(model, { past: past.slice(0, -1), playing: false });
  show(model, past.at(-1));
};

/** Send the reminder with the results of the shown round; the plan was written in round 1.
 * @param {Toy} shown */
const remind = ({ model, size, round }) => {
  const at = { size, round, after: round - 1 };
  if (isStill()) skip(model, at);
  else choose(model, at, true);
};

/** @param {Model} model @param {{ size: number, after: number }} setting */
const skip = (model, { size, after }) =>
  choose(model, { size, after, round: runOf(model, { size, after }).cells.length });

/** Move the edge. A run that is over stays so. @param {Toy} shown @param {number} to */
const moveEdge = ({ model, after, round, isOver }, to) => {
  const { length } = runOf(model, { size: to, after }).cells;
  set(model, { playing: false });
  show(model, { size: to, after, round: isOver ? length : Math.min(round, length) });
};

/** Note a run that was seen to its end. @param {Model} model @param {Moment} at */
const noteTry = (model, { size, after }) => {
  endedAt = performance.now();
  const tried = [...new Set([...knownOf(model, size).tried, after])];
  set(model, { tries: { ...model.get("tries"), [size]: tried } });
};

// What is drawn.

/** @param {Model} model */
const draw = (model) => {
  const shown = factsOf(model);
  const { isOver, isGood, isLost, said, claims, done } = shown;
  return div(
    { class: "agentlib al-bare al-toy", role: "group", "aria-label": "You are the reminder" },
    pile(shown),
    div("al-toy-acts", controls(shown)),
    div(
      "al-toy-words",
      headline(shown),
      div(
        ["al-bubble al-toy-said", isLost && "al-bubble-bad", isOver && !isGood && "al-toy-last"],
        !isOver && h("small", {}, "It says"),
        `“${said}”`,
      ),
      div(["al-toy-ends", !/[xo]/.test(claims) && "al-toy-modest"], evidenceRows(done, claims)),
      p("al-toy-note", note(shown)),
    ),
    tries(shown),
    p(
      { class: "al-hidden", role: "status" },
      !isUntouched(model) && spoken(shown), // not what passes on its own
    ),
  );
};

/** Draw the pile: the messages, and the edge of the window. @param {Toy} shown */
const pile = (shown) => {
  const { size, lines, isLost, range } = shown;
  return div(
    { class: "al-toy-pile", style: `--size: ${size}; --slots: ${Math.max(size, SLOTS)}` },
    div("al-toy-frame"),
    h(
      "ol",
      { "aria-label": "The messages that the model sees next" },
      lines.map((_, place) => message(shown, place)),
    ),
    edge(
      {
        label: "The window: messages that the model sees",
        value: size,
        range,
        words: `${plural(size, "message")}; the plan is ${isLost ? "out of sight" : "in sight"}`,
      },
      (around) => around.clientHeight / (SLOTS + ABOVE),
      (to) => moveEdge(shown, to),
      { class: "al-slide-edge al-toy-edge" },
      span("al-knob", "↕"),
      span("al-toy-size", strong(plural(size, "message")), " is all it sees"),
    ),
  );
};

/** Draw a message. The plan that has left stays above the edge, for the reader.
 * @param {Toy} shown @param {number} place from 0, the oldest */
const message = ({ size, letters, lines, isLost }, place) => {
  const below = letters.length - 1 - place;
  const letter = letters[below];
  const look = lookOf(letter);
  const isCall = place % 2 === 0;
  const isGhost = look === "ghost";
  const isNear = isGhost || below < size || (!isLost && below < size + 2);
  const height = isGhost ? size + 0.3 + (isCall && letters.includes("gg") ? 1 : 0) : below;
  const name = isCall && NAMES[look];
  return li(
    {
      class: ["al-toy-message", `al-toy-${look}`, !isCall && "al-toy-result"],
      style: `--below: ${height}`,
      hidden: !isNear,
      "aria-hidden": below < size ? null : "true",
    },
    span("al-one-line", name && strong(`${name} `), lines[place]),
    letter !== letter.toLowerCase() && b("▼\u00a0Update your todos."),
  );
};

/** @type {Record<string, string>} */
const NAMES = { plan: "≡ its plan:", short: "≡ a short plan:", ghost: "≡ its plan, out of sight:" };

/** Draw the two buttons. The dark or violet one is what to press now. @param {Toy} shown */
const controls = (shown) => {
  const { model, size, after, round, runs, isOver, isNear, edge, range } = shown;
  const main = { class: "al-main" };
  // Begin again with the first round after the plan.
  const again = (/** @type {number} */ to) => {
    if (performance.now() > endedAt + DOUBLE_MS) choose(model, { size: to, after: 0, round: 2 });
  };
  if (isOver) {
    const [least, most] = range;
    const other = size > least ? Math.max(size - 4, least) : most;
    const label = `Try a ${other < size ? "smaller" : "larger"} window`;
    const tasks = document.getElementById("tasks");
    return [
      act("Try again", "from the plan on", () => again(size), edge ? {} : main),
      edge && tasks
        ? act("And real models?", "500 tasks", () => tasks.scrollIntoView(), main)
        : act(label, plural(other, "message"), () => again(other)),
    ];
  }
  const canRemind = after === 0 && round > 1 && round <= runs.length;
  const [work, press] = canRemind && isNear ? [{}, { class: "al-toy-press" }] : [main, {}];
  return [
    model.get("playing") && !isUntouched(model)
      ? act("Skip to the end", "", () => skip(model, shown), work)
      : act("Let it work", "one more round", () => choose(model, { round: round + 1 }), work),
    act("▼\u00a0Remind it", "“Update your todos.”", () => remind(shown), {
      ...press,
      off: !canRemind,
    }),
  ];
};

/** @param {string} label @param {string} more @param {() => void} action
 * @param {Record<string, any>} [props] */
const act = (label, more, action, props) => button([label, h("small", {}, more)], action, props);

/** Draw the round, and a way back. @param {Toy} shown */
const headline = ({ model, size, round, run, isOver, isLost, waited, edge }) => {
  const lost = `its plan is out of sight from round ${lostSince(run, { size, after: 0, round })}`;
  const since = waited
    ? `${plural(waited, "round")} since its plan`
    : "it has just written its plan";
  return div(
    "al-head",
    isOver
      ? strong(edge ? "You found the edge." : `Its last words, in round ${round}`)
      : [strong(`Round ${round} `), span(isLost ? "al-bad" : "al-note", isLost ? lost : since)],
    button("Undo", () => undo(model), { class: "al-switch", off: isUntouched(model) }),
  );
};

/** Say what the reader can do, or what came of it. @param {Toy} shown */
const note = ({ after, run, isOver, isGood, isLost, reminders, edge }) => {
  const found = edge
    ? `After ${plural(edge, "round")} it works, after ${edge + 1} it does not. `
    : "";
  if (isOver && !isGood) return found + run.why.replaceAll("*", "");
  if (isOver && edge) return `${found}Where is the edge with another window?`;
  if (isOver) {
    const cost = `${plural(reminders, "reminder")}, ${thousands(run.tokens)} thousand tokens.`;
    return `${cost} Do you dare to wait longer?`;
  }
  if (after) {
    const rounds = plural(after, "round");
    return `It was reminded after ${rounds}. The harness now does so after every ${rounds} without a new list.`;
  }
  if (isLost) return "From here on it improvises, because nothing that it sees says what is left.";
  const cost = "A reminder costs tokens, because the model answers it with its whole list.";
  return `${cost} How long do you dare to wait?`;
};

/** Draw the reader's tries with this window, once there is one: what each cost, or that it failed.
 * @param {Toy} shown */
const tries = (shown) => {
  const { after, isOver, runs, tried, best } = shown;
  if (tried.length === 0) return null;
  const most = Math.max(...runs.filter(isFinished).map(({ tokens }) => tokens));
  const told = runs.map((run, row) => `${nameOf(afterOf(runs, row))}: ${describe(run)}.`);
  const isTried = (/** @type {number} */ row) => tried.includes(afterOf(runs, row));
  return div(
    { class: "al-toy-tries", style: `--most: ${runs.length - 1}` },
    strong("What your runs cost, reminded after so many rounds"),
    p("al-note", compare(shown)),
    div(
      {
        class: "al-toy-plot",
        role: "img",
        "aria-label": told.filter((_, row) => isTried(row)).join(" "),
      },
      runs.map((run, row) =>
        div(
          ["al-toy-try", isOver && afterOf(runs, row) === after && "al-toy-now"],
          isTried(row) && bar(run, most, afterOf(runs, row) === best),
        ),
      ),
    ),
    div(
      { class: "al-note al-toy-axis", "aria-hidden": "true" },
      runs.map((_, row) => span({}, afterOf(runs, row) || "never")),
    ),
  );
};

/** Say what the best try cost: against the safest, or against a run that failed. @param {Toy} shown */
const compare = ({ run, runs, isOver, isGood, edge, best }) => {
  const costOf = (/** @type {Played} */ { tokens }) => `${thousands(tokens)}k`;
  const [safest] = runs; // reminded after every round
  if (edge)
    return `The last in time: ${costOf(runs[edge - 1])} tokens. The safest: ${costOf(safest)}.`;
  if (best === null) return "A run that fails is crossed out.";
  const found = /** @type {Played} */ (runs.at(best - 1));
  if (!isOver || isGood) return `Best: ${describe(found)}.`;
  const [saved, lost] = [thousands(found.tokens - run.tokens), 10 - stepsDone(run.done)];
  return `Best: ${costOf(found)} tokens. This one saved ${saved}k and lost ${plural(lost, "step")}.`;
};

/** @param {Played} run @param {number} most @param {boolean} isBest */
const bar = (run, most, isBest) =>
  isFinished(run)
    ? [
        b(isBest && "★"),
        b(`${thousands(run.tokens)}k`),
        h("i", { style: `height: ${(run.tokens / most) * 72}%` }, `${countReminders(run.cells)}▼`),
      ]
    : h("s", {}, span({}, `${stepsDone(run.done)} of 10`));

/** @param {number} after */
const nameOf = (after) => (after ? `Reminded after ${plural(after, "round")}` : "Never reminded");

/** @param {Played} run */
const describe = (run) =>
  isFinished(run)
    ? `${plural(countReminders(run.cells), "reminder")}, ${thousands(run.tokens)}k tokens`
    : `failed with ${stepsDone(run.done)} of 10`;

/** Say what is shown, for readers who do not see it. While the rounds follow on their own, this
 * stays the same. @param {Toy} shown */
const spoken = (shown) => {
  const { model, after, round, run, isOver, isLost, said } = shown;
  if (isOver) return `The run ended in round ${round}: “${said}” ${run.outcome}. ${note(shown)}`;
  if (model.get("playing")) return `${nameOf(after)}. It works on.`;
  return `Round ${round}: “${said}” Its plan is ${isLost ? "out of sight" : "in sight"}.`;
};

export default movie(draw, next, pace);
