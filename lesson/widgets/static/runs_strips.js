// The strips: a row for each run, a cell for each round. The rows are the slider.

import { div, h, span } from "./dom.js";
import { clamp, draggable, elementOf, pointerIn, press } from "./input.js";
import { keys } from "./parts.js";
import {
  betOf,
  cheapest,
  choiceOf,
  chosenRow,
  count,
  edgeOf,
  isBetOpen,
  isFinished,
  nameOf,
  outcome,
  plansInView,
  rows,
  runsOf,
} from "./runs_facts.js";
import { takesKeys } from "./stage.js";
import { set } from "./view.js";

/**
 * @import { Tree } from "./dom.js"
 * @import { Run } from "./runs_facts.js"
 * @import { Model } from "./view.js"
 */

const PAGE = 5; // rows that PageUp and PageDown go

/**
 * The slider with all its rows.
 * @param {Model} model
 * @param {() => void} open what Enter, Space and a double click do
 */
export const strips = (model, open) => {
  const runs = runsOf(model, model.get("window"));
  const chosen = chosenRow(model);
  const asksBet = isBetOpen(model);
  const longest = Math.max(12, ...runs.map((run) => run?.cells.length ?? 0));
  const edge = asksBet ? 0 : edgeOf(runs);
  return h(
    "div",
    { class: "al-runs-strips", style: `--rounds: ${longest}` },
    heading(edge, asksBet),
    h(
      "div",
      {
        class: "al-runs-rows al-home",
        role: "slider",
        tabindex: 0,
        ...keys,
        ...takesKeys,
        "aria-label": "Remind after so many rounds",
        "aria-orientation": "vertical",
        "aria-valuemin": 1,
        "aria-valuemax": lastRow(model) + 1,
        "aria-valuenow": chosen + 1,
        "aria-valuetext": spoken(model, runs[chosen], chosen),
        onkeydown: (/** @type {KeyboardEvent} */ event) => onKey(model, event, open),
        ...draggable((event) => choosePlace(model, event), canDrag),
        // A mouse has chosen when it was pressed.
        onclick: (/** @type {PointerEvent} */ event) =>
          event.pointerType !== "mouse" && choosePlace(model, event),
        ondblclick: asksBet ? null : open,
      },
      asksBet
        ? rows(model).map((after, row) => guess(model, after, row, chosen))
        : runs.map((run, row) => strip(model, run, row, { chosen, edge, best: cheapest(runs) })),
    ),
  );
};

/** The last row that can be chosen: a bet is about thresholds only. @param {Model} model */
const lastRow = (model) =>
  isBetOpen(model) ? model.get("state").thresholds.length - 1 : rows(model).length - 1;

/** @param {number} edge @param {boolean} asksBet */
const heading = (edge, asksBet) =>
  h(
    "div",
    { class: "al-runs-strip al-runs-strip-heading", "aria-hidden": "true" },
    span("al-runs-strip-name", "remind after"),
    span(
      "al-runs-cells",
      edge > 0
        ? h(
            "span",
            { class: "al-runs-edge-words", style: `grid-column: ${edge + 1} / -1` },
            span("al-runs-wide", "here the first plan leaves the model’s view"),
            span("al-runs-narrow", "plan out of view"),
          )
        : span("al-runs-cells-words", asksBet ? "what do you expect?" : "each cell is one round"),
    ),
    span("al-runs-strip-end", asksBet ? "" : "files show"),
    span("al-runs-strip-tokens", asksBet ? "" : "tokens"),
  );

/** A row for readers who do not see it: first how the run ended.
 * @param {Model} model @param {Run | null} run @param {number} row */
const spoken = (model, run, row) => {
  const name = nameOf(model, row);
  if (isBetOpen(model)) return `${name}: you expect this to be the last that finishes`;
  return run ? `${outcome(run)}: ${name}` : `${name}: being measured`;
};

/**
 * The trees that were drawn of a run, so that a move draws two rows and not all of them.
 * @type {WeakMap<Run, Map<string, Tree>>}
 */
const drawn = new WeakMap();

/**
 * @param {Model} model
 * @param {Run | null} run
 * @param {number} row
 * @param {{ chosen: number, edge: number, best: number }} picture
 */
const strip = (model, run, row, { chosen, edge, best }) => {
  const isChosen = row === chosen;
  const round = isChosen ? model.get("round") : 0;
  const bet = betOf(model);
  const isBet = bet !== null && bet === rows(model)[row];
  const parts = { isChosen, round, edge, isBest: row === best, isBet };
  if (!run) return frame(model, row, parts, [span("al-runs-cells-words", "…")]);
  const known = drawn.get(run) ?? new Map();
  drawn.set(run, known);
  const key = JSON.stringify([row, parts]);
  if (!known.has(key)) known.set(key, frame(model, row, parts, inside(model, run, parts), run));
  return /** @type {Tree} */ (known.get(key));
};

/**
 * @typedef {{ isChosen: boolean, round: number, edge: number, isBest: boolean, isBet: boolean }} Parts
 * @param {Model} model
 * @param {number} row
 * @param {Parts} parts
 * @param {Tree[]} cells
 * @param {Run} [run]
 */
