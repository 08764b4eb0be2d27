// What the page knows of the runs: which there are, which are chosen, and how each ended.

import { clamp } from "./keyboard.js";
import { set } from "./view.js";

/** The runs with the chosen window, and which of them is chosen. `rows` are their thresholds, with
 * null for "no reminder" and for "no list"; `lastRow` is the last one that can be chosen, since a bet
 * is about thresholds only; `row` is -1 until the learner has chosen one for a bet. `bet` is the last
 * threshold that the learner expects to finish, or null; `asksBet` says that there is none yet. Once all runs are measured, `last` and `best` are the last
 * and the cheapest threshold that finish.
 * @param {Model} model */
export const factsOf = (model) => {
  const { thresholds, names, rows: short, bet: isBet } = model.get("state");
  /** @type {number} */
  const size = model.get("window");
  /** @type {(Measured | null)[]} */
  const column = model.get("columns")[size] ?? [];
  /** @type {(number | null)[]} */
  const rows = [...thresholds, null, null];
  const runs = rows.map((_, each) => column[each] ?? null);
  const reminded = runs.includes(null) ? [] : runs.slice(0, thresholds.length);
  const bets = model.get("bets");
  const asksBet = isBet && Object.keys(bets).length === 0;
  const chosen = model.get("plan") ? rows.indexOf(model.get("after")) : rows.length - 1;
  const row = asksBet && !model.get("hasGuess") ? -1 : chosen;
  return {
    rows,
    lastRow: asksBet ? thresholds.length - 1 : rows.length - 1,
    row,
    /** @type {string} */
    name: names[row],
    /** @type {string[]} */
    shortNames: short,
    runs,
    run: runs[row] ?? null,
    size,
    last: rows[reminded.findLastIndex((run) => run && isFinished(run))] ?? null,
    best: rows[cheapestOf(reminded)] ?? null,
    /** @type {number | null} */
    bet: bets[size] ?? null,
    /** @type {boolean} */
    asksBet,
  };
};

/** Choose a row, a window, and one of the run's rounds (from 1; 0 for none).
 * @param {Model} model @param {{ row?: number, size?: number, round?: number }} choice */
export const choose = (model, choice) => {
  const { windows } = model.get("state");
  const facts = factsOf(model);
  const row = clamp(choice.row ?? facts.row, 0, facts.lastRow);
  const size = clamp(choice.size ?? facts.size, windows[0], windows[1]);
  const round = choice.round ?? 0;
  if (row === facts.row && size === facts.size && round === model.get("round")) return;
  // A page without a kernel has only the runs with some windows.
  if (model.get("playable") && !model.get("columns")[size]) return;
  const last = facts.rows.length - 1;
  set(model, { after: facts.rows[row], plan: row < last, window: size, round, hasGuess: true });
};

/** @param {Measured} run */
export const isFinished = ({ done }) => !done.includes(".");

/** Return the place of the cheapest run that finishes, or -1. @param {(Measured | null)[]} runs */
export const cheapestOf = (runs) => {
  const costs = runs.map((run) => (run && isFinished(run) ? run.tokens : Number.POSITIVE_INFINITY));
  const least = Math.min(...costs);
  return Number.isFinite(least) ? costs.indexOf(least) : -1;
};
