// The cliff: a grid with a square for each run, a column for each window. The reader draws how late
// a reminder may come, and the runs show it. What they cost is hidden until the reader has said
// where the cheapest one is, and that of the runs without a list until the last question.

import { button, card, emphasised, plural, slider, thousands } from "./components.js";
import { b, div, h, p, span, strong, svg } from "./dom.js";
import { clamp, draggable, pointerIn, press } from "./input.js";
import { cheapestOf, isFinished } from "./runs_facts.js";
import { drawCells } from "./strip.js";
import { stepsDone } from "./todo_list.js";
import { set, view } from "./view.js";

const [DRAWING, PLAYED, PRICED, ALL] = [0, 1, 2, 3]; // the stages
const GAP = 0.4; // rows: between those with a reminder and those without
const PALEST = 0.25; // of the dearest run's colour

/**
 * What does not change. `columns` have the places of their runs in `runs`; `known`, `cliff` and `free`
 * are windows. `told` and `asked` have the sentences of each stage.
 * @typedef {{ runs: Measured[], columns: Record<string, number[]>, names: string[],
 *   thresholds: number, known: number, cliff: number[], free: number, told: string[],
 *   asked: string[] }} Told
 *
 * @typedef {ReturnType<typeof factsOf>} Grid
 */

/** Return what is known of the grid. @param {Model} model */
const factsOf = (model) => {
  /** @type {Told} */
  const state = model.get("state");
  const sizes = Object.keys(state.columns).map(Number);
  const columns = sizes.map((size) => state.columns[size].map((place) => state.runs[place]));
  /** @type {[number, number]} */
  const [size, row] = model.get("chosen");
  /** @type {number[]} */
  const line = model.get("line");
  const stage = model.get("stage");
  const chosenIn = model.get("chosenIn"); // the last stage in which the reader chose a square
  const column = sizes.indexOf(size);
  const home = sizes.indexOf(state.known);
  const flat = line.map(() => line[home]);
  const run = columns[column][row];
  /** @type {number[][]} */
  const tried = sizes.map((one) => model.get("tries")[one] ?? []);
  return {
    ...state,
    model,
    sizes,
    columns,
    size,
    row,
    stage,
    line,
    column,
    home,
    flat,
    run,
    tried,
    isFramed: stage !== DRAWING && Boolean(chosenIn),
    isAnswered: chosenIn === stage,
    isRefused: stage === PLAYED && String(model.get("answers")[0]) === String([size, row]),
  };
};

/** @param {Measured} run */
const costOf = ({ tokens }) => `${thousands(tokens)} thousand tokens`;

/** @param {number} after */
const afterRounds = (after) =>
  after ? `after ${plural(after, "round")}` : "after no round at all";

// What the reader does.

/** Move the line in all columns from one to another, so that a fast drag has no holes.
 * @param {Grid} grid
 * @param {[number, number]} from a column and its edge @param {[number, number]} to */
const drawLine = ({ model, line, home, sizes, row }, [first, before], [last, after]) => {
  const steps = Math.max(Math.abs(last - first), 1);
  const drawn = [...line];
  for (let step = 0; step <= steps; step += 1) {
    const column = Math.round(first + ((last - first) * step) / steps);
    const edge = Math.round(before + ((after - before) * step) / steps);
    if (column !== home) drawn[column] = edge;
  }
  set(model, { line: drawn, chosen: [sizes[last], row] });
};

/** Choose a square. @param {Grid} grid @param {number} column @param {number} row */
const choose = ({ model, sizes, names, stage }, column, row) =>
  set(model, { chosen: [sizes[column], clamp(row, 0, names.length - 1)], chosenIn: stage });

/** Go on to the next stage. A square that was chosen in this one is the answer to its question.
 * @param {Grid} grid */
const goOn = ({ model, stage, size, row, cliff, run, isAnswered }) => {
  const [square] = model.get("answers");
  if (!isAnswered) set(model, { stage: stage + 1 });
  else if (stage === PRICED) set(model, { answers: [square, size], stage: ALL });
  else {
    const isAnswer = cliff.includes(size) && isFinished(run);
    set(model, { answers: [[size, row]], stage: isAnswer ? PRICED : PLAYED });
  }
};

