// What there is to see of a frame: the list, the messages that were sent, and those that it added.

import { keys } from "./components.js";
import { div, h } from "./dom.js";
import { drawMessage } from "./messages.js";
import { blocksOf, frameOf, linesInView } from "./player_facts.js";
import { drawSight } from "./player_window.js";
import { counter, evidence, todoList } from "./todo_list.js";

/** Draw the list after a frame, the count of the nag, and what the files show.
 * @param {Run} run @param {number} row */
const side = (run, row) => {
  const frame = run.frames[row];
  return div(
    "al-side",
    todoList(frame.plan, {
      isLost: frame.unseen,
      class: "al-items al-scroll",
      tabindex: 0,
      "aria-label": `The list of ${run.title}`,
      "data-follow": ".al-in_progress, .al-item:last-child:not(.al-pending)",
    }),
    counter(frame.counter),
    evidence(frame.plan),
  );
};

/** @param {Shown} shown */
export const oneRun = ({ runs: [run], row }) => {
  const { number: at, messages, changes } = run.frames[row];
  const title = at === 0 ? "The prompt" : `Round ${at}`;
  const props = { role: "group", tabindex: 0, "aria-label": title, key: at, ...keys };
  return div(
    "al-one",
    drawSight(run, row),
    run.listed && side(run, row),
    div(
      "al-messages",
      div("al-pane-title", title),
      div(
        { class: "al-messages-inside al-scroll", ...props },
        messages.map((message, n) => drawMessage(message, `${at}.${n}`, n === 0 ? changes : null)),
      ),
    ),
  );
};

const USUAL_LINES = 12;
const MOST_LINES = 24;

/** Draw two runs at one time: what each model sees, what it answers, and what the files show.
 * @param {Shown} shown */
export const twoRuns = ({ runs, row }) => {
  const lines = Math.min(runs[0].window ?? USUAL_LINES, MOST_LINES);
  return div(
    { class: "al-two", style: `--lines: ${lines + 4}` }, // and those above the edge
    runs.map((run, n) => {
      const at = Math.min(row, run.frames.length - 1);
      const others = linesInView(runs[1 - n], row);
      return div(
        { class: "al-run", role: "group", "aria-label": run.title },
        div("al-title", run.title),
        drawSight(run, at, others),
        answer(run, row),
        evidence(run.frames[at].plan),
      );
    }),
  );
};

/** Draw what a model answers in a round, or its last words if its run is over.
 * @param {Run} run @param {number} row */
const answer = (run, row) => {
  const { messages: added, words, cell, number } = frameOf(run, row);
  if (number === 0) return div("al-bubble al-answer");
  const isOver = row >= run.frames.length;
  const isBad = "lfs".includes(cell) || (cell === "e" && run.finished === false);
  const said = added.flatMap((message) => (message.role === "assistant" ? blocksOf(message) : []));
  return div(
    ["al-bubble al-answer", isBad && "al-bubble-bad"],
    div("al-note", isOver ? `Over after round ${number}. Its last words:` : "So it answers:"),
    h(
      "q",
      {},
      said.map(({ text }) => text ?? ""),
    ),
    div("", words),
  );
};
