// What there is to see of a frame: the list, or the messages that were sent, which are the window of
// the tape, opened; and the messages that the frame added.

import { drawEdge, drawPlace, lookOf } from "./column.js";
import { folded, hidden, keys, plural } from "./components.js";
import { div, h, li, p, span } from "./dom.js";
import { drawMessage } from "./messages.js";
import { REMINDED, sentFor } from "./player_facts.js";
import { counter, evidence, todoList } from "./todo_list.js";

/** Draw a run with a list. What was sent in full is folded. @param {Shown} shown */
export const listPane = ({ frame, row, window, title }) => [
  todoList(frame.plan, {
    isLost: frame.unseen,
    class: "al-items al-scroll",
    tabindex: 0,
    "aria-label": `The list of ${title}`,
    "data-follow": ".al-in_progress, .al-item:last-child:not(.al-pending)",
  }),
  window !== null &&
    p({ class: `al-note al-view ${frame.unseen ? "al-lost" : ""}` }, frame.view.list),
  counter(frame.counter),
  evidence(frame.plan),
  folded(`Show the ${nameOf(row)}`, div("al-messages-inside", messages(row, frame))),
];

/** Draw a run without a list. @param {Shown} shown */
export const messagesPane = (shown) => {
  const title = nameOf(shown.row);
  const props = { role: "group", tabindex: 0, "aria-label": title, key: shown.row, ...keys };
  return div(
    "al-one",
    drawSight(shown),
    div(
      "al-messages",
      div("al-pane-title", `The ${title}`),
      div({ class: "al-messages-inside al-scroll", ...props }, messages(shown.row, shown.frame)),
    ),
  );
};

/** @param {number} row */
const nameOf = (row) => (row === 0 ? "prompt" : `messages of round ${row}`);

/** Draw the messages that a frame added. @param {number} row @param {Frame} frame */
const messages = (row, frame) =>
  frame.messages.map((message, n) =>
    drawMessage(message, `${row}.${n}`, n === 0 ? frame.changes : []),
  );

const MARKS = new Map([
  ["≡", "writes the list: "],
  [REMINDED, "with a reminder: "],
]);

/** Draw the messages of a request, a line each. Above the edge of the window is the prompt.
 * @param {Shown} shown */
const drawSight = (shown) => {
  const { title, row, window } = shown;
  const { view } = shown.frame;
  const sent = sentFor(shown);
  const isCut = view.first > view.prompt + 1;
  /** @param {number} index */
  const line = (index) => drawLine(sent[index], lookOf(view.column[view.sent - 1 - index]));
  return div(
    "al-sight",
    div("al-pane-title", row === 0 ? "What will be sent" : `What the model sees in round ${row}`),
    div(
      {
        class: "al-sight-lines al-scroll",
        role: "group",
        tabindex: 0,
        "aria-label": `The messages in round ${row} of ${title}`,
        "data-follow": isCut ? ".al-edge" : ".al-place:last-child",
        ...keys,
      },
      h(
        "ol",
        {},
        isCut && [
          line(view.prompt),
          li("al-muted", `… ${plural(view.first - 1, "older message")}`),
          drawEdge(`the edge: ${plural(window ?? 0, "message")}`),
        ],
        [...sent.keys()].slice(isCut ? view.first : 0).map(line),
      ),
    ),
  );
};

/** @param {Sent} one @param {Look} look */
const drawLine = ({ message, line: [mark, text] }, look) =>
  drawPlace(
    look,
    { class: `al-sight-line al-line-${message.role}` },
    span({ class: "al-sight-mark", "aria-hidden": "true" }, mark),
    hidden(`${message.role}: `, MARKS.get(mark)),
    span("al-one-line al-sight-text", text || "…"),
  );