const frame = (model, row, parts, cells, run) => {
  const look = [
    "al-runs-strip",
    parts.isChosen && "al-runs-chosen",
    parts.isBet && "al-runs-bet",
    run && !isFinished(run) && "al-runs-failed",
  ];
  return div(
    look.filter(Boolean).join(" "),
    span(
      "al-runs-strip-name",
      parts.isBet && span("al-runs-bet-tag", "your bet"),
      shortName(model, row),
    ),
    span("al-runs-cells", cells),
    span("al-runs-strip-end", run && ending(run)),
    span("al-runs-strip-tokens", run && cost(run, parts.isBest)),
  );
};

/** @param {Model} model @param {number} row */
const shortName = (model, row) => {
  const { thresholds } = model.get("state");
  if (row < thresholds.length) return String(thresholds[row]);
  return row === thresholds.length ? "no reminder" : "no list";
};

/** The cells of a run, how long each plan is in view, and the line where the first one is not.
 * @param {Model} model @param {Run} run @param {Parts} parts */
const inside = (model, run, { round, edge }) => {
  const { kinds } = model.get("state");
  const cells = [...run.cells].map((letter, place) => {
    const kind = letter.toLowerCase();
    const isReminded = letter !== kind;
    const look = [`al-runs-cell al-runs-cell-${kind}`, isReminded && "al-runs-reminded"];
    if (place + 1 === round) look.push("al-runs-cell-chosen");
    const words = `round ${place + 1}: ${kinds[kind]}${isReminded ? ", then a reminder" : ""}`;
    return h("span", { class: look.filter(Boolean).join(" "), title: words });
  });
  const ribbons = plansInView(run.cells).map(([start, end]) =>
    h("span", { class: "al-runs-ribbon", style: `grid-column: ${start + 1} / ${end + 1}` }),
  );
  const line = edge > 0 && h("span", { class: "al-runs-edge", style: `grid-column: ${edge + 1}` });
  return [...cells, ...ribbons, ...(line ? [line] : [])];
};

/** @param {Run} run */
const ending = (run) => {
  const isGood = isFinished(run);
  return span(
    isGood ? "al-runs-good" : "al-runs-bad",
    `${isGood ? "✓" : "✗"} ${count(run.done, "x")}/${run.done.length}`,
  );
};

/** @param {Run} run @param {boolean} isBest */
const cost = (run, isBest) => [
  h("span", { class: "al-runs-cost", style: `--tokens: ${run.tokens}` }),
  h("span", {}, `${Math.round(run.tokens / 1000)}k`),
  isBest &&
    h("span", { class: "al-runs-best", title: "the cheapest threshold that finishes" }, "★"),
];

/**
 * A row while the bet is open: nothing of the run is shown, only what the learner expects.
 * @param {Model} model
 * @param {number | null} after
 * @param {number} row
 * @param {number} chosen
 */
const guess = (model, after, row, chosen) => {
  const parts = { isChosen: row === chosen, round: 0, edge: 0, isBest: false, isBet: false };
  if (after === null) return div("al-runs-strip");
  const isIn = row <= chosen;
  const words = isIn ? "✓ finishes" : "✗ stops early";
  return frame(model, row, parts, [
    span(isIn ? "al-runs-guess al-runs-guess-in" : "al-runs-guess", h("span", {}, words)),
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
  const row = chosenRow(model);
  const last = runsOf(model, model.get("window"))[row]?.cells.length ?? 0;
  choose(model, row, clamp(model.get("round") + by, 1, last));
};

/** The round below the pointer, from 1; 0 beside the cells. @param {Event} event */
const roundAt = (event) => {
  const cell = /** @type {Element} */ (event.target).closest(".al-runs-cell");
  return cell ? [...(cell.parentElement?.children ?? [])].indexOf(cell) + 1 : 0;
};

/** A finger that scrolls the page over the rows must not drag: it has the names to drag by.
 * @param {PointerEvent} event */
const canDrag = (event) =>
  event.pointerType === "mouse" ||
  /** @type {Element} */ (event.target).closest(".al-runs-strip-name") !== null;

/** Choose what is below the pointer; a drag within its row leaves the round that was pressed.
 * @param {Model} model @param {PointerEvent} event */
const choosePlace = (model, event) => {
  const row = Math.floor(pointerIn(event).down * elementOf(event).childElementCount);
  if (event.type === "pointermove" && row === chosenRow(model)) return;
  choose(model, row, roundAt(event));
};

/** The words of a round: "Round 8 writes a short plan, then a reminder goes in."
 * @param {Model} model @param {Run} run @param {number} round */
export const roundWords = (model, run, round) => {
  const letter = run.cells[round - 1];
  if (!letter) return "";
  const kind = letter.toLowerCase();
  const words = `Round ${round} ${model.get("state").kinds[kind]}`;
  return letter === kind ? `${words}. ` : `${words}, and a reminder goes out with its results. `;
};
