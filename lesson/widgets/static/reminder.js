// The toy of the site's front page: its reader is the reminder. The pile is what the model sees in
// the next round, the newest message at the bottom. Nothing is simulated: each state is a round of a
// run that was played, because up to the first reminder all runs with one window are the same. The
// harness repeats the reader's reminder after as many rounds, as agentlib's Nag does.

import { lettersOf, lookOf } from "./column.js";
import { button, edge, plural } from "./components.js";
import { div, h, span } from "./dom.js";
import { isFinished } from "./runs_facts.js";
import { evidenceRows, stepsDone } from "./todo_list.js";
import { set, view } from "./view.js";

/**
 * A run; `lines` has for each of its messages the place of its line in `strings`.
 * @typedef {Measured & { lines: number[] }} Played
 *
 * A round of the run with a window and a threshold; `after` is 0 if the model is never reminded.
 * @typedef {{ size: number, after: number, round: number }} Moment
 *
 * @typedef {ReturnType<typeof factsOf>} Shown
 */

const MOST_AFTER = 15; // rounds: the largest threshold that was played
const SLOTS = 20; // messages that fill the pile; a larger window has smaller messages
const ABOVE = 3; // messages: the room above the edge
/** The reader comes in the middle of a run, which waits for them in another round.
 * @type {[Moment, number]} */
const [START, WAITS] = [{ size: 20, after: 0, round: 4 }, 6];
const [FIRST_MS, SLOW_MS, FAST_MS] = [900, 650, 160]; // between two rounds
const DOUBLE_MS = 500; // so long after the end, a click is one too many
const LIST = /^(\d+) of (\d+) done/; // the line of a list

/** @param {Model} model @returns {Moment} */
const momentOf = (model) => model.get("at");

/** @param {Model} model @param {Omit<Moment, "round">} moment @returns {Played} */
const runOf = (model, { size, after }) =>
  model.get("runs")[model.get("columns")[size][(after || MOST_AFTER + 1) - 1]];

/** @param {string} cells */
const countReminders = (cells) => cells.replace(/[^A-Z]/g, "").length;

/** @param {number} tokens */
const thousands = (tokens) => Math.round(tokens / 1000);

/** Return the thresholds that the reader has tried with a window.
 * @param {Model} model @param {number} size @returns {number[]} */
const triesOf = (model, size) => model.get("tries")[size] ?? [];

/** Return the cheapest of the tries that finish. @param {Model} model @param {number} size */
const bestOf = (model, size) =>
  triesOf(model, size)
    .map((after) => ({ after, run: runOf(model, { size, after }) }))
    .filter(({ run }) => isFinished(run))
    .sort((one, other) => one.run.tokens - other.run.tokens)[0];

/** Return the last threshold of the reader that finishes, if they know that one more does not.
 * @param {Model} model @param {number} size */
const edgeOf = (model, size) => {
  const tried = triesOf(model, size);
  const finishes = (/** @type {number} */ after) => isFinished(runOf(model, { size, after }));
  return tried.find(
    (after) => after && tried.includes(after + 1) && finishes(after) && !finishes(after + 1),
  );
};

/** Return the first round that does not see the plan, up to the next one.
 * @param {Played} run @param {Moment} at */
const lostSince = (run, { size, round }) => {
  let first = round + 1;
  const sees = (/** @type {number} */ n) => /p/i.test(lettersOf(run.cells, size, n).slice(0, size));
  while (first > 2 && !sees(first - 1)) first -= 1;
  return first;
};