/** The place where a drag was last. @type {[number, number]} */
let dragged = [0, 0];

/** Draw, or choose, what is below the pointer. A touch that begins may be a scroll: it counts when
 * it moves sideways, or when it is a tap. @param {Grid} grid @param {PointerEvent} event */
const point = (grid, event) => {
  const { sizes, names, thresholds, stage } = grid;
  const { across, down } = pointerIn(event);
  const column = clamp(Math.floor(across * sizes.length), 0, sizes.length - 1);
  const deep = down * (names.length + GAP); // in rows
  if (stage !== DRAWING) {
    if (event.type === "pointerdown" && event.pointerType === "touch") return;
    choose(grid, column, Math.floor(deep < thresholds ? deep : deep - GAP));
    return;
  }
  /** @type {[number, number]} */
  const place = [column, clamp(Math.round(deep), 0, thresholds)];
  const isNew = event.type !== "pointermove";
  if (event.type === "pointerdown" && event.pointerType === "touch") dragged = place;
  else drawLine(grid, isNew ? place : dragged, place);
  dragged = place;
};

/** @param {Grid} grid */
const actionsOf = (grid) => {
  const { stage, column, row, line, sizes, thresholds, isAnswered } = grid;
  const move = (/** @type {number} */ across, /** @type {number} */ down) => () => {
    const to = clamp(column + across, 0, sizes.length - 1);
    if (stage !== DRAWING) return choose(grid, to, row + down);
    /** @type {[number, number]} */
    const place = [to, clamp(line[to] + down, 0, thresholds)];
    drawLine(grid, place, place);
  };
  const enter = () => {
    if (!isAnswered) choose(grid, column, row);
    else if (stage !== ALL) goOn(grid);
  };
  return {
    ArrowLeft: move(-1, 0),
    ArrowRight: move(1, 0),
    ArrowUp: move(0, -1),
    ArrowDown: move(0, 1),
    Home: move(-column, 0),
    End: move(sizes.length, 0),
    Enter: enter,
    " ": enter,
  };
};

// What is drawn.

/** @param {Model} model */
const draw = (model) => {
  const grid = factsOf(model);
  return card(
    "Draw the cliff",
    { class: "al-bare al-cliff" },
    p({ class: "al-cliff-said", role: "status" }, emphasised(said(grid))),
    div("al-transport", controls(grid)),
    drawGrid(grid),
    grid.stage !== DRAWING && [drawRun(grid), legend(grid)],
  );
};

/** Draw the one button that goes on, and the one that begins again. @param {Grid} grid */
const controls = (grid) => {
  const { model, stage, flat, home, known, columns, sizes, isRefused } = grid;
  const count = (sizes.length - 1) * columns[0].length;
  const labels = [`Play the other ${count} runs`, "Show what they cost", "Show the answer"];
  const again = () =>
    set(model, {
      stage: DRAWING,
      answers: [],
      line: flat,
      chosen: [known, flat[home]],
      chosenIn: DRAWING,
    });
  return [
    stage < ALL &&
      button(labels[stage], () => goOn(grid), { class: "al-main", key: "on", off: isRefused }),
    button(stage === DRAWING ? "Make it flat" : "Draw again", again, { key: "again" }),
  ];
};

/** Say what came of the stage before, and what to do in this one. @param {Grid} grid */
const said = (grid) => {
  const { model, stage, told, asked, flat, home, cliff, free, isRefused, run, tried } = grid;
  const where = `in a column with a cliff, from ${cliff[0]} to ${cliff.at(-1)} messages`;
  const answers = model.get("answers");
  if (stage === DRAWING) {
    const isTried = [0, 1].every((late) => tried[home].includes(flat[home] + late));
    const known = told[stage].replace("{who}", isTried ? "you" : "we");
    return `${known} ${asked[stage]} *Draw it:* drag across the grid, or use the arrow keys.`;
  }
  if (stage === PLAYED) {
    if (isRefused)
      return isFinished(run)
        ? `With ${grid.size} messages there is no cliff. Choose a square ${where}.`
        : `This run does not finish. Choose a square that does, ${where}.`;
    const how = `Choose its square ${where}. Then press “Show what they cost”.`;
    return `${score(grid)} ${told[stage]} ${asked[stage]} ${how}`;
  }
  if (stage === PRICED) {
    const how = "Choose a square in that column. Then press “Show the answer”.";
    return `${priced(grid, answers[0])} ${told[stage]} ${asked[stage]} ${how}`;
  }
  const guess =
    answers[1] && `You said ${answers[1]}${answers[1] === free ? ", and so it is" : ""}. `;
  return `${guess ?? ""}${told[stage]} Press any square to see its run.`;
};

