// The map: every threshold and every attention, as far as they are measured. It is a slider with
// two ways to go.

import { div, h, span } from "./dom.js";
import { clamp, draggable, pointerIn, press } from "./input.js";
import { button, keys } from "./parts.js";
import {
  choiceOf,
  chosenRow,
  count,
  isFinished,
  nameOf,
  outcome,
  rows,
  runsOf,
} from "./runs_facts.js";
import { set } from "./view.js";

/**
 * @import { Tree } from "./dom.js"
 * @import { Run } from "./runs_facts.js"
 * @import { Model } from "./view.js"
 */

const TICKS = [4, 12, 20, 28, 36, 48];

/** @param {Model} model @param {() => void} open what Enter and a double click do */
export const map = (model, open) => {
  const [low, high] = model.get("state").windows;
  const heights = Array.from({ length: high - low + 1 }, (_, index) => high - index);
  const width = rows(model).length;
  const [windowSize, chosen] = [model.get("window"), chosenRow(model)];
  const run = runsOf(model, windowSize)[chosen];
  const left = ((chosen + 0.5) / width) * 100;
  const top = ((high - windowSize + 0.5) / heights.length) * 100;
  return div(
    "al-runs-map-side",
    div("al-runs-map-head", measuring(model, heights.length)),
    div(
      "al-runs-map-frame",
      h(
        "div",
        { class: "al-runs-map-ticks", "aria-hidden": "true" },
        TICKS.map((tick) =>
          h(
            "span",
            { style: `top: ${((high - tick + 0.5) / heights.length) * 100}%` },
            String(tick),
          ),
        ),
      ),
      h(
        "div",
        {
          class: "al-runs-map",
          role: "slider",
          tabindex: 0,
          ...keys,
          "aria-roledescription": "map",
          "aria-label": "Attention, and the reminder: up and down, left and right",
          "aria-valuemin": low,
          "aria-valuemax": high,
          "aria-valuenow": windowSize,
          "aria-valuetext": `${run ? outcome(run) : "not measured yet"}: ${nameOf(model, chosen)}, windowSize ${windowSize}`,
          onkeydown: (/** @type {KeyboardEvent} */ event) => onKey(model, event, open),
          ...draggable((event) => choosePlace(model, event)),
          ondblclick: open,
        },
        heights.map((value) => line(model, value)),
        h("span", { class: "al-runs-map-mark", style: `left: ${left}%; top: ${top}%` }),
      ),
      h(
        "div",
        { class: "al-runs-map-scale", "aria-hidden": "true" },
        model
          .get("state")
          .thresholds.map((/** @type {number} */ after) =>
            h("span", {}, after === 1 || after % 5 === 0 ? String(after) : ""),
          ),
        h("span", {}),
        h("span", {}),
      ),
    ),
    div(
      "al-runs-map-words",
      "Across: remind after; the last two are no reminder and no list. Up: messages in view.",
    ),
  );
};

/** @type {WeakMap<object, Tree>} */
const drawn = new WeakMap();

/** The runs with one attention, as one line of cells. @param {Model} model @param {number} windowSize */
const line = (model, windowSize) => {
  const whole = model.get("columns")[windowSize];
  const known = whole && drawn.get(whole);
  if (known) return known;
  const tree = div("al-runs-map-line", runsOf(model, windowSize).map(cell));
  if (whole) drawn.set(whole, tree);
  return tree;
};

/** @param {Run | null} run */
const cell = (run) => {
  if (!run) return span("al-runs-map-cell");
  if (isFinished(run)) return span("al-runs-map-cell al-runs-map-good");
  const part = Math.round((count(run.done, "x") / run.done.length) * 5);
  return span(`al-runs-map-cell al-runs-map-bad al-runs-map-bad-${part}`);
};

/** The button that measures all, and how far it is.
 * @param {Model} model @param {number} attentions how many there are */
const measuring = (model, attentions) => {
  const across = rows(model).length;
  const done = Object.keys(model.get("columns")).length;
  const hasKernel = model.get("playable") === undefined;
  if (done >= attentions || !hasKernel) return "All of them: which finish?";
  const isRunning = model.get("is_mapping");
  const all = attentions * across;
  return [
    span("al-runs-count", done > 1 ? `${done * across} of ${all}` : ""),
    button(isRunning ? "Stop" : "Measure all", () => set(model, { is_mapping: !isRunning }), {
      class: "al-button al-runs-small",
      title: `${all} runs: some minutes, beside your work, for those that are not known`,
    }),
  ];
};

/** @param {Model} model @param {number} row @param {number} windowSize */
const choose = (model, row, windowSize) => {
  const [low, high] = model.get("state").windows;
  const inRow = clamp(row, 0, rows(model).length - 1);
  const inColumn = clamp(windowSize, low, high);
  if (inRow === chosenRow(model) && inColumn === model.get("window")) return;
  set(model, { ...choiceOf(model, inRow), window: inColumn, round: 0 });
};

/** @param {Model} model @param {KeyboardEvent} event @param {() => void} open */
const onKey = (model, event, open) => {
  const [row, windowSize] = [chosenRow(model), model.get("window")];
  press(event, {
    ArrowLeft: () => choose(model, row - 1, windowSize),
    ArrowRight: () => choose(model, row + 1, windowSize),
    ArrowUp: () => choose(model, row, windowSize + 1),
    ArrowDown: () => choose(model, row, windowSize - 1),
    PageUp: () => choose(model, row, windowSize + 5),
    PageDown: () => choose(model, row, windowSize - 5),
    Home: () => choose(model, 0, windowSize),
    End: () => choose(model, Number.POSITIVE_INFINITY, windowSize),
    Enter: open,
  });
};

/** @param {Model} model @param {PointerEvent} event */
const choosePlace = (model, event) => {
  const [low, high] = model.get("state").windows;
  const { across, down } = pointerIn(event);
  const row = Math.floor(across * rows(model).length);
  choose(model, row, high - Math.floor(down * (high - low + 1)));
};
