// What the model sees in a round: the prompt, the edge of its window, and the messages below it.

import { drawEdge, drawPlace, lookOf } from "./column.js";
import { hidden, keys, plural } from "./components.js";
import { div, h, li, span } from "./dom.js";
import { REMINDED, sentFor } from "./player_facts.js";

const MARKS = new Map([
  ["≡", "writes the list: "],
  [REMINDED, "with a reminder: "],
]);

/** Draw the messages of a request, a line each. Above the edge of the window are the prompt and,
 * dashed, the list that the model has lost. Of two runs, `others` are the lines that the other
 * model sees: the lines in both are pale, and each other line has the sign ≠.
 * @param {Run} run @param {number} at @param {string[] | null} [others] */
export const drawSight = (run, at, others = null) => {
  const sent = sentFor(run, at);
  const { view } = run.frames[at];
  const isCut = view.first > view.prompt + 1;
  const lost = isCut ? view.gone : [];
  const removed = view.first - 1 - lost.length;
  const seen = [...sent.keys()].slice(isCut ? view.first : 0);
  const room = others && run.window ? run.window + view.prompt + 1 - sent.length : 0;
  /** @param {number} index @param {Look} [look] */
  const line = (index, look) =>
    drawLine(
      sent[index],
      index < view.first ? null : others,
      look ?? lookOf(view.column[view.sent - 1 - index]),
    );
  return div(
    "al-sight",
    !others &&
      div("al-pane-title", at === 0 ? "What will be sent" : `What the model sees in round ${at}`),
    div(
      "al-note al-sight-words",
      !others && `${plural(sent.length, "message")}. `,
      run.window !== null && span(view.lost || view.gone.length > 0 ? "al-lost" : "", view.list),
    ),
    div(
      {
        class: "al-sight-lines al-scroll",
        role: "group",
        tabindex: 0,
        "aria-label": `The messages in round ${at} of ${run.title}`,
        "data-follow": isCut ? ".al-place-ghost, .al-edge" : ".al-place:last-child",
        ...keys,
      },
      h(
        "ol",
        {},
        isCut && [
          line(view.prompt),
          removed > 0 && li({ class: "al-count" }, `… ${plural(removed, "older message")}`),
          lost.map((index) => line(index, "ghost")),
          drawEdge(`the edge: ${plural(run.window ?? 0, "message")}`),
        ],
        room > 0 &&
          li({ class: "al-room", "aria-hidden": "true" }, `room for ${plural(room, "message")}`),
        seen.map((index) => line(index)),
      ),
    ),
  );
};

/** @param {Sent} one @param {string[] | null} others @param {Look} look */
const drawLine = ({ message, line }, others, look) => {
  const [mark, text] = line;
  const isShared = others?.includes(line.join(" "));
  const isOnlyHere = others && !isShared && look !== "ghost";
  const looks = [isShared && "al-line-shared", mark === REMINDED && "al-line-reminded"];
  return drawPlace(
    look,
    { class: ["al-sight-line", `al-line-${message.role}`, ...looks] },
    span({ class: "al-sight-mark", "aria-hidden": "true" }, mark),
    hidden(
      look === "ghost" && "not seen: ",
      isOnlyHere && "only here: ",
      `${message.role}: `,
      MARKS.get(mark),
    ),
    span("al-one-line al-sight-text", text || "…"),
    isOnlyHere && span({ class: "al-only-here", "aria-hidden": "true" }, "≠"),
  );
};
