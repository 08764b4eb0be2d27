// The reader is the reminder: a run on its tape, and below it what the model sees next, message by
// message. Nothing is simulated: each state is a round of a run that was played, because up to the
// first reminder all runs with one window are the same. The harness repeats the reader's reminder
// after as many rounds, as agentlib's Nag does.

import { lettersOf, lookOf } from "./column.js";
import { button, card, edge, plural, thousands } from "./components.js";
import { b, div, h, li, p, span, strong } from "./dom.js";
import { isFinished } from "./runs_facts.js";
import { tape, windowFrame, windowStart } from "./tape.js";
import { evidenceRows, stepsDone } from "./todo_list.js";
import { movie, set } from "./view.js";

/**
 * A run; `lines` has for each of its messages the place of its line in `strings`.
 * @typedef {Measured & { lines: number[] }} Played
 *
 * The runs by window: reminded after 1 round, after 2, and so on, and last the one that is never
 * reminded. `columns` has their places in `runs`. `reminder` is what the reminder says.
 * @typedef {{ strings: string[], runs: Played[], columns: Record<string, number[]>,
 *   reminder: string }} Contents
 *
 * A round of the run with a window and a threshold; `after` is 0 if the model is never reminded.
 * @typedef {{ size: number, after: number, round: number }} Moment
 *
 * @typedef {ReturnType<typeof factsOf>} Facts
 */

const LENGTH = 28; // rounds: nearly all runs are shorter
const NEAR = 2; // messages: a plan that is so close to the edge should be written again
const WAITS = 6; // the reader comes in the middle of a run, which waits for them in this round
const [FIRST_MS, SLOW_MS, FAST_MS] = [900, 650, 160]; // between two rounds
const LIST = /^(\d+) of (\d+) done/; // the line of a list

/** Return the runs with a window. That of a threshold is `runs.at(after - 1)`, also that of 0.
 * @param {Model} model @param {number} size @returns {Played[]} */
const runsOf = (model, size) => {
  /** @type {Contents} */
  const { runs, columns } = model.get("state");
  return columns[size].map((place) => runs[place]);
};

/** @param {Model} model @param {{ size: number, after: number }} setting */
const runOf = (model, { size, after }) => /** @type {Played} */ (runsOf(model, size).at(after - 1));

/** Return what is known of the shown moment. @param {Model} model */
const factsOf = (model) => {
  /** @type {Contents} */
  const { strings, columns, reminder } = model.get("state");
  /** @type {Moment} */
  const at = model.get("at");
  const runs = runsOf(model, at.size);
  const run = runOf(model, at);
  const isOver = at.round === run.cells.length;
  // The last round has no results, so the pile is what the model saw when it ended.
  const letters = lettersOf(run.cells, at.size, isOver ? at.round : at.round + 1);
  const plan = letters.slice(0, at.size).toLowerCase().lastIndexOf("p");
  const lines = run.lines.map((line) => strings[line]);
  const soFar = run.cells.slice(0, at.round);
  let steps = [...run.steps.slice(0, at.round)].reduce((sum, digit) => sum + Number(digit), 0);
  const done = run.done.replaceAll("x", () => (steps-- > 0 ? "x" : "."));
  const list = lines.slice(0, 2 * at.round).findLast((line) => LIST.test(line)) ?? "";
  const [ticked, items] = (LIST.exec(list) ?? []).slice(1).map(Number);
  const isTrue = Math.min(ticked, stepsDone(done));
  const claims = "x".repeat(isTrue) + "o".repeat(ticked - isTrue) + ".".repeat(items - ticked);
  /** @type {number[]} the thresholds that the reader has seen to the end, with this window */
  const tried = model.get("tries")[at.size] ?? [];
  const finishes = (/** @type {number} */ after) => isFinished(runs[after - 1]);
  const windows = Object.keys(columns).map(Number);
  return {
    ...at,
    model,
    reminder,
    /** @type {[number, number]} */
    range: [Math.min(...windows), Math.max(...windows)],
    runs,
    run,
    tried,
    // The last threshold that finishes, if the reader knows that one more does not
    edge: tried.find(
      (after) => after && tried.includes(after + 1) && finishes(after) && !finishes(after + 1),
    ),
    isOver,
    isGood: isFinished(run),
    letters,
    lines: lines.slice(0, letters.length),
    said: lines[2 * at.round - 2].replace(/^.*? · /, ""),
    isLost: plan < 0,
    isNear: plan < 0 || plan >= at.size - 1 - NEAR,
    waited: at.round - 1 - soFar.toLowerCase().lastIndexOf("p"),
    reminders: soFar.replace(/[^A-Z]/g, "").length,
    done: isOver ? run.done : done,
    claims: isOver ? run.claims : claims,
  };
};

