// The slider of the threshold: a row for each run, with a cell for each round.

import { plural, slide, slider } from "./components.js";
import { div, span } from "./dom.js";
import { clamp, draggable, pointerIn, press } from "./input.js";
import { takesKeys } from "./presentation.js";
import { choose, isFinished } from "./runs_facts.js";
import { drawCells } from "./strip.js";
import { stepsDone } from "./todo_list.js";

const SHORTEST = 12; // cells: the least width of the chart

/** Draw the slider with all its rows.
 * @param {Facts} facts @param {(event: Event) => void} open what Enter and Space do */
export const strips = (facts, open) => {
  const { asksBet, runs, best } = facts;
  /** @type {Scale} */
  const scale = {
    label: "Reminded after so many rounds",
    value: facts.row + 1,
    range: [facts.row < 0 ? 0 : 1, facts.lastRow + 1],
    words: spoken(facts),
  };
  const actions = slide(scale, (to) => choose(facts, { row: to - 1 }), 1);
  return div(
    { class: "al-runs-strips", style: `--rounds: ${longest(facts)}` },
    div(
      "al-runs-strip al-runs-strip-heading",
      span("al-note al-runs-strip-name", "reminded after"),
      span(
        "al-note al-runs-cells",
        asksBet ? "what do you expect?" : "each cell is a round",
        best !== null && !asksBet && span("al-runs-best", "★ the cheapest threshold that finishes"),
      ),
      span("al-note al-runs-strip-end", !asksBet && "files show"),
      span("al-note al-runs-strip-tokens", !asksBet && "tokens"),
    ),
    slider(
      scale,
      {
        class: "al-runs-rows al-home",
        ...takesKeys,
        "aria-orientation": "vertical",
        onkeydown: press({ ...actions, Enter: open, " ": open }),
        ...draggable((event) => choosePlace(facts, event)),
      },
      runs.map((run, row) => (asksBet ? guess(facts, row) : strip(facts, run, row))),
    ),
  );
};

/** Return how many rounds the longest run has. @param {Facts} facts */
const longest = ({ runs }) => Math.max(SHORTEST, ...runs.map((run) => run?.cells.length ?? 0));

/** Describe the chosen row for a screen reader: first how the run ended. @param {Facts} facts */
const spoken = ({ name, row, run, asksBet }) => {
  if (row < 0) return "no row chosen yet";
  if (asksBet) return `${name}: you expect this to be the last that finishes`;
  return run ? `${run.outcome}: ${name}` : `${name}: being measured`;
};

/** @param {Facts} facts @param {Measured | null} run @param {number} row */
const strip = (facts, run, row) => {
  if (!run) return frame(facts, row, span("al-muted", "…"));
  const round = row === facts.row ? facts.round : 0;
  return frame(facts, row, drawCells(run.cells, isFinished(run), round, longest(facts)), run);
};

/** Draw the name of a row, its `cells`, and how its run ended.
 * @param {Facts} facts @param {number} row @param {Tree} cells @param {Measured} [run] */
const frame = (facts, row, cells, run) => {
  const after = facts.rows[row] ?? NaN; // a row without a threshold is neither the bet nor the best
  const isChosen = row === facts.row;
  const isFailed = run && !isFinished(run);
  return div(
    ["al-runs-strip", isChosen && "al-runs-chosen", isFailed && "al-runs-failed"],
    isChosen && span("al-runs-handle", "↕"),
    facts.row < 0 && row === 0 && span("al-runs-handle al-runs-handle-asks", "↕ drag"),
    span(
      "al-runs-strip-name",
      after === facts.bet && span("al-runs-bet-tag", "your bet"),
      isChosen && after > 0 && after !== facts.bet
        ? plural(after, "round")
        : facts.shortNames[row].replace("after ", ""),
    ),
    span("al-runs-cells", cells),
    span("al-runs-strip-end", run && ending(run)),
    span("al-runs-strip-tokens", run && cost(run, after === facts.best)),
  );
};

/** @param {Measured} run */
const ending = (run) => {
  const isGood = isFinished(run);
  return span(
    isGood ? "al-good" : "al-bad",
    `${isGood ? "✓" : "✗"} ${stepsDone(run.done)} of ${run.done.length}`,
  );
};

/** @param {Measured} run @param {boolean} isBest */
const cost = ({ tokens }, isBest) => [
  span({ class: "al-runs-cost", style: `--tokens: ${tokens}` }),
  span({}, `${Math.round(tokens / 1000)}k`),
  isBest && "★",
];

/** Draw a row while the bet is open: not the run, only what the learner expects.
 * @param {Facts} facts @param {number} row */
const guess = (facts, row) => {
  if (row > facts.lastRow) return div("al-runs-strip");
  const isIn = row <= facts.row;
  const guessed = span(
    ["al-note al-runs-guess", isIn && "al-runs-guess-in"],
    facts.row >= 0 && (isIn ? "✓ finishes" : "✗ stops early"),
  );
  return frame(facts, row, guessed);
};

/** Return the round below the pointer, from 1; 0 outside the cells.
 * @param {PointerEvent} event @param {Facts} facts @param {number} row */
const roundAt = (event, facts, row) => {
  const cells = /** @type {Element} */ (event.target).closest(".al-cells");
  if (!cells) return 0;
  const box = cells.getBoundingClientRect();
  const round = Math.floor(((event.clientX - box.left) / box.width) * longest(facts)) + 1;
  return round <= (facts.runs[row]?.cells.length ?? 0) ? round : 0;
};

/** Choose what is below the pointer; a drag within its row leaves the round that was pressed.
 * @param {Facts} facts @param {PointerEvent} event */
const choosePlace = (facts, event) => {
  const row = clamp(Math.floor(pointerIn(event).down * facts.rows.length), 0, facts.lastRow);
  if (event.type === "pointermove" && row === facts.row) return;
  choose(facts, { row, round: roundAt(event, facts, row) });
};
