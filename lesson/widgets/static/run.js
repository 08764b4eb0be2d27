// The runs of a player as plain data, and functions that read them.

import { plural } from "./parts.js";

/**
 * @import { Bills, Prices } from "./bill.js"
 * @import { InView } from "./column.js"
 * @import { Counter, TodoList } from "./todo_list.js"
 * @import { Model } from "./view.js"
 *
 * A message and its blocks, in the API's format.
 * @typedef {{ type: string, [name: string]: any }} Block
 * @typedef {{ role: string, content: string | Block[] }} Message
 *
 * How a call changed the list: its sizes, a line for each item that is new or has another status,
 * and the items that are gone.
 * @typedef {object} Changes
 * @property {number} before
 * @property {number} after
 * @property {[string, string, boolean][]} lines
 * @property {string[]} gone
 *
 * One step: the prompt, or a round. `cell` is its letter in the chart of runs. `spent` are the tokens
 * of the run up to it. `view` is what the model saw of its request, `from` the first step of it. In a
 * step that `leaves`, the model has just lost its list; `unseen` says that it does not see the list
 * of the step. A `plan` that is null has not changed since the step before.
 * @typedef {object} Step
 * @property {string} did
 * @property {string} cell
 * @property {InView & { from: number }} view
 * @property {boolean} leaves
 * @property {boolean} unseen
 * @property {Changes | null} changes
 * @property {boolean} failed
 * @property {boolean} reminded
 * @property {number} spent
 * @property {Message[]} messages
 * @property {TodoList | null} plan
 * @property {Counter} counter
 * @property {string} status
 *
 * One run. `window` is in messages, `finished` is whether the files show every step, and `request` is
 * what each request contained besides its messages. Each of them is null if it is not known.
 * @typedef {object} Run
 * @property {string} title
 * @property {boolean} listed
 * @property {number | null} window
 * @property {boolean | null} finished
 * @property {Record<string, any> | null} request
 * @property {Bills} bills
 * @property {Step[]} steps
 *
 * Two runs are side by side in `rows`: the steps of each row, null if a run has none there.
 * @typedef {object} State
 * @property {Run[]} runs
 * @property {(number | null)[][] | null} rows
 * @property {number[]} differs
 * @property {boolean} live
 * @property {string[]} guesses
 * @property {string} said
 * @property {Prices} prices
 */

/** @param {Model} model @returns {State} */
export const stateOf = (model) => model.get("state");

/** @param {State} state */
export const rowCount = ({ rows, runs }) => rows?.length ?? runs[0].steps.length;

/**
 * Return the step of a run in a row, or null.
 * @param {State} state
 * @param {number} run
 * @param {number} row
 */
export const stepIn = ({ rows }, run, row) => (rows ? (rows[row]?.[run] ?? null) : row);

/**
 * Return the list after a step.
 * @param {Run} run
 * @param {number} at
 */
export const listAt = ({ steps }, at) => {
  let place = Math.min(at, steps.length - 1);
  while (place > 0 && !steps[place].plan) place -= 1;
  return steps[place]?.plan ?? null;
};

/**
 * Return the messages that were sent to get step `at`, each with the step that added it. Before the
 * first request, return the messages that it will contain.
 * @param {Run} run
 * @param {number} at
 * @returns {{ message: Message, step: number }[]}
 */
export const sentFor = ({ steps }, at) =>
  steps
    .slice(0, Math.max(at, 1))
    .flatMap(({ messages }, step) => messages.map((message) => ({ message, step })));

/** @param {Message} message */
export const blocksOf = ({ content }) =>
  typeof content === "string" ? [{ type: "text", text: content }] : content;

/**
 * Describe a row: what each run did there.
 * @param {State} state
 * @param {number} row
 */
export const rowInWords = (state, row) => {
  const { runs, live } = state;
  if (runs.length > 1)
    return runs.map((run, n) => `${run.title}: ${didIn(state, n, row)}`).join(" ");
  if (row === 0) return "Before the first round.";
  const end = live ? "" : ` of ${runs[0].steps.length - 1}`;
  return `Round ${row}${end}: ${didIn(state, 0, row)}`;
};

/**
 * Return a sentence about what one run did in a row.
 * @param {State} state
 * @param {number} index
 * @param {number} row
 */
export const didIn = (state, index, row) => {
  const run = state.runs[index];
  const at = stepIn(state, index, row);
  if (at === null) return isOverBy(state, index, row) ? "over." : "nothing here.";
  if (at === 0) return "before the first round.";
  const { did, reminded, status, view } = run.steps[at];
  const round = state.runs.length > 1 ? `round ${at} ` : "";
  const list = run.listed ? ` List: ${status}.` : "";
  const lost = run.window !== null && (view.lost || view.gone) ? ` ${view.list}` : "";
  return `${round}${did}${reminded ? " Then a reminder." : ""}${list}${lost}`;
};

/**
 * Return whether one of two runs has no step in this row or after it.
 * @param {State} state
 * @param {number} index
 * @param {number} row
 */
const isOverBy = ({ rows }, index, row) =>
  rows?.slice(row).every((steps) => steps[index] === null) ?? false;

/**
 * Return the note for a row in which a run has no step.
 * @param {State} state
 * @param {number} index
 * @param {number} row
 */
export const absence = (state, index, row) =>
  isOverBy(state, index, row)
    ? `This run is over: it took ${plural(state.runs[index].steps.length - 1, "round")}.`
    : "The other run has one more round here.";
