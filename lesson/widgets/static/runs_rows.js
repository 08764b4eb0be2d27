// The rows of the chart: a tape for each run, and across all of them the line at which the first plan
// leaves the window. The rows are a slider for the threshold, and the line is one for the window.

import { edge, plural, slide, slider, thousands } from "./components.js";
import { div, span } from "./dom.js";
import { clamp, draggable, pointerIn, press } from "./input.js";
import { takesKeys } from "./presentation.js";
import { choose, isFinished } from "./runs_facts.js";
import { lastInSight, tape } from "./tape.js";
import { stepsDone } from "./todo_list.js";

const SHORTEST = 18; // rounds: the least length of the tapes
const NUMBERED = 5; // every so many rounds

/** Draw the slider with all its rows, the line, and the numbers of the rounds.
 * @param {Facts} facts @param {(event: Event) => void} open what Enter and Space do */
export const drawRows = (facts, open) => {
  const { asksBet, runs } = facts;
  /** @type {Scale} */
  const scale = {
    label: "Reminded after so many rounds",
    value: facts.row + 1,
    range: [facts.row < 0 ? 0 : 1, facts.lastRow + 1],
    words: spoken(facts),
  };
  const actions = slide(scale, (to) => choose(facts, { row: to - 1 }), 1);
  return div(
    {
      class: "al-runs-chart",
      style: `--length: ${longest(facts)}; --at: ${lastInSight(facts.size)}`,
    },
    div(
      "al-runs-row al-runs-heading",
      span(
        "al-runs-sight al-note",
        span("al-runs-in", "first plan in sight"),
        span("al-runs-out", "out of sight"),
      ),
      span("al-runs-end al-note", asksBet ? "you expect" : "files show"),
      span("al-runs-tokens al-note", !asksBet && "tokens"),
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
      runs.slice(0, facts.lastRow + 1).map((run, row) => drawRow(facts, run, row)),
    ),
    div("al-runs-row al-runs-over", track(windowEdge(facts))),
    div(
      { class: "al-runs-row al-runs-axis", "aria-hidden": "true" },
      span("al-runs-name al-note", "reminded after ↑"),
      track(numbers(longest(facts))),
    ),
  );
};

/** Return how many rounds the longest run has. @param {Facts} facts */
const longest = ({ asksBet, runs }) =>
  asksBet ? 24 : Math.max(SHORTEST, ...runs.map((run) => run?.cells.length ?? 0));

/** Describe the chosen row for a screen reader: first how the run ended. @param {Facts} facts */
const spoken = ({ name, row, run, asksBet }) => {
  if (row < 0) return "no row chosen yet";
  if (asksBet) return `${name}: you expect this to be the last that finishes`;
  return run ? `${run.outcome}: ${name}` : `${name}: being measured`;
};

/** Draw a run: its name, its tape, and how it ended. While the bet is open, only what the learner
 * expects. @param {Facts} facts @param {Measured | null} run @param {number} row */
const drawRow = (facts, run, row) => {
  const { asksBet, bet, shortNames } = facts;
  const after = facts.rows[row] ?? NaN; // a row without a threshold is not the bet
  const isChosen = row === facts.row;
  const length = longest(facts);
  const shown = asksBet
    ? { reached: 1, length }
    : {
        isFinished: run && isFinished(run),
        steps: run?.steps,
        reminders: 1,
        chosen: isChosen ? facts.round : 0,
        length,
      };
  const cells = asksBet ? "p".padEnd(length, "?") : run?.cells;
  return div(
    ["al-runs-row", isChosen && "al-runs-chosen", asksBet && "al-runs-open"],
    (isChosen || (facts.row < 0 && row === 0)) && span("al-runs-handle", "↕"),
    span(
      "al-runs-name",
      after === bet && span("al-runs-bet", "your bet"),
      isChosen && after > 0 && after !== bet
        ? plural(after, "round")
        : shortNames[row].replace("after ", ""),
    ),
    track(cells ? tape(cells, shown) : span("al-muted", "…")),
    span("al-runs-end", asksBet ? expected(facts, row) : run && ending(run)),
    span("al-runs-tokens", run && !asksBet && `${thousands(run.tokens)}k`),
  );
};

/** Draw the column of the tapes. @param {...Child} content */
const track = (...content) => div("", div("al-runs-track", content));

/** @param {Facts} facts @param {number} row */
const expected = (facts, row) => facts.row >= 0 && (row <= facts.row ? "✓ all done" : "✗ fewer");

/** @param {Measured} run */
const ending = (run) => {
  const isGood = isFinished(run);
  return span(
    isGood ? "al-good" : "al-bad",
    `${isGood ? "✓" : "✗"} ${stepsDone(run.done)} of ${run.done.length}`,
  );
};

/** Draw the line through all rows, with the knob that drags it. @param {Facts} facts */
const windowEdge = (facts) => {
  const { size, windows } = facts;
  const rounds = plural(size / 2, "round");
  const words = `${plural(size, "message")} = ${rounds}`;
  const spoken = `${words}: the plan of round 1 is seen up to round ${lastInSight(size)}`;
  return edge(
    { label: "The window", value: size, range: windows, words: spoken },
    // A round is two messages. A narrow page shows fewer rounds.
    (track) => track.clientWidth / Number(getComputedStyle(track).getPropertyValue("--rounds")) / 2,
    (to) => choose(facts, { size: to }),
    { class: "al-edge-slider" },
    span("al-runs-line"),
    span("al-knob", "↔"),
    span("al-runs-size", words),
  );
};

/** Draw the numbers of the first round and of every fifth. @param {number} count */
const numbers = (count) =>
  Array.from({ length: count }, (_, place) => {
    const isNumbered = place === 0 || (place + 1) % NUMBERED === 0;
    return isNumbered && span({ class: "al-note", style: `--place: ${place}` }, place + 1);
  });

/** Return the round of the square below the pointer, from 1; 0 outside the squares.
 * @param {PointerEvent} event */
const roundAt = ({ target }) => {
  const square = /** @type {Element} */ (target).closest(".al-tape > i");
  return square ? [...(square.parentElement?.children ?? [])].indexOf(square) + 1 : 0;
};

/** Choose what is below the pointer; a drag within its row leaves the round that was pressed.
 * @param {Facts} facts @param {PointerEvent} event */
const choosePlace = (facts, event) => {
  const row = clamp(Math.floor(pointerIn(event).down * (facts.lastRow + 1)), 0, facts.lastRow);
  if (event.type === "pointermove" && row === facts.row) return;
  choose(facts, { row, round: facts.asksBet ? 0 : roundAt(event) });
};