/** Return what is known of the shown moment. @param {Model} model */
const factsOf = (model) => {
  const at = momentOf(model);
  const run = runOf(model, at);
  const isOver = at.round === run.cells.length;
  // The last round has no results, so the pile is what the model saw when it ended.
  const letters = lettersOf(run.cells, at.size, isOver ? at.round : at.round + 1);
  const lines = run.lines.map((line) => /** @type {string} */ (model.get("strings")[line]));
  const soFar = run.cells.slice(0, at.round);
  let steps = soFar.replace(/[^df]/gi, "").length;
  const done = run.done.replaceAll("x", () => (steps-- > 0 ? "x" : "."));
  const list = lines.slice(0, 2 * at.round).findLast((line) => LIST.test(line)) ?? "";
  const [ticked, items] = (LIST.exec(list) ?? []).slice(1).map(Number);
  const isTrue = Math.min(ticked, stepsDone(done));
  return {
    ...at,
    run,
    isOver,
    letters,
    lines: lines.slice(0, letters.length),
    said: lines[2 * at.round - 2].replace(/^.*? · /, ""),
    isLost: !/p/i.test(letters.slice(0, at.size)),
    edge: edgeOf(model, at.size),
    waited: at.round - 1 - soFar.toLowerCase().lastIndexOf("p"),
    reminders: countReminders(soFar),
    done: isOver ? run.done : done,
    claims: isOver
      ? run.claims
      : "x".repeat(isTrue) + "o".repeat(ticked - isTrue) + ".".repeat(items - ticked),
  };
};

// What the reader does.

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
let endedAt = 0;

/** Show a moment. If it `isPlaying`, the rounds after it follow.
 * @param {Model} model @param {Moment} at @param {boolean} [isPlaying] */
const show = (model, at, isPlaying = false) => {
  clearTimeout(timer);
  const { cells } = runOf(model, at);
  const goesOn = isPlaying && at.round < cells.length;
  set(model, { at, is_playing: goesOn });
  if (at.round === cells.length) noteTry(model, at);
  if (goesOn) {
    const ms = at.round < at.after + 6 ? SLOW_MS : FAST_MS;
    timer = setTimeout(() => show(model, { ...at, round: at.round + 1 }, true), ms);
  }
};

/** Show a moment that the reader has chosen: what was shown before can be undone.
 * @param {Model} model @param {Partial<Moment>} changes @param {boolean} [isPlaying] */
const choose = (model, changes, isPlaying) => {
  const at = momentOf(model);
  model.set("past", [...model.get("past"), at]);
  show(model, { ...at, ...changes }, isPlaying);
};

/** @param {Model} model */
const undo = (model) => {
  const past = model.get("past");
  model.set("past", past.slice(0, -1));
  show(model, past.at(-1));
};

/** Send the reminder with the results of the shown round; the plan was written in round 1.
 * @param {Model} model */
const remind = (model) => {
  const at = { ...momentOf(model), after: momentOf(model).round - 1 };
  if (isStill()) skip(model, at);
  else choose(model, at, true);
};

/** Return whether the reader wants no motion. */
const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** @param {Model} model @param {Moment} at */
const skip = (model, at) => choose(model, { ...at, round: runOf(model, at).cells.length });

/** Move the edge. A run that is over stays so. @param {Model} model @param {number} to */
const moveEdge = (model, to) => {
  const { after, round, isOver } = factsOf(model);
  const { length } = runOf(model, { size: to, after }).cells;
  show(model, { size: to, after, round: isOver ? length : Math.min(round, length) });
};

/** Return the smallest and the largest window. @param {Model} model @returns {[number, number]} */
const rangeOf = (model) => {
  const windows = Object.keys(model.get("columns")).map(Number);
  return [Math.min(...windows), Math.max(...windows)];
};

/** Note a run that was seen to its end. The address is then a link to the reader's best run.
 * @param {Model} model @param {Moment} at */
const noteTry = (model, { size, after }) => {
  endedAt = performance.now();
  const tried = [...new Set([...triesOf(model, size), after])];
  set(model, { tries: { ...model.get("tries"), [size]: tried } });
  const best = bestOf(model, size)?.after ?? after;
  history.replaceState(null, "", `#window=${size}&after=${best}`);
};

