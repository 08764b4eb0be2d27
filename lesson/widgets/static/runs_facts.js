// What the page knows of the runs: which there are, which are chosen, and how each ended.

import { clamp } from "./input.js";
import { set } from "./view.js";

/**
 * What does not change. `rows` are the short names of the runs, and `bet` says that it begins with one.
 * @typedef {{ title: string, question: string, kinds: Record<string, string>, bet: boolean,
 *   thresholds: number[], names: string[], rows: string[], windows: [number, number] }} Chart
 */

/** The runs with the chosen window, and which of them is chosen. `rows` are their thresholds, with
 * null for "no reminder" and for "no list"; `lastRow` is the last one that can be chosen, since a bet
 * is about thresholds only; `row` is -1 until the learner has chosen one for a bet. `bet` is the last
 * threshold that the learner expects to finish, or null; `asksBet` says that there is none yet. Once
 * all runs are measured, `last` is the last threshold that finishes.
 * @param {Model} model */
export const factsOf = (model) => {
  /** @type {Chart} */
  const { thresholds, names, rows: shortNames, bet: beginsWithBet, ...chart } = model.get("state");
  /** @type {{ size: number, round: number, isOpen: boolean }} */
  const chosen = {
    size: model.get("window"),
    round: model.get("round"),
    isOpen: model.get("is_open"),
  };
  /** @type {(Measured | null)[]} */
  const column = model.get("columns")[chosen.size] ?? [];
  const rows = [...thresholds, null, null];
  const runs = rows.map((_, each) => column[each] ?? null);
  const reminded = runs.includes(null) ? [] : runs.slice(0, thresholds.length);
  /** @type {Record<number, number>} */
  const bets = model.get("bets");
  const asksBet = beginsWithBet && Object.keys(bets).length === 0;
  const itsRow = model.get("plan") ? rows.indexOf(model.get("after")) : rows.length - 1;
  const row = asksBet && !model.get("hasGuess") ? -1 : itsRow;
  /** @type {number[] | undefined} the windows of a page without a kernel; a kernel can play all */
  const playable = model.get("playable");
  return {
    ...chart,
    ...chosen,
    model,
    canOpen: playable?.includes(chosen.size) ?? true,
    rows,
    lastRow: asksBet ? thresholds.length - 1 : rows.length - 1,
    row,
    name: names[row],
    shortNames,
    runs,
    run: runs[row] ?? null,
    last: rows[reminded.findLastIndex((run) => run && isFinished(run))] ?? null,
    bet: bets[chosen.size] ?? null,
    beginsWithBet,
    asksBet,
  };
};

/** Choose a row, a window, and one of the run's rounds (from 1; 0 for none).
 * @param {Facts} facts @param {{ row?: number, size?: number, round?: number }} choice */
export const choose = (facts, choice) => {
  const { model, windows } = facts;
  const row = clamp(choice.row ?? facts.row, 0, facts.lastRow);
  const size = clamp(choice.size ?? facts.size, windows[0], windows[1]);
  const round = choice.round ?? 0;
  if (row === facts.row && size === facts.size && round === facts.round) return;
  // A page without a kernel has only the runs with some windows.
  if (model.get("playable") && !model.get("columns")[size]) return;
  const last = facts.rows.length - 1;
  set(model, { after: facts.rows[row], plan: row < last, window: size, round, hasGuess: true });
};

/** @param {Measured} run */
export const isFinished = ({ done }) => !done.includes(".");
