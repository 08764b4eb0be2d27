// Four runs of one job, a tape each. The rounds that a Claude model took over from the script are
// paler, and the line where the plan left the window is before the first round of its own.

import { card } from "./components.js";
import { div, h, p, section, span, strong, ul } from "./dom.js";
import { edgeLine, tape } from "./tape.js";
import { view } from "./view.js";

/**
 * A run: its `cells` and `steps` (see tape.js), how many rounds are not its own, what the files show
 * at the end, and a sentence.
 * @typedef {{ name: string, cells: string, steps: string, begins: number, isFinished: boolean,
 *   count: string, note: string }} Row
 * @typedef {{ title: string, rows: Row[], limits: string[] }} Contents
 */

/** @param {Model} model */
const draw = (model) => {
  /** @type {Contents} */
  const { title, rows, limits } = model.get("state");
  const length = Math.max(...rows.map(({ cells }) => cells.length));
  return card(
    title,
    { class: "al-four" },
    div("al-head", span("al-title", title), legend()),
    rows.map((row) => drawRow(row, length)),
    section(
      "al-aside al-four-limits",
      strong("What the last two rows do not show"),
      ul("", limits),
    ),
  );
};

/** @param {Row} row @param {number} length */
const drawRow = ({ name, cells, steps, begins, isFinished, count, note }, length) =>
  div(
    { class: "al-four-row", role: "group", "aria-label": `${name}: ${count}. ${note}` },
    strong(name),
    span(["al-four-count", isFinished ? "al-good" : "al-bad"], count),
    tape(cells, { isFinished, steps, length, pale: begins }, begins > 0 && edgeLine(begins)),
    p("al-note", note),
  );

const legend = () =>
  div(
    "al-legend",
    span({}, tape("p"), "its list"),
    span({}, tape("d"), "finishes a step"),
    span({}, span("al-reminder-mark", "▼"), "reads a reminder"),
    span({}, tape("l"), "sees no plan"),
    span({}, h("span", { class: "al-four-line" }), "the plan leaves the window, and Claude begins"),
  );

export default view(draw);
