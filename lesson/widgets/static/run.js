// The runs of a player as plain data, and functions that read them.

/** @param {Model} model @returns {State} */
export const stateOf = (model) => model.get("state");

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
export const describeRow = ({ runs, live }, row) => {
  if (row === 0) return "Before the first round.";
  if (runs.length > 1) return describeBoth(runs, row);
  const [{ frames, left_out }] = runs;
  const last = frames.length - 1;
  const end = live ? "" : ` of ${last + left_out}`;
  const { words, cost } = frames[row];
  const others = row === last && left_out ? `The other ${left_out} are the same call.` : "";
  return [`Round ${row}${end}:`, words, cost, others].filter(Boolean).join(" ");
};

/** Return a run's lines of the messages in view, the oldest first. @param {Run} run
 * @param {number} row */
export const linesInView = (run, row) => {
  const at = Math.min(row, run.frames.length - 1);
  const sent = sentFor(run, at);
  return sent.slice(run.frames[at].view.first).map(({ line }) => line[1]);
};

/** Compare what two runs see in a round. @param {Run[]} runs @param {number} row */
const describeBoth = (runs, row) => {
  const [one, other] = runs.map((run) => linesInView(run, row));
  const rest = [...other];
  const same = one.filter((line) => {
    const place = rest.indexOf(line);
    return place >= 0 && rest.splice(place, 1);
  });
  const over = runs.filter(({ frames }) => row >= frames.length);
  const ends = over.map(({ title, frames }) => ` ${title}: over after round ${frames.length - 1}.`);
  const count = Math.max(one.length, other.length);
  return `Round ${row}: ${same.length} of the ${count} messages are the same.${ends.join("")}`;
};
