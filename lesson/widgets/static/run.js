// The runs of a player as plain data, and functions that read them.

/** @param {Model} model @returns {State} */
export const stateOf = (model) => model.get("state");

/** Return the steps of a row, one of each run. @param {State} state @param {number} row */
export const stepsIn = ({ runs }, row) => runs.map(({ steps }) => steps[row]);

/**
 * Return the messages that were sent to get the step in a row, each with its mark and its line of
 * text and the row that added it. Before the first request, return the messages that it will contain.
 * @param {Run} run
 * @param {number} row
 * @returns {Sent[]}
 */
export const sentFor = ({ steps }, row) =>
  steps
    .slice(0, Math.max(row, 1))
    .flatMap(({ messages, lines }, at) =>
      messages.map((message, n) => ({ message, line: lines[n], row: at })),
    );

/** @param {Message} message */
export const blocksOf = ({ content }) =>
  typeof content === "string" ? [{ type: "text", text: content }] : content;

/** Describe a row: what each run did there. @param {State} state @param {number} row */
export const describeRow = ({ runs, live }, row) => {
  if (row === 0) return "Before the first round.";
  if (runs.length > 1) return runs.map((run) => describeStep(run, row)).join(" ");
  const end = live ? "" : ` of ${runs[0].steps.length - 1}`;
  const { words, cost } = runs[0].steps[row];
  return `Round ${row}${end}: ${words} ${cost}`.trim();
};

/** Return a sentence about one of two runs in a row. @param {Run} run @param {number} row */
export const describeStep = ({ title, steps }, row) => {
  const { number, words } = steps[row];
  return `${title}: ${number === null ? "" : `round ${number} `}${words}`;
};
