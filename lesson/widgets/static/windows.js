// The front page's picture: two runs and their windows, without a kernel. The edge is moved in both
// runs at once, the reminder in each.

import { div, h } from "./dom.js";
import { isFinished } from "./runs_facts.js";
import { evidenceRows } from "./todo_list.js";
import { set, view } from "./view.js";
import { drawWindow } from "./window.js";

/** @param {Model} model */
const draw = (model) =>
  h(
    "div",
    { class: "agentlib al-windows", role: "group", "aria-label": "Two runs" },
    model
      .get("afters")
      .map((/** @type {number} */ _, /** @type {number} */ row) => one(model, row)),
  );

/** @param {Model} model @param {number} row */
const one = (model, row) => {
  const [size, afters, columns] = [model.get("window"), model.get("afters"), model.get("columns")];
  const after = afters[row];
  /** @type {Measured} */
  const run = columns[size].runs[after - 1];
  return div(
    "al-windows-row",
    h("p", { class: "al-windows-why" }, run.why.replaceAll("*", "")),
    drawWindow({
      name: `Reminded after ${after}`,
      cells: run.cells,
      isFinished: isFinished(run),
      outcome: run.outcome,
      size,
      sizes: model.get("windows"),
      after,
      isNamed: true,
      // Only runs that have been loaded can be drawn.
      setSize: (to) => columns[to] && set(model, { window: to }),
      setAfter: (to) =>
        set(model, {
          afters: afters.map((/** @type {number} */ old, /** @type {number} */ place) =>
            place === row ? to : old,
          ),
        }),
    }),
    div("al-windows-end", evidenceRows(run.done, run.claims)),
  );
};

export default view(draw);
