// The run of a player as plain data, and functions that read it.

import { clamp } from "./input.js";
import { set } from "./view.js";

/** The mark of a message that carries a reminder. */
export const REMINDED = "▼";

/** Return what a player shows: its run, the frame of a `row`, the `last` row that there is, and the
 * last one that was `reached`. @param {Model} model */
export const shownOf = (model) => {
  /** @type {Run} */
  const run = model.get("state");
  const last = run.frames.length - 1;
  const row = Math.min(model.get("at"), last);
  const reached = Math.max(model.get("reached") ?? 0, row);
  return { ...run, model, row, frame: run.frames[row], last, reached };
};

/** Go to a row. @param {Model} model @param {number} to */
export const go = (model, to) => {
  const { last, reached } = shownOf(model);
  const at = clamp(to, 0, last);
  set(model, { at, reached: Math.max(reached, at) });
};

/**
 * Return the messages that were sent to get the shown frame, each with its mark and its line of text.
 * Before the first request, return the messages that it will contain.
 * @param {Shown} shown
 * @returns {Sent[]}
 */
export const sentFor = ({ frames, row }) =>
  frames
    .slice(0, Math.max(row, 1))
    .flatMap(({ messages, lines }) => messages.map((message, n) => ({ message, line: lines[n] })));

/** @param {Message} message */
export const blocksOf = ({ content }) =>
  typeof content === "string" ? [{ type: "text", text: content }] : content;