/** Compare the line with the runs, and with the flat one that was there. @param {Grid} grid */
const score = (grid) => {
  const { line, flat, columns, home, thresholds } = grid;
  const right = (/** @type {number[]} */ drawn) =>
    columns
      .flatMap((runs, n) =>
        n === home
          ? []
          : runs.slice(0, thresholds).map((run, row) => row < drawn[n] === isFinished(run)),
      )
      .filter(Boolean).length;
  const [mine, its] = [right(line), right(flat)];
  const all = (columns.length - 1) * thresholds;
  if (line.every((edge, n) => edge === flat[n]))
    return `A flat line places ${its} of ${all} squares correctly.`;
  const more =
    mine === its ? "as many as" : `${Math.abs(mine - its)} ${mine > its ? "more" : "fewer"} than`;
  return `*You placed ${mine} of ${all} squares correctly,* ${more} a flat line.`;
};

/** Compare the run that the reader has taken for the cheapest with the one that is.
 * @param {Grid} grid @param {[number, number]} [guess] */
const priced = ({ columns, sizes, home }, guess) => {
  const column = guess ? sizes.indexOf(guess[0]) : home;
  const best = cheapestOf(columns[column]);
  const found = `The cheapest with ${sizes[column]} messages is reminded ${afterRounds(best + 1)}: ${costOf(columns[column][best])}.`;
  const run = guess && columns[column][guess[1]];
  if (!run || !isFinished(run)) return found;
  if (guess[1] === best) return `Right. ${found}`;
  return `The run that you chose costs ${costOf(run)}. ${found}`;
};

/** Draw the grid, which is one slider in two directions. @param {Grid} grid */
const drawGrid = (grid) => {
  const { sizes, names, thresholds, stage, size, row, columns, column, line, run } = grid;
  const isDrawing = stage === DRAWING;
  /** @type {Scale} */
  const scale = isDrawing
    ? {
        label: "Your line: the last reminder that comes in time",
        value: line[column],
        range: [0, thresholds],
        words: `${size} messages: ${afterRounds(line[column])}`,
      }
    : {
        label: "The runs: left and right choose the window, up and down the reminder",
        value: row + 1,
        range: [1, names.length],
        words: grid.isFramed
          ? `${size} messages, ${names[row]}: ${tell(grid, column, run)}`
          : "no square chosen yet",
      };
  const pick = (/** @type {PointerEvent} */ event) => point(grid, event);
  return div(
    { class: "al-cliff-grid", style: `--columns: ${sizes.length}; --rows: ${names.length + GAP}` },
    div(
      { class: "al-head al-note al-cliff-axes", "aria-hidden": "true" },
      span({}, "reminded after ↓"),
      span({}, "messages that it sees →"),
    ),
    div(
      { class: "al-note al-cliff-names", "aria-hidden": "true" },
      names.map((_, each) => span(placed(each, thresholds), shortName(each, thresholds))),
    ),
    div(
      { class: "al-note al-cliff-sizes", "aria-hidden": "true" },
      sizes.map((each, n) => b(n % 2 ? "" : each)),
    ),
    slider(
      scale,
      {
        class: ["al-cliff-squares", isDrawing && "al-cliff-drawing"],
        onkeydown: press(actionsOf(grid)),
        ...draggable(pick),
        onclick: pick,
      },
      columns.map((runs, n) =>
        div(
          { class: !isDrawing && "al-cliff-fallen", style: `--n: ${n}` },
          runs.map((one, each) => square(grid, one, n, each)),
        ),
      ),
      svg(
        "al-svg al-cliff-line",
        [0, 0, sizes.length, names.length + GAP],
        h("path", { d: line.map((edge, n) => `${n ? "L" : "M"}${n} ${edge}h1`).join("") }),
      ),
      isDrawing &&
        h("i", {
          class: "al-knob al-cliff-knob",
          style: `--n: ${column}; --edge: ${line[column]}`,
        }),
    ),
  );
};

