// What there is to see of a step: the list, the messages that were sent, and those that it added.

import { button, keys } from "./components.js";
import { div, h } from "./dom.js";
import { drawMessage } from "./messages.js";
import { rowShown } from "./player_keys.js";
import { drawSight } from "./player_window.js";
import { blocksOf, linesInView, sentFor, stateOf, stepOf } from "./run.js";
import { counter, evidence, todoList } from "./todo_list.js";

/** Draw the list after a step, the count of the nag, and what the files show.
 * @param {Run} run @param {number} row */
const side = (run, row) => {
  const step = run.steps[row];
  return div(
    "al-side",
    todoList(step.plan, {
      isLost: step.unseen,
      class: "al-items al-scroll",
      tabindex: 0,
      "aria-label": `${step.plan.title} of ${run.title}`,
      "data-follow": "item",
    }),
    counter(step.counter),
    evidence(step.plan),
  );
};

/** Draw the messages that a step added, or the whole request that was sent for it.
 * @param {Model} model @param {Run} run @param {number} row */
const messages = (model, run, row) => {
  const { number: at, messages: added, changes } = run.steps[row];
  const isRequest = model.get("request_shown") === true;
  const title = isRequest ? "The request as sent" : at === 0 ? "The prompt" : `Round ${at}`;
  return div(
    "al-messages",
    div(
      "al-pane-title",
      title,
      button("request", () => model.set("request_shown", !isRequest), {
        class: "al-button al-switch",
        "aria-pressed": isRequest ? "true" : "false",
        "aria-label": "Show the request as sent",
      }),
    ),
    h(
      "div",
      {
        class: "al-messages-inside al-scroll",
        role: "group",
        tabindex: 0,
        "aria-label": title,
        "data-follow": `start ${at} ${isRequest}`,
        ...keys,
      },
      isRequest
        ? h("pre", { class: "al-pre", key: "request" }, requestFor(run, row))
        : added.map((message, n) => drawMessage(message, `${at}.${n}`, n === 0 ? changes : null)),
    ),
  );
};

/** @param {Run} run @param {number} row */
const requestFor = (run, row) => {
  if (row === 0) return "Nothing was sent before the first round.";
  const whole = { ...run.request, messages: sentFor(run, row).map(({ message }) => message) };
  const note = run.request ? "" : "// Only the messages of this run are known.\n";
  return note + JSON.stringify(whole, null, 2);
};

/** @param {Model} model */
export const oneRun = (model) => {
  const [run] = stateOf(model).runs;
  const row = rowShown(model);
  return div(
    "al-one",
    drawSight(run, row),
    run.listed && side(run, row),
    messages(model, run, row),
  );
};

const USUAL_LINES = 12;
const MOST_LINES = 24;

/** Draw two runs at one time: what each model sees, what it answers, and what the files show.
 * @param {Model} model */
export const twoRuns = (model) => {
  const { runs } = stateOf(model);
  const row = rowShown(model);
  const lines = Math.min(runs[0].window ?? USUAL_LINES, MOST_LINES);
  return h(
    "div",
    { class: "al-two", style: `--lines: ${lines + 4}` }, // and those above the edge
    runs.map((run, n) => {
      const at = Math.min(row, run.steps.length - 1);
      const others = linesInView(runs[1 - n], row);
      return h(
        "div",
        { class: "al-run", role: "group", "aria-label": run.title },
        div("al-title", run.title),
        drawSight(run, at, others),
        answer(run, row),
        evidence(run.steps[at].plan),
      );
    }),
  );
};

/** Draw what a model answers in a round, or its last words if its run is over.
 * @param {Run} run @param {number} row */
const answer = (run, row) => {
  const { messages: added, does, cell, number } = stepOf(run, row);
  if (number === 0) return div("al-answer");
  const isOver = row >= run.steps.length;
  const isBad = "lfs".includes(cell) || (cell === "e" && run.finished === false);
  const said = added.flatMap((message) => (message.role === "assistant" ? blocksOf(message) : []));
  return div(
    isBad ? "al-answer al-answer-bad" : "al-answer",
    div("al-note", isOver ? `Over after round ${number}. Its last words:` : "So it answers:"),
    h(
      "q",
      {},
      said.map(({ text }) => text ?? ""),
    ),
    div("", does),
  );
};
