// The runs of a player as plain data, and functions that read them.

import { plural } from "./components.js";

/** @param {Model} model @returns {State} */
export const stateOf = (model) => model.get("state");

/** @param {State} state */
export const rowCount = ({ rows, runs }) => rows?.length ?? runs[0].steps.length;

/** Return the number of the step of a run in a row, or null.
 * @param {State} state @param {number} index of the run @param {number} row */
export const stepIn = ({ rows }, index, row) => (rows ? rows[row][index] : row);

/** Return the steps of a row, undefined for a run that has none there.
 * @param {State} state @param {number} row */
export const stepsIn = (state, row) =>
  state.runs.map(({ steps }, index) => steps[stepIn(state, index, row) ?? -1]);

/** Return the last step of a run up to a row: it is shown while the other run continues.
 * @param {State} state @param {number} index of the run @param {number} row */
export const latestStep = (state, index, row) => {
  let place = row;
  while (stepIn(state, index, place) === null) place -= 1;
  return stepIn(state, index, place) ?? 0;
};

/**
 * Return the messages that were sent to get step `at`, each with its mark and its line of text and
 * the step that added it. Before the first request, return the messages that it will contain.
 * @param {Run} run
 * @param {number} at
 * @returns {Sent[]}
 */
export const sentFor = ({ steps }, at) =>
  steps
    .slice(0, Math.max(at, 1))
    .flatMap(({ messages, lines }, step) =>
      messages.map((message, n) => ({ message, line: lines[n], step })),
    );

/** @param {Message} message */
export const blocksOf = ({ content }) =>
  typeof content === "string" ? [{ type: "text", text: content }] : content;

/** Describe a row: what each run did there. @param {State} state @param {number} row */
export const describeRow = (state, row) => {
  const { runs, rows, live } = state;
  if (row === 0) return "Before the first round.";
  if (rows) return runs.map((_, index) => describeStep(state, index, row)).join(" ");
  const end = live ? "" : ` of ${runs[0].steps.length - 1}`;
  return `Round ${row}${end}: ${runs[0].steps[row].words}`;
};

/** Return a sentence about one of two runs in a row.
 * @param {State} state @param {number} index of the run @param {number} row */
export const describeStep = (state, index, row) => {
  const { title, steps } = state.runs[index];
  const at = stepIn(state, index, row);
  if (at !== null) return `${title}: round ${at} ${steps[at].words}`;
  const last = steps.length - 1;
  const isOver = latestStep(state, index, row) === last;
  return `${title}: ${isOver ? `over after ${plural(last, "round")}` : "no round here"}.`;
};