// What the reader does.

/** @param {Model} model */
const isUntouched = (model) => !model.get("touched");

const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Show a moment. Return whether the run goes on. @param {Model} model @param {Moment} at */
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

/** Show a moment that the reader has chosen.
 * @param {Model} model @param {Partial<Moment>} changes
 * @param {boolean} [isPlaying] whether the rounds after it follow */
const choose = (model, changes, isPlaying = false) => {
  const at = model.get("at");
  set(model, { touched: true, playing: false });
  const goesOn = show(model, { ...at, ...changes });
  set(model, { playing: isPlaying && goesOn });
};

/** Send the reminder with the results of the shown round; the plan was written in round 1.
 * @param {Facts} facts */
const remind = ({ model, size, round }) => {
  const at = { size, round, after: round - 1 };
  if (isStill()) skip(model, at);
  else choose(model, at, true);
};

/** @param {Model} model @param {{ size: number, after: number }} setting */
const skip = (model, { size, after }) =>
  choose(model, { size, after, round: runOf(model, { size, after }).cells.length });

/** Move the reminder along the tape: the run with that threshold is shown to its end.
 * @param {Facts} facts @param {number} to the threshold; one more than the last is never */
const moveReminder = ({ model, size, after, isOver, runs }, to) => {
  const chosen = to % runs.length;
  if (chosen !== after || !isOver) skip(model, { size, after: chosen });
};

/** Move the edge. A run that is over stays so. @param {Facts} facts @param {number} to */
const moveEdge = ({ model, after, round, isOver }, to) => {
  const { length } = runOf(model, { size: to, after }).cells;
  set(model, { playing: false });
  show(model, { size: to, after, round: isOver ? length : Math.min(round, length) });
};

/** Note a run that was seen to its end. @param {Model} model @param {Moment} at */
const noteTry = (model, { size, after }) => {
  const tries = model.get("tries");
  set(model, { tries: { ...tries, [size]: [...new Set([...(tries[size] ?? []), after])] } });
};

// What is drawn.

/** @param {Model} model */
const draw = (model) => {
  const facts = factsOf(model);
  const { isOver, isGood, isLost, said, claims, done } = facts;
  return card(
    "You are the reminder",
    { class: "al-remind" },
    headline(facts),
    drawTape(facts),
    div(
      "al-remind-body",
      pile(facts),
      div(
        "al-remind-side",
        div("al-remind-acts", controls(facts)),
        div(
          ["al-aside al-remind-said", isLost && "al-aside-bad", isOver && !isGood && "al-last"],
          !isOver && h("small", {}, "It says"),
          `“${said}”`,
        ),
        div(["al-remind-ends", !/[xo]/.test(claims) && "al-modest"], evidenceRows(done, claims)),
        p("al-remind-note", note(facts)),
      ),
    ),
    p(
      { class: "al-hidden", role: "status" },
      !isUntouched(model) && spoken(facts), // not what passes on its own
    ),
  );
};

/** Return how many rounds the tape is long. @param {Facts} facts */
const lengthOf = ({ round }) => Math.max(LENGTH, round);

