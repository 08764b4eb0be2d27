// What there is to see of a frame: the list with the window, or the messages that were sent; and the
// messages that the frame added.

import { seenList } from "./board.js";
import { folded, keys } from "./components.js";
import { div } from "./dom.js";
import { drawMessage } from "./messages.js";
import { drawSight } from "./player_window.js";

/** Draw a run with a list as the board does. What was sent in full is folded.
 * @param {Shown} shown */
export const listPane = (shown) => {
  const { frame, row, window, title } = shown;
  const view = window === null ? null : frame.view;
  return [
    seenList(
      { ...frame, view, window },
      row === 0 ? "What will be sent:" : `What the model saw in round ${row}:`,
      frame.unseen,
      {
        class: "al-items al-scroll",
        tabindex: 0,
        "aria-label": `The list of ${title}`,
        "data-follow": ".al-in_progress, .al-item:last-child:not(.al-pending)",
      },
    ),
    folded(`Show the ${nameOf(row)}`, div("al-messages-inside", messages(shown))),
  ];
};

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
      div({ class: "al-messages-inside al-scroll", ...props }, messages(shown)),
    ),
  );
};

/** @param {number} row */
const nameOf = (row) => (row === 0 ? "prompt" : `messages of round ${row}`);

/** Draw the messages that a frame added. @param {Shown} shown */
const messages = ({ row, frame }) =>
  frame.messages.map((message, n) =>
    drawMessage(message, `${row}.${n}`, n === 0 ? frame.changes : null),
  );