/** Return the place of a row in a column. @param {number} row @param {number} thresholds */
const placed = (row, thresholds) => ({
  style: `grid-row: ${row < thresholds ? row + 1 : row + 2}`,
});

/** @param {number} row @param {number} thresholds */
const shortName = (row, thresholds) =>
  row < thresholds ? row + 1 : ["never", "no list"][row - thresholds];

/** Return whether it is told what a run costs. @param {Grid} grid @param {number} column */
const isPriced = ({ stage, cliff, sizes }, column) =>
  stage === ALL || (stage === PRICED && cliff.includes(sizes[column]));

/** @param {Grid} grid @param {number} column @param {Measured} run */
const tell = (grid, column, run) =>
  isPriced(grid, column) ? `${run.outcome}, ${costOf(run)}` : run.outcome;

/** Draw a run, if it is known: whether it finishes, and what it costs.
 * @param {Grid} grid @param {Measured} run @param {number} n @param {number} row */
const square = (grid, run, n, row) => {
  const { stage, home, thresholds, column, columns, tried, isFramed } = grid;
  const isKnown = n === home || tried[n].includes(row < thresholds ? row + 1 : 0);
  const isShown = stage !== DRAWING || (isKnown && row <= thresholds);
  const isGood = isFinished(run);
  const isTold = isPriced(grid, n);
  const { style } = placed(row, thresholds);
  return span(
    {
      class: [
        isShown && (isGood ? "al-cliff-good" : "al-cliff-bad"),
        isFramed && n === column && row === grid.row && "al-cliff-chosen",
      ],
      style: isTold && isGood ? `${style}; --price: ${shade(grid, run)}%` : style,
    },
    isShown && !isGood && stepsDone(run.done),
    isTold && row === cheapestOf(columns[n]) && "★",
  );
};

/** Return how strong the colour of a run is, in percent: the dearer, the paler.
 * @param {Grid} grid @param {Measured} run */
const shade = ({ runs }, run) => {
  const costs = runs.filter(isFinished).map((one) => Math.log(one.tokens));
  const [least, most] = [Math.min(...costs), Math.max(...costs)];
  return Math.round(100 * (1 - ((1 - PALEST) * (Math.log(run.tokens) - least)) / (most - least)));
};

/** @param {Grid} grid */
const legend = ({ stage, runs }) => {
  const dearest = runs.reduce((most, run) => (run.tokens > most.tokens ? run : most));
  return div(
    "al-legend",
    span({}, span("al-key al-cliff-good"), "all ten steps done"),
    span({}, span("al-key al-cliff-bad", "5"), "only so many steps"),
    span({}, span("al-key al-cliff-mine"), "your line"),
    stage > PLAYED && [
      span(
        {},
        span({ class: "al-key al-cliff-good", style: `--price: ${100 * PALEST}%` }),
        `the fainter, the dearer: up to ${costOf(dearest)}`,
      ),
      span({}, "★ the cheapest run of its column"),
    ],
  );
};

/** Draw the chosen run: its rounds, how it ended, and why. @param {Grid} grid */
const drawRun = (grid) => {
  const { column, row, size, names, run, isFramed } = grid;
  if (!isFramed) return div("al-cliff-run", p("al-note", "Press a square to see its run."));
  return div(
    "al-cliff-run",
    strong(`${plural(size, "message")}, ${names[row]}: ${tell(grid, column, run)}`),
    div(
      { class: "al-cliff-strip", style: `--rounds: ${run.cells.length}` },
      drawCells(run.cells, isFinished(run)),
    ),
    p({}, emphasised(run.why)),
  );
};

export default view(draw);