/** Draw the run so far on its tape, with the window as a frame over it, the reminder that can be
 * dragged, and below it how the reader's tries have ended. @param {Facts} facts */
const drawTape = (facts) => {
  const { run, size, after, round, isOver, isGood, runs, tried } = facts;
  const request = isOver ? round : round + 1;
  const start = windowStart(request, size);
  return div(
    { class: "al-remind-run", style: `--rounds: ${lengthOf(facts)}` },
    div(
      "al-remind-track",
      tape(
        run.cells.slice(0, round),
        {
          isFinished: isGood,
          steps: run.steps,
          length: lengthOf(facts),
          seenFrom: isOver ? 0 : Math.ceil(start), // a run that is over is shown as a whole
        },
        windowFrame(start, request - 1),
      ),
      windowEdge(facts, start),
      handle(facts),
    ),
    div(
      { class: "al-remind-tries", "aria-hidden": "true" },
      runs.map((one, row) => {
        const threshold = (row + 1) % runs.length;
        if (!threshold || !tried.includes(threshold)) return null;
        const look = [isFinished(one) ? "al-good" : "al-bad", threshold === after && "al-now"];
        return span(
          { class: look, style: `--at: ${threshold + 1}` },
          isFinished(one) ? "✓" : `✗${stepsDone(one.done)}`,
        );
      }),
    ),
  );
};

/** Draw the left edge of the frame: a larger window reaches further back.
 * @param {Facts} facts @param {number} start */
const windowEdge = (facts, start) => {
  const { size, isLost, range } = facts;
  return edge(
    {
      label: "The window: messages that the model sees",
      value: size,
      range,
      words: `${plural(size, "message")}; the plan is ${isLost ? "out of sight" : "in sight"}`,
    },
    (track) => -track.clientWidth / lengthOf(facts) / 2, // a round is two messages
    (to) => moveEdge(facts, to),
    { class: "al-remind-edge", style: `--at: ${start}` },
    span("al-grip", "⋮"),
  );
};

/** Draw the reminder above the round that reads it. @param {Facts} facts */
const handle = (facts) => {
  const { after, round, runs, run, isOver } = facts;
  // Before it is sent, it is above the next round; a run that ended without it has it at its end.
  const place = after > 0 ? after + 1 : isOver ? run.cells.length : round;
  return edge(
    {
      label: "The reminder: after so many rounds",
      value: place - 1, // threshold 1 is read in the third square, whose place is 2
      range: [1, runs.length],
      words: after > 0 ? `after ${plural(after, "round")}` : "never reminded",
    },
    (track) => track.clientWidth / lengthOf(facts),
    (to) => moveReminder(facts, to),
    { class: ["al-remind-handle", after > 0 && "al-sent"], style: `--at: ${place}` },
    after > 0 ? `after ${after}` : "drag",
  );
};

/** Draw the pile: the window of the tape, opened, the newest message at the bottom.
 * @param {Facts} facts */
const pile = (facts) => {
  const { size, lines } = facts;
  return div(
    { class: "al-remind-pile", style: `--size: ${size}` },
    div("al-remind-size", strong(plural(size, "message")), " are all that it sees"),
    h(
      "ol",
      { "aria-label": "The messages that the model sees next" },
      lines.map((_, place) => message(facts, place)),
    ),
  );
};

/** Draw a message. The plan that has left stays above the edge, for the reader.
 * @param {Facts} facts @param {number} place from 0, the oldest */
const message = ({ size, letters, lines, isLost, reminder }, place) => {
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
      class: ["al-remind-message", `al-is-${look}`, !isCall && "al-is-result"],
      style: `--below: ${height}`,
      hidden: !isNear,
      "aria-hidden": below < size ? null : "true",
    },
    span("al-one-line", name && strong(`${name} `), lines[place]),
    letter !== letter.toLowerCase() && b(`▼\u00a0${reminder}`),
  );
};

/** @type {Record<string, string>} */
const NAMES = { plan: "≡ its plan:", short: "≡ a short plan:", ghost: "≡ its plan, out of sight:" };

