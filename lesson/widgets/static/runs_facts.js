// What the page knows of the runs: which there are, which are chosen, and how each ended.

/**
 * A run as Python sends it: see `encode_run` in runs.py.
 * @typedef {[string, string, string, number, string, string]} Compact
 *
 * A run: a letter for each round (a capital if a reminder went out with its results), for each step
 * (x: the files show it) and for each item of its list (o: only the list says so); its tokens; how
 * it ended, and why.
 * @typedef {object} Run
 * @property {string} cells
 * @property {string} done
 * @property {string} claims
 * @property {number} tokens
 * @property {string} outcome
 * @property {string} why
 *
 * The runs with one window: one for each threshold, then without a reminder, then without a list;
 * null for those not measured yet. `last` and `best` are the last and the cheapest threshold that
 * finish.
 * @typedef {{ runs: (Compact | null)[], last: number | null, best: number | null }} Column
 *
 * @import { Model } from "./view.js"
 */

/** @type {WeakMap<Compact, Run>} */
const unpacked = new WeakMap();

/** @param {Compact | null | undefined} compact @returns {Run | null} */
export const unpack = (compact) => {
  if (!compact) return null;
  const known = unpacked.get(compact);
  if (known) return known;
  const [cells, done, claims, tokens, outcome, why] = compact;
  const run = { cells, done, claims, tokens, outcome, why };
  unpacked.set(compact, run);
  return run;
};

/** @type {Column} */
const NONE = { runs: [], last: null, best: null };

/** Return the runs with the chosen window. @param {Model} model @returns {Column} */
export const chosenColumn = (model) => {
  const [size, column] = [model.get("window"), model.get("column")];
  return model.get("columns")[size] ?? (column.window === size ? column : NONE);
};

/** @param {Model} model @returns {(Run | null)[]} */
export const chosenRuns = (model) => {
  const { runs } = chosenColumn(model);
  return rows(model).map((_, row) => unpack(runs[row]));
};

/** @param {Model} model @returns {Run | null} */
export const chosenRun = (model) => unpack(chosenColumn(model).runs[chosenRow(model)]);

/**
 * Return the rows: every threshold, then null for "no reminder" and "no list".
 * @param {Model} model
 * @returns {(number | null)[]}
 */
export const rows = (model) => [...model.get("state").thresholds, null, null];

/** Return the chosen row, from 0. @param {Model} model @returns {number} */
export const chosenRow = (model) => {
  const { thresholds } = model.get("state");
  if (!model.get("plan")) return thresholds.length + 1;
  const after = model.get("after");
  return after === null ? thresholds.length : thresholds.indexOf(after);
};

/** Return the traits that choose a row. @param {Model} model @param {number} row */
export const choiceOf = (model, row) => {
  const { thresholds } = model.get("state");
  return { after: thresholds[row] ?? null, plan: row <= thresholds.length };
};

/** Return the last threshold that the learner expects to finish with the chosen window, or null.
 * @param {Model} model @returns {number | null} */
export const betOf = (model) => model.get("bets")[model.get("window")] ?? null;

/** Return whether the learner has not made a bet yet. @param {Model} model */
export const isBetOpen = (model) =>
  model.get("state").bet && Object.keys(model.get("bets")).length === 0;

/** @param {Model} model @param {number} row @returns {string} */
export const nameOf = (model, row) => model.get("state").names[row];

/** Return how many steps are done, as the files show. @param {Run} run */
export const stepsDone = ({ done }) => [...done].filter((letter) => letter === "x").length;

/** @param {{ done: string }} run */
export const isFinished = ({ done }) => !done.includes(".");
