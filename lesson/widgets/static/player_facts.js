// The runs of a player as plain data, and functions that read them.

import { clamp } from "./input.js";
import { set } from "./view.js";

/** The mark of a message that carries a reminder. */
export const REMINDED = "▼";

/** Return what a player shows: its runs, the `row`, the `last` row that there is, and the last one
 * that was `reached`. @param {Model} model */
export const shownOf = (model) => {
  /** @type {State} */
  const state = model.get("state");
  const last = Math.max(...state.runs.map(({ frames }) => frames.length)) - 1;
  const row = Math.min(model.get("at"), last);
  return {
    ...state,
    model,
    row,
    last,
    reached: Math.max(model.get("reached") ?? 0, row),
  };
};

/** Go to a row. @param {Model} model @param {number} to */
export const go = (model, to) => {
  const { last, reached } = shownOf(model);
  const at = clamp(to, 0, last);
  set(model, { at, reached: Math.max(reached, at) });
};

/** Return the frame of a row, or the last one of a run that is over then.
 * @param {Run} run @param {number} row */
export const frameOf = ({ frames }, row) => frames[Math.min(row, frames.length - 1)];

/**
 * Return the messages that were sent to get the frame in a row, each with its mark and its line of
 * text and the row that added it. Before the first request, return the messages that it will contain.
 * @param {Run} run
 * @param {number} row
 * @returns {Sent[]}
 */
export const sentFor = ({ frames }, row) =>
  frames
    .slice(0, Math.max(row, 1))
    .flatMap(({ messages, lines }, at) =>
      messages.map((message, n) => ({ message, line: lines[n], row: at })),
    );

/** @param {Message} message */
export const blocksOf = ({ content }) =>
  typeof content === "string" ? [{ type: "text", text: content }] : content;

/** Return what is said of a row. @param {State} state @param {number} row */
export const describeRow = ({ runs, said }, row) => said[row] ?? runs[0].frames[row].said;

/** Return the messages in view as text, the oldest first: the mark of each, and its line.
 * @param {Run} run @param {number} row */
export const linesInView = (run, row) => {
  const at = Math.min(row, run.frames.length - 1);
  const sent = sentFor(run, at);
  return sent.slice(run.frames[at].view.first).map(({ line }) => line.join(" "));
};
