// The chart: a row for each run, a cell for each round. The rows are the slider of the threshold.

import { div, h, span } from "./dom.js";
import { clamp, draggable, elementOf, pointerIn, press } from "./input.js";
import { keys } from "./parts.js";
import {
  betOf,
  choiceOf,
  chosenColumn,
  chosenRow,
  chosenRun,
  chosenRuns,
  isBetOpen,
  isFinished,
  nameOf,
  rows,
  stepsDone,
} from "./runs_facts.js";
import { takesKeys } from "./stage.js";
import { set } from "./view.js";
import { drawCells } from "./window.js";

/**
 * @import { Tree } from "./dom.js"
 * @import { Run } from "./runs_facts.js"
 * @import { Model } from "./view.js"
 */

const PAGE = 5; // rows that PageUp and PageDown go
const SHORTEST = 12; // cells: the least width of the chart

/**
 * Draw the slider with all its rows.
 * @param {Model} model
 * @param {() => void} open what Enter, Space and a double click do
 */
export const strips = (model, open) => {
  const chosen = chosenRow(model);
  const asksBet = isBetOpen(model);
  const isTold = model.get("state").bet && !asksBet;
  return h(
    "div",
    { class: "al-runs-strips", style: `--rounds: ${longest(model)}` },
    div(
      "al-runs-strip al-runs-strip-heading",
      span("al-runs-strip-name", "remind after"),
      span("al-runs-cells", asksBet ? "what do you expect?" : "each cell is a round"),
      span("al-runs-strip-end", asksBet ? "" : "files show"),
      span("al-runs-strip-tokens", asksBet ? "" : "tokens"),
    ),
    h(
      "div",
      {
        class: isTold ? "al-runs-rows al-runs-told al-home" : "al-runs-rows al-home",
        role: "slider",
        tabindex: 0,
        ...keys,
        ...takesKeys,
        "aria-label": "Remind after so many rounds",
        "aria-orientation": "vertical",
        "aria-valuemin": 1,
        "aria-valuemax": lastRow(model) + 1,
        "aria-valuenow": chosen + 1,
        "aria-valuetext": spoken(model, chosenRun(model), chosen),
        onkeydown: (/** @type {KeyboardEvent} */ event) => onKey(model, event, open),
        ...draggable((event) => choosePlace(model, event), canDrag),
        // A mouse has chosen when it was pressed.
        onclick: (/** @type {PointerEvent} */ event) =>
          event.pointerType !== "mouse" && choosePlace(model, event),
        ondblclick: asksBet ? null : open,
      },
      asksBet
        ? rows(model).map((after, row) => guess(model, after, row, chosen))
        : chosenRuns(model).map((run, row) => strip(model, run, row)),
      asksBet ? null : brace(model),
    ),
  );
};

/** Return how many rounds the longest run has. @param {Model} model */
const longest = (model) =>
  Math.max(SHORTEST, ...chosenRuns(model).map((run) => run?.cells.length ?? 0));

/** Return the last row that can be chosen: a bet is about thresholds only. @param {Model} model */
const lastRow = (model) =>
  isBetOpen(model) ? model.get("state").thresholds.length - 1 : rows(model).length - 1;

/** Describe a row for a screen reader: first how the run ended.
 * @param {Model} model @param {Run | null} run @param {number} row */
const spoken = (model, run, row) => {
  const name = nameOf(model, row);
  if (isBetOpen(model)) return `${name}: you expect this to be the last that finishes`;
  return run ? `${run.outcome}: ${name}` : `${name}: being measured`;
};

/** From the learner's bet to the last threshold that finishes. @param {Model} model */
const brace = (model) => {
  const [bet, { last }] = [betOf(model), chosenColumn(model)];
  if (bet === null || last === null || bet === last) return null;
  const count = rows(model).length;
  const [top, bottom] = [Math.min(bet, last), Math.max(bet, last)];
  const style = `top: ${((top - 0.5) / count) * 100}%; height: ${((bottom - top) / count) * 100}%`;
  return h("span", { class: "al-runs-brace", style, "aria-hidden": "true" });
};

/**
 * The trees drawn for a run, so that a move redraws two rows and not all of them.
 * @type {WeakMap<Run, Map<string, Tree>>}
 */
const drawn = new WeakMap();

/** @param {Model} model @param {Run | null} run @param {number} row */
const strip = (model, run, row) => {
  const isChosen = row === chosenRow(model);
  const after = rows(model)[row];
  const parts = {
    isChosen,
    round: isChosen ? model.get("round") : 0,
    isBest: after !== null && after === chosenColumn(model).best,
    isBet: after !== null && after === betOf(model),
    length: longest(model),
  };
  if (!run) return frame(model, row, parts, [span("al-runs-cells-words", "…")]);
  const known = drawn.get(run) ?? new Map();
  drawn.set(run, known);
  const key = JSON.stringify([row, parts]);
  if (!known.has(key)) {
    const cells = drawCells(run.cells, isFinished(run), parts.round, parts.length);
    known.set(key, frame(model, row, parts, [cells], run));
  }
  return /** @type {Tree} */ (known.get(key));
};

