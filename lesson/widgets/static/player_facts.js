// The runs of a player as plain data, and functions that read them.

import { clamp } from "./keyboard.js";
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

/** Describe a row: what each run did there. @param {State} state @param {number} row */
export const describeRow = ({ runs }, row) => {
  if (row === 0) return "Before the first round.";
  if (runs.length > 1) return describeBoth(runs, row);
  const [{ frames, left_out }] = runs;
  const last = frames.length - 1;
  const { words, cost } = frames[row];
  const others = row === last && left_out ? `The other ${left_out} are the same call.` : "";
  return [`Round ${row} of ${last + left_out}:`, words, cost, others].filter(Boolean).join(" ");
};

/** Return the messages in view as text, the oldest first: the mark of each, and its line.
 * @param {Run} run @param {number} row */
export const linesInView = (run, row) => {
  const at = Math.min(row, run.frames.length - 1);
  const sent = sentFor(run, at);
  return sent.slice(run.frames[at].view.first).map(({ line }) => line.join(" "));
};

/** Compare what two runs see in a round. @param {Run[]} runs @param {number} row */
const describeBoth = (runs, row) => {
  const seen = runs.map((run) => linesInView(run, row));
  const rest = [...seen[1]];
  const same = seen[0].filter((line) => {
    const place = rest.indexOf(line);
    return place >= 0 && rest.splice(place, 1);
  });
  const count = Math.max(...seen.map((lines) => lines.length));
  const said = [`Round ${row}: ${same.length} of the ${count} messages are the same.`];
  const isLastAlone = same.length === count - 1 && seen[0].at(-1) !== seen[1].at(-1);
  const reminded = runs.find((_, n) => seen[n].at(-1)?.startsWith(REMINDED));
  if (isLastAlone && reminded)
    said.push(`Only the last one differs: in “${reminded.title}”, it carries the reminder.`);
  for (const { title, frames } of runs)
    if (row >= frames.length) said.push(`${title}: over after round ${frames.length - 1}.`);
  return said.join(" ");
};
