// What there is to see of a step: the list, the messages that were sent, and those that it added.

import { button, keys } from "./components.js";
import { div, h } from "./dom.js";
import { drawMessage, drawShared, isSameMessage } from "./messages.js";
import { rowShown } from "./player_keys.js";
import { drawSight } from "./player_window.js";
import { describeStep, sentFor, stateOf } from "./run.js";
import { counter, evidence, todoList } from "./todo_list.js";

/** Draw the list after a step, the count of the nag, and what the files show.
 * @param {Run} run @param {number} row */
const side = (run, row) => {
  if (!run.listed) return div("al-side");
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
 * @param {Model} model @param {number} index */
const messages = (model, index) => {
  const state = stateOf(model);
  const run = state.runs[index];
  const row = rowShown(model);
  const { number: at, messages: added, lines, changes } = run.steps[row];
  const isRequest = model.get("request_shown") === true;
  const place = state.runs.length > 1 ? `${run.title} · ${titleOf(at).toLowerCase()}` : titleOf(at);
  const title = isRequest ? "The request as sent" : place;
  const none =
    at === 0 ? "The prompt was not given to this player." : "This step added no message.";
  const content = () => {
    if (at === null) return h("p", { class: "al-empty" }, describeStep(run, row));
    if (isRequest) return h("pre", { class: "al-pre", key: "request" }, requestFor(run, row));
    if (added.length === 0) return h("p", { class: "al-empty" }, none);
    // The two runs are compared only if they differ here.
    const others = state.differs.includes(row) ? state.runs[1 - index].steps[row].messages : null;
    return added.map((message, n) =>
      others && isSameMessage(message, others[n])
        ? drawShared(message, lines[n][1], `${at}.${n}=`)
        : drawMessage(message, `${at}.${n}`, others?.[n], n === 0 ? changes : null),
    );
  };
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
      content(),
    ),
  );
};

/** @param {number | null} at */
const titleOf = (at) => {
  if (at === null) return "No round here";
  return at === 0 ? "The prompt" : `Round ${at}`;
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
    drawSight(model, run, row),
    run.listed && side(run, row),
    messages(model, 0),
  );
};

/** @param {Model} model */
export const twoRuns = (model) => {
  const state = stateOf(model);
  const row = rowShown(model);
  return div(
    "al-two",
    state.runs.map((run, n) =>
      h(
        "div",
        { class: "al-run", role: "group", "aria-label": run.title },
        messages(model, n),
        side(run, row),
      ),
    ),
  );
};

/** Draw the cost of each run behind a fold; return null if none is known. @param {State} state */
export const drawBill = ({ runs }) => {
  const known = runs.filter(({ bill }) => bill);
  if (known.length === 0) return null;
  return h(
    "details",
    { class: "al-note al-bill" },
    h("summary", keys, "Cost"),
    known.map(({ title, bill }) => h("p", {}, runs.length > 1 && `${title}: `, bill)),
  );
};
