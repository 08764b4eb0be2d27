// What is known of the runs: which there are, how each ended, and why, in words.

import { kindsOf, totalOf } from "./bill.js";
import { plural } from "./parts.js";

/**
 * A run as Python sends it: see `Measured.encode`.
 * @typedef {[string, string, string, string, number[], number, number, number]} Compact
 *
 * A run: a letter for each round (a capital where a reminder went in), for each step (x: the files
 * show it) and for each item of its list (o: only the list says so); why it ended as it did; what
 * it cost; the last round that saw the plan, the round that read the reminder, and how many
 * rounds did not see the plan.
 * @typedef {object} Run
 * @property {string} cells
 * @property {string} done
 * @property {string} claims
 * @property {string} reason
 * @property {number} tokens
 * @property {Kinds} usage
 * @property {number} seen
 * @property {number} read
 * @property {number} lost
 *
 * @import { Kinds } from "./bill.js"
 * @import { Model } from "./view.js"
 */

/** @type {WeakMap<Compact, Run>} */
const unpacked = new WeakMap();

/** @param {Compact | null} compact @returns {Run | null} */
const unpack = (compact) => {
  if (!compact) return null;
  const known = unpacked.get(compact);
  if (known) return known;
  const [cells, done, claims, reason, counts, seen, read, lost] = compact;
  const usage = kindsOf(counts);
  const run = { cells, done, claims, reason, tokens: totalOf(usage), usage, seen, read, lost };
  unpacked.set(compact, run);
  return run;
};

/**
 * The runs of one window: one for each threshold, then without a reminder, then without a
 * list; null for what is not measured yet.
 * @param {Model} model
 * @param {number} windowSize
 * @returns {(Run | null)[]}
 */
export const runsOf = (model, windowSize) => {
  const column = model.get("column");
  const coming = column.window === windowSize ? column.runs : [];
  /** @type {(Compact | null)[]} */
  const runs = model.get("columns")[windowSize] ?? coming;
  return rows(model).map((_, index) => unpack(runs[index] ?? null));
};

/**
 * The rows: every threshold, then null for "no reminder" and "no list".
 * @param {Model} model
 * @returns {(number | null)[]}
 */
export const rows = (model) => [...model.get("state").thresholds, null, null];

/** The row that is chosen, from 0. @param {Model} model @returns {number} */
export const chosenRow = (model) => {
  const { thresholds } = model.get("state");
  if (!model.get("plan")) return thresholds.length + 1;
  const after = model.get("after");
  return after === null ? thresholds.length : thresholds.indexOf(after);
};

/** What the kernel knows a row by. @param {Model} model @param {number} row */
export const choiceOf = (model, row) => {
  const { thresholds } = model.get("state");
  return { after: thresholds[row] ?? null, plan: row <= thresholds.length };
};

/** The last threshold that the learner expects to finish with the attention that is chosen, or null.
 * @param {Model} model @returns {number | null} */
export const betOf = (model) => model.get("bets")[model.get("window")] ?? null;

/** Whether the learner is still to say what they expect. @param {Model} model */
export const isBetOpen = (model) =>
  model.get("state").bet && Object.keys(model.get("bets")).length === 0;

/** @param {Model} model @param {number} row @returns {string} */
export const nameOf = (model, row) => model.get("state").names[row];

/** @param {string} letters @param {string} wanted */
export const count = (letters, wanted) =>
  [...letters].filter((letter) => wanted.includes(letter)).length;

/** @param {Run} run */
export const isFinished = (run) => !run.done.includes(".");

/** "3 of 10 steps done, its list says 4 of 4" @param {Run} run */
export const outcome = ({ done, claims }) => {
  const steps = `${count(done, "x")} of ${done.length} steps done`;
  return claims ? `${steps}, its list says ${count(claims, "xo")} of ${claims.length}` : steps;
};

/**
 * Why a run ended as it did: the sentence for its reason, with the run's own figures.
 * @param {Run} run
 * @param {Record<string, string>} reasons
 */
export const why = (run, reasons) => {
  /** @type {Record<string, number>} */
  const facts = {
    seen: run.seen,
    read: run.read,
    late: run.read - run.seen,
    rounds: run.cells.length,
    lost: run.lost,
    missing: count(run.done, "."),
    of: run.done.length,
  };
  return reasons[run.reason].replace(/\{(\w+)(?::(\w+))?\}/g, (_, name, noun) =>
    noun ? plural(facts[name], noun) : String(facts[name]),
  );
};

/** The row of the cheapest run that finishes with a reminder, or -1. @param {(Run | null)[]} runs */
export const cheapest = (runs) => {
  let best = -1;
  runs.slice(0, -2).forEach((run, row) => {
    if (run && isFinished(run) && (best < 0 || run.tokens < (runs[best]?.tokens ?? 0))) best = row;
  });
  return best;
};

/** The last threshold's row that finishes, or -1. @param {(Run | null)[]} runs */
export const lastFinishing = (runs) =>
  runs.slice(0, -2).findLastIndex((run) => run !== null && isFinished(run));

/**
 * The last round that sees the first plan, in the runs that lose it; 0 where none does.
 * @param {(Run | null)[]} runs
 */
export const edgeOf = (runs) => {
  const seen = runs.slice(0, -1).flatMap((run) => (run?.seen ? [run.seen] : []));
  return seen.length > 0 ? Math.min(...seen) : 0;
};

/**
 * From which cell to which (from 0, the end left out) each plan is in view.
 * @param {string} cells
 * @returns {[number, number][]}
 */
export const plansInView = (cells) => {
  /** @type {[number, number][]} */
  const spans = [];
  let isOpen = false;
  [...cells.toLowerCase()].forEach((letter, place) => {
    const isShownAgain = spans.length > 0 && !isOpen && letter !== "e"; // by a reminder
    if ("lf".includes(letter)) isOpen = false;
    else if ("ps".includes(letter) || isShownAgain) {
      spans.push([place, place + 1]);
      isOpen = true;
    } else if (isOpen) spans[spans.length - 1][1] = place + 1;
  });
  return spans;
};