/**
 * @param {Model} model
 * @param {number} row
 * @param {{ isChosen: boolean, isBest?: boolean, isBet?: boolean }} parts
 * @param {Tree[]} cells
 * @param {Run} [run]
 */
const frame = (model, row, { isChosen, isBest = false, isBet = false }, cells, run) => {
  const look = [
    "al-runs-strip",
    isChosen && "al-runs-chosen",
    run && !isFinished(run) && "al-runs-failed",
  ];
  return h(
    "div",
    { class: look.filter(Boolean).join(" "), style: `--row-number: ${row}` },
    span("al-runs-strip-name", isBet && span("al-runs-bet-tag", "your bet"), shortName(model, row)),
    span("al-runs-cells", cells),
    span("al-runs-strip-end", run && ending(run)),
    span("al-runs-strip-tokens", run && cost(run, isBest)),
  );
};

/** @param {Model} model @param {number} row */
const shortName = (model, row) => {
  const { thresholds } = model.get("state");
  if (row < thresholds.length) return String(thresholds[row]);
  return row === thresholds.length ? "no reminder" : "no list";
};

/** @param {Run} run */
const ending = (run) => {
  const isGood = isFinished(run);
  return span(
    isGood ? "al-runs-good" : "al-runs-bad",
    `${isGood ? "✓" : "✗"} ${stepsDone(run)}/${run.done.length}`,
  );
};

/** @param {Run} run @param {boolean} isBest */
const cost = ({ tokens }, isBest) => [
  h("span", { class: "al-runs-cost", style: `--tokens: ${tokens}` }),
  h("span", {}, `${Math.round(tokens / 1000)}k`),
  isBest &&
    h("span", { class: "al-runs-best", title: "the cheapest threshold that finishes" }, "★"),
];

/**
 * Draw a row while the bet is open: not the run, only what the learner expects.
 * @param {Model} model
 * @param {number | null} after
 * @param {number} row
 * @param {number} chosen
 */
const guess = (model, after, row, chosen) => {
  if (after === null) return div("al-runs-strip");
  const isIn = row <= chosen;
  return frame(model, row, { isChosen: row === chosen }, [
    span(
      isIn ? "al-runs-guess al-runs-guess-in" : "al-runs-guess",
      isIn ? "✓ finishes" : "✗ stops early",
    ),
  ]);
};

/**
 * @param {Model} model
 * @param {number} row
 * @param {number} [round] from 1; 0 for none
 */
const choose = (model, row, round = 0) => {
  const inRange = clamp(row, 0, lastRow(model));
  if (inRange === chosenRow(model) && round === model.get("round")) return;
  set(model, { ...choiceOf(model, inRange), round });
};

/** @param {Model} model @param {KeyboardEvent} event @param {() => void} open */
const onKey = (model, event, open) => {
  const row = chosenRow(model);
  const move = (/** @type {number} */ by) => choose(model, row + by);
  const moveAside = event.shiftKey ? (/** @type {number} */ by) => goRound(model, by) : move;
  press(event, {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    ArrowRight: () => moveAside(1),
    ArrowLeft: () => moveAside(-1),
    PageDown: () => move(PAGE),
    PageUp: () => move(-PAGE),
    Home: () => choose(model, 0),
    End: () => choose(model, lastRow(model)),
    Enter: open,
    " ": open,
  });
};

/** Choose the next or the last round of the chosen run. @param {Model} model @param {number} by */
const goRound = (model, by) => {
  const last = chosenRun(model)?.cells.length ?? 0;
  choose(model, chosenRow(model), clamp(model.get("round") + by, 1, last));
};

/** Return the round below the pointer, from 1; 0 outside the cells.
 * @param {Model} model @param {PointerEvent} event @param {number} row */
const roundAt = (model, event, row) => {
  const cells = /** @type {Element} */ (event.target).closest(".al-cells");
  if (!cells) return 0;
  const box = cells.getBoundingClientRect();
  const round = Math.floor(((event.clientX - box.left) / box.width) * longest(model)) + 1;
  return round <= (chosenRuns(model)[row]?.cells.length ?? 0) ? round : 0;
};

/** Return whether a drag may start: on touch screens only on the names, so that rows can scroll.
 * @param {PointerEvent} event */
const canDrag = (event) =>
  event.pointerType === "mouse" ||
  /** @type {Element} */ (event.target).closest(".al-runs-strip-name") !== null;

/** Choose what is below the pointer; a drag within its row leaves the round that was pressed.
 * @param {Model} model @param {PointerEvent} event */
const choosePlace = (model, event) => {
  const row = clamp(Math.floor(pointerIn(event).down * rows(model).length), 0, lastRow(model));
  if (event.type === "pointermove" && row === chosenRow(model)) return;
  elementOf(event).focus({ preventScroll: true });
  choose(model, row, roundAt(model, event, row));
};

/** Describe a round: "Round 8 writes a short plan, and a reminder goes out with its results."
 * @param {Model} model @param {Run} run @param {number} round */
export const roundWords = (model, run, round) => {
  const letter = run.cells[round - 1];
  if (!letter) return "";
  const kind = letter.toLowerCase();
  const words = `Round ${round} ${model.get("state").kinds[kind]}`;
  return letter === kind ? `${words}. ` : `${words}, and a reminder goes out with its results. `;
};