/** Show the end of the run in the address. Return whether there is one. @param {Model} model */
const openAddress = (model) => {
  const given = new URLSearchParams(location.hash.slice(1));
  const [size, after] = [Number(given.get("window")), Number(given.get("after"))];
  if (model.get("columns")[size]?.[after] === undefined) return false;
  skip(model, { size, after, round: 1 });
  return true;
};

// What is drawn.

/** @param {Model} model */
const draw = (model) => {
  const shown = factsOf(model);
  return h(
    "div",
    { class: "agentlib al-remind", role: "group", "aria-label": "You are the reminder" },
    pile(model, shown),
    div("al-remind-acts", controls(model, shown)),
    div(
      "al-remind-words",
      headline(model, shown),
      div(
        shown.isLost ? "al-remind-said al-remind-bad" : "al-remind-said",
        h("small", {}, shown.isOver ? "Its last words" : `In round ${shown.round} it says`),
        `“${shown.said}”`,
      ),
      h("p", { class: "al-remind-note" }, note(shown)),
    ),
    div(
      /[xo]/.test(shown.claims) ? "al-remind-ends" : "al-remind-ends al-remind-modest",
      evidenceRows(shown.done, shown.claims),
    ),
    tries(model, shown),
    h(
      "p",
      { class: "al-hidden", role: "status" },
      model.get("past").length > 0 && spoken(model, shown), // not what passes on its own
    ),
  );
};

/** Draw the pile: the messages, and the edge of the window.
 * @param {Model} model @param {Shown} shown */
const pile = (model, shown) =>
  h(
    "div",
    {
      class: "al-remind-pile",
      style: `--size: ${shown.size}; --slots: ${Math.max(shown.size, SLOTS)}`,
    },
    div("al-remind-frame"),
    h(
      "ol",
      { "aria-label": "The messages that the model sees next" },
      shown.lines.map((_, place) => message(shown, place)),
    ),
    drawEdge(model, shown),
  );

/** Draw a message. The plan that has left stays above the edge, for the reader.
 * @param {Shown} shown @param {number} place from 0, the oldest */
const message = ({ size, letters, lines, isLost }, place) => {
  const below = letters.length - 1 - place;
  const letter = letters[below];
  const look = lookOf(letter);
  const isCall = place % 2 === 0;
  const isGhost = look === "ghost";
  const isNear = isGhost || below < size || (!isLost && below < size + 2);
  const height = isGhost ? size + 0.3 + (isCall && letters.includes("gg") ? 1 : 0) : below;
  const name = isCall && NAMES[look];
  return h(
    "li",
    {
      class: `al-remind-message al-remind-${look} ${isCall ? "" : "al-remind-result"}`,
      style: `--below: ${height}`,
      hidden: !isNear,
      "aria-hidden": below < size ? null : "true",
    },
    h("span", {}, name && h("strong", {}, `${name} `), lines[place]),
    letter !== letter.toLowerCase() && h("b", {}, "▼\u00a0Update your todos."),
  );
};

/** @type {Record<string, string>} */
const NAMES = { plan: "≡ its plan:", short: "≡ a short plan:", ghost: "≡ its plan, out of sight:" };

/** @param {Model} model @param {Shown} shown */
const drawEdge = (model, { size, isLost }) =>
  edge(
    {
      label: "The window: messages that the model sees",
      value: size,
      range: rangeOf(model),
      words: `${plural(size, "message")}; the plan is ${isLost ? "out of sight" : "in sight"}`,
    },
    (around) => around.clientHeight / (SLOTS + ABOVE),
    (to) => moveEdge(model, to),
    { class: "al-remind-edge" },
    span("al-remind-knob", "↕"),
    span("al-remind-size", h("strong", {}, plural(size, "message")), " is all it sees"),
  );

