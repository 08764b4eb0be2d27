// What the model sees in a round: the prompt, the edge of its window, and the messages below it.

import { drawEdge, drawPlace, lookOf } from "./column.js";
import { hidden, keys, plural } from "./components.js";
import { div, h, li, span } from "./dom.js";
import { REMINDED, sentFor } from "./player_facts.js";

const MARKS = new Map([
  ["≡", "writes the list: "],
  [REMINDED, "with a reminder: "],
]);

/** Draw the messages of a request, a line each. Above the edge of the window is the prompt.
 * @param {Shown} shown */
export const drawSight = (shown) => {
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
          li("al-count", `… ${plural(view.first - 1, "older message")}`),
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