/** Draw the two buttons. The dark or violet one is what to press now. @param {Facts} facts */
const controls = (facts) => {
  const { model, size, after, round, runs, isOver, isNear, edge, range, reminder } = facts;
  const main = { class: "al-main" };
  // Begin again with the first round after the plan.
  const again = (/** @type {number} */ to) => choose(model, { size: to, after: 0, round: 2 });
  if (isOver) {
    const [least, most] = range;
    const other = size < most ? Math.min(size + 4, most) : least;
    const label = `A ${other < size ? "smaller" : "larger"} window`;
    const tasks = document.getElementById("tasks"); // of the site's front page
    return [
      act("Try again", "from the plan on", () => again(size), edge ? {} : main),
      edge && tasks
        ? act("And real models?", "500 tasks", () => tasks.scrollIntoView(), main)
        : act(label, plural(other, "message"), () => again(other)),
    ];
  }
  const canRemind = after === 0 && round > 1 && round <= runs.length;
  const [work, press] = canRemind && isNear ? [{}, { class: "al-remind-press" }] : [main, {}];
  return [
    model.get("playing") && !isUntouched(model)
      ? act("Skip to the end", "", () => skip(model, facts), work)
      : act("Let it work", "one more round", () => choose(model, { round: round + 1 }), work),
    act("▼\u00a0Remind it", `“${reminder}”`, () => remind(facts), { ...press, off: !canRemind }),
  ];
};

/** @param {string} label @param {string} more @param {() => void} action
 * @param {Record<string, any>} [props] */
const act = (label, more, action, props) => button([label, h("small", {}, more)], action, props);

/** Draw the round, or how the run ended. @param {Facts} facts */
const headline = ({ round, isOver, isGood, isLost, waited, edge }) => {
  const since = waited
    ? `${plural(waited, "round")} since its plan`
    : "it has just written its plan";
  return div(
    "al-head",
    isOver
      ? strong(edge ? "You found the edge." : `It stopped in round ${round}.`)
      : strong(`Round ${round}`),
    !isOver &&
      span(isLost ? "al-bad" : "al-note", isLost ? "the model sees no plan any more" : since),
    isOver &&
      span(isGood ? "al-good" : "al-bad", isGood ? "All steps are done." : "Not all is done."),
  );
};

/** Say what the reader can do, or what came of it. @param {Facts} facts */
const note = ({ after, run, isOver, isGood, isLost, reminders, edge }) => {
  const found = edge
    ? `After ${plural(edge, "round")} it works, after ${edge + 1} it does not. `
    : "";
  if (isOver && !isGood) return found + run.why.replaceAll("*", "");
  if (isOver && edge) return `${found}Where is the edge with another window?`;
  if (isOver) {
    const cost = `${plural(reminders, "reminder")}, ${thousands(run.tokens)} thousand tokens.`;
    return `${cost} Do you dare to wait longer? Drag ▼ to the right.`;
  }
  if (after) {
    const rounds = plural(after, "round");
    return `It was reminded after ${rounds}. The harness now does so after every ${rounds} without a new list.`;
  }
  if (isLost) return "From here on it improvises, because nothing that it sees says what is left.";
  const cost = "A reminder costs tokens, because the model answers it with its whole list.";
  return `${cost} How long do you dare to wait?`;
};

/** Say what is shown, for readers who do not see it. While the rounds follow on their own, this
 * stays the same. @param {Facts} facts */
const spoken = (facts) => {
  const { model, after, round, run, isOver, isLost, said } = facts;
  const name = after ? `Reminded after ${plural(after, "round")}` : "Never reminded";
  if (isOver) return `${name}. The run ended in round ${round}: “${said}” ${run.outcome}.`;
  if (model.get("playing")) return `${name}. It works on.`;
  return `Round ${round}: “${said}” Its plan is ${isLost ? "out of sight" : "in sight"}.`;
};

export default movie(draw, next, pace);