/** Draw the two buttons. @param {Model} model @param {Shown} shown */
const controls = (model, { size, after, round, isOver, edge }) => {
  // Begin again with the first round after the plan.
  const again = (/** @type {number} */ to) => {
    if (performance.now() > endedAt + DOUBLE_MS) choose(model, { size: to, after: 0, round: 2 });
  };
  if (isOver) {
    const [least, most] = rangeOf(model);
    const other = size > least ? Math.max(size - 4, least) : most;
    const label = `Try a ${other < size ? "smaller" : "larger"} window`;
    const cliff = document.getElementById("cliff");
    return [
      act("Try again", "from the plan on", () => again(size)),
      edge && cliff
        ? act("Draw the cliff", "with other windows", () => cliff.scrollIntoView())
        : act(label, plural(other, "message"), () => again(other)),
    ];
  }
  const canRemind = after === 0 && round > 1 && round <= MOST_AFTER + 1;
  return [
    model.get("is_playing")
      ? act("Skip to the end", "", () => skip(model, momentOf(model)))
      : act("Let it work", "one more round", () => choose(model, { round: round + 1 })),
    act("▼\u00a0Remind it", "“Update your todos.”", () => remind(model), {
      class: "al-button al-remind-press",
      off: !canRemind,
    }),
  ];
};

/** @param {string} label @param {string} more @param {() => void} action
 * @param {Record<string, any>} [props] */
const act = (label, more, action, props) => button([label, h("small", {}, more)], action, props);

/** Draw the round or the result, and a way back. @param {Model} model @param {Shown} shown */
const headline = (model, { round, run, isOver, isLost, waited, edge, size }) => {
  const isGood = isFinished(run);
  const end = isGood
    ? "All ten steps are done."
    : `Only ${stepsDone(run.done)} of 10 steps are done.`;
  const lost = `out of sight from round ${lostSince(run, { size, after: 0, round })}`;
  const age = waited
    ? `its plan is ${plural(waited, "round")} old`
    : "it has just written its plan";
  return div(
    "al-head",
    isOver
      ? h("strong", { class: isGood ? "al-good" : "al-bad" }, edge ? "You found the edge." : end)
      : [
          h("strong", {}, `Round ${round} `),
          span(isLost ? "al-bad" : "al-note", isLost ? `its plan is ${lost}` : age),
        ],
    button("Undo", () => undo(model), {
      class: "al-button al-switch",
      off: model.get("past").length === 0,
    }),
  );
};

/** Say what the reader can do, or what came of it. @param {Shown} shown */
const note = ({ after, run, isOver, isLost, reminders, edge }) => {
  const found = edge
    ? `After ${plural(edge, "round")} it works, after ${edge + 1} it does not. `
    : "";
  if (isOver && !isFinished(run)) return found + run.why.replaceAll("*", "");
  if (isOver && edge) return `${found}Where is the edge with another window?`;
  if (isOver) {
    const cost = `${plural(reminders, "reminder")}, ${thousands(run.tokens)} thousand tokens.`;
    return `${cost} Do you dare to wait longer?`;
  }
  if (after) {
    const again = `The harness now does so after every ${plural(after, "round")} without a new list`;
    return `It was reminded when its plan was ${plural(after, "round")} old. ${again}.`;
  }
  if (isLost) return "From here on it improvises, because nothing that it sees says what is left.";
  const cost = "A reminder costs tokens, because the model answers it with its whole list.";
  return `${cost} How long do you dare to wait?`;
};

/** Draw the reader's tries with this window, once there is one: what each cost, or that it failed.
 * @param {Model} model @param {Shown} shown */
