// What the model sees in a round: the prompt, the edge of its window, and the messages below it.

import { drawEdge, drawPlace, lookOf } from "./column.js";
import { button, hidden, keys, plural } from "./components.js";
import { div, h, span } from "./dom.js";
import { elementOf, press } from "./keyboard.js";
import { go } from "./player_keys.js";
import { sentFor } from "./run.js";

const MOST_LINES = 120;

/** Draw the messages of a request, a line each. Above the edge of the window are the prompt and,
 * dashed, the list that the model has lost. Pressing a line goes to the round that wrote it. Of two
 * runs, `others` are the lines that the other model sees: the lines in both are pale.
 * @param {Model} model @param {Run} run @param {number} at @param {string[] | null} [others] */
export const drawSight = (model, run, at, others = null) => {
  const sent = sentFor(run, at);
  const { view } = run.steps[at];
  const isCut = view.first > view.prompt + 1;
  const lost = isCut ? view.gone : [];
  const removed = view.first - 1 - lost.length;
  const seen = [...sent.keys()].slice(isCut ? view.first : 0).slice(-MOST_LINES);
  /** @param {number} index @param {Look} [look] */
  const line = (index, look) =>
    drawLine(model, sent[index], others, look ?? lookOf(view.column[view.sent - 1 - index]));
  return div(
    "al-sight",
    div("al-pane-title", at === 0 ? "What will be sent" : `What the model sees in round ${at}`),
    div(
      "al-note al-sight-words",
      !others && (run.window === null ? `${plural(sent.length, "message")}.` : view.words),
      run.window !== null && div(view.lost || view.gone.length > 0 ? "al-lost" : "", view.list),
    ),
    h(
      "div",
      {
        class: "al-sight-lines al-scroll",
        role: "group",
        tabindex: 0,
        "aria-label": `The messages in round ${at} of ${run.title}`,
        "data-follow": isCut ? "edge" : "end",
        ...keys,
        onkeydown: press({
          ArrowDown: (event) => moveFocus(event, 1),
          ArrowUp: (event) => moveFocus(event, -1),
        }),
      },
      h(
        "ol",
        {},
        isCut && [
          line(view.prompt),
          removed > 0 && h("li", { class: "al-count" }, `… ${plural(removed, "older message")}`),
          lost.map((index) => line(index, "ghost")),
          drawEdge(`the edge: ${plural(run.window ?? 0, "message")}`),
        ],
        seen.map((index) => line(index)),
      ),
    ),
  );
};

/** Move the focus from line to line: the lines are one stop of the Tab key.
 * @param {Event} event @param {number} by */
const moveFocus = (event, by) => {
  const lines = [...elementOf(event).querySelectorAll("button")];
  const place = lines.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
  lines[place + by]?.focus();
};

/** @param {Model} model @param {Sent} one @param {string[] | null} others @param {Look} look */
const drawLine = (model, { message, line, row }, others, look) => {
  const [mark, text] = line;
  const content = [
    h("span", { class: "al-sight-mark", "aria-hidden": "true" }, mark),
    hidden(look === "ghost" ? "not seen: " : "", `${message.role}: `),
    span("al-one-line al-sight-text", text || "…"),
  ];
  const title = row > 0 ? `Go to round ${row}` : "Go to the prompt";
  return drawPlace(
    look,
    { class: `al-line-${message.role} ${others?.includes(text) ? "al-line-shared" : ""}` },
    others
      ? div("al-sight-line", content)
      : button(content, () => go(model, row), { class: "al-sight-line", tabindex: -1, title }),
  );
};