const tries = (model, { size, after, run: shown, isOver, edge }) => {
  const tried = triesOf(model, size);
  if (tried.length === 0) return null;
  const all = [...Array(MOST_AFTER).keys()].map((place) => place + 1).concat(0);
  const runs = all.map((one) => ({ after: one, run: runOf(model, { size, after: one }) }));
  const most = Math.max(...runs.filter(({ run }) => isFinished(run)).map(({ run }) => run.tokens));
  const best = bestOf(model, size);
  const [safest] = runs; // reminded after every round
  const said = edge
    ? `The last in time: ${thousands(runs[edge - 1].run.tokens)}k tokens. The safest: ${thousands(safest.run.tokens)}k.`
    : best && compare(best.run, isOver && shown);
  const told = runs
    .filter((one) => tried.includes(one.after))
    .map((one) => `${nameOf(one.after)}: ${describe(one.run)}.`);
  return div(
    "al-remind-tries",
    h("strong", {}, "What your runs cost, reminded after so many rounds"),
    h("p", { class: "al-note" }, said ?? "A run that fails is crossed out."),
    h(
      "div",
      { class: "al-remind-plot", role: "img", "aria-label": told.join(" ") },
      runs.map((one) =>
        div(
          isOver && one.after === after ? "al-remind-try al-remind-now" : "al-remind-try",
          tried.includes(one.after) && bar(one.run, most, one.after === best?.after),
        ),
      ),
    ),
    h(
      "div",
      { class: "al-remind-axis", "aria-hidden": "true" },
      all.map((one) => h("span", {}, one || "never")),
    ),
  );
};

/** Say what the best try cost, and what a run that failed has saved.
 * @param {Played} best @param {Played | false} run */
const compare = (best, run) => {
  if (!run || isFinished(run)) return `Best: ${describe(best)}.`;
  const [saved, lost] = [thousands(best.tokens - run.tokens), 10 - stepsDone(run.done)];
  return `Best: ${thousands(best.tokens)}k tokens. This one saved ${saved}k and lost ${lost} steps.`;
};

/** @param {Played} run @param {number} most @param {boolean} isBest */
const bar = (run, most, isBest) =>
  isFinished(run)
    ? [
        h("b", {}, isBest && "★"),
        h("b", {}, `${thousands(run.tokens)}k`),
        h("i", { style: `height: ${(run.tokens / most) * 72}%` }, `${countReminders(run.cells)}▼`),
      ]
    : h("s", {}, h("span", {}, `${stepsDone(run.done)} of 10`));

/** @param {number} after */
const nameOf = (after) => (after ? `Reminded after ${plural(after, "round")}` : "Never reminded");

/** @param {Played} run */
const describe = (run) =>
  isFinished(run)
    ? `${plural(countReminders(run.cells), "reminder")}, ${thousands(run.tokens)}k tokens`
    : `failed with ${stepsDone(run.done)} of 10`;

/** Say what is shown, for readers who do not see it. While the rounds follow on their own, this
 * stays the same. @param {Model} model @param {Shown} shown */
const spoken = (model, shown) => {
  const { after, round, run, isOver, isLost, said } = shown;
  if (isOver) return `The run ended in round ${round}: “${said}” ${run.outcome}. ${note(shown)}`;
  if (model.get("is_playing")) return `${nameOf(after)}. It works on.`;
  return `Round ${round}: “${said}” Its plan is ${isLost ? "out of sight" : "in sight"}.`;
};

export default {
  /** @param {Place} place */
  render({ model, el }) {
    set(model, { at: START, tries: {}, past: [], is_playing: false });
    const undraw = view(draw).render({ model, el });
    /** Let the first rounds pass, until the reader does something. */
    const pass = () => {
      const at = momentOf(model);
      if (at.round === WAITS || model.get("past").length > 0) return;
      show(model, { ...at, round: isStill() ? WAITS : at.round + 1 });
      timer = setTimeout(pass, FIRST_MS);
    };
    if (!openAddress(model)) timer = setTimeout(pass, FIRST_MS);
    const open = () => openAddress(model) && el.scrollIntoView();
    addEventListener("hashchange", open);
    return () => {
      removeEventListener("hashchange", open);
      undraw();
    };
  },
};
