// The arena: scripted models against harnesses that grow by one part at a time. A row is drawn once
// the reader has guessed what its part does. A model's head opens its last run, and there it is chosen.

import { button, card, emphasised, thousands, verdict } from "./components.js";
import { div, h, p, span, strong, ul } from "./dom.js";
import { clamp, press, widgetOf } from "./input.js";
import { squares, stepsDone } from "./todo_list.js";
import { drawOpened, focusOn, set, turn, view } from "./view.js";

/**
 * A played run: a letter for each step (x: the files show it; o: missing, but its list says completed;
 * g: missing, and no longer on its list), its size, and `words` that say what it shows.
 * @typedef {{ marks: string, tokens: number, is_stopped: boolean, words: string }} ArenaCell
 *
 * A row: what its new part does, and the question that is asked before it is shown, with the choices
 * and the right answers; a row without choices is shown from the start. `than` is the row that it is
 * compared with, and `cells` are in the order of the models.
 * @typedef {{ name: string, part: string[], question: string, choices: (string | number)[],
 *   answers: (string | number)[], told: string, than: number | null, cells: ArenaCell[] }} Row
 * @typedef {{ name: string, does: string, note: string, report: string, link: string }} Scripted
 * @typedef {{ lede: string, end: string, models: Scripted[], sorted: number[], parts: number,
 *   mostRequests: number, rows: Row[], notes: string[] }} Contents
 *
 * @typedef {ReturnType<typeof factsOf>} Table
 */

const HEAD = -1; // the row of the names, for the arrow keys
/** What the marks of a step mean. @type {Record<string, string>} */
const LEGEND = {
  x: "done, the files show it",
  ".": "missing",
  o: "missing, but its list says completed",
  g: "missing, and no longer on its list",
};
/** What the looks of a cell mean. @type {Record<string, string>} */
const LOOKS = {
  "al-better": "more steps than before this part",
  "al-worse": "fewer",
  "al-same": "pale: unchanged",
};

/** Return what is shown: the contents, and what the reader has done with them.
 * @param {Model} model */
const factsOf = (model) => {
  /** @type {Contents} */
  const state = model.get("state");
  const { rows, models, sorted, parts } = state;
  /** @type {(string | number)[]} */
  const guesses = model.get("guesses");
  const isOwn = !state.end; // the rows are a learner's own versions
  const given = rows.filter(({ choices }) => !choices.length).length;
  const count = Math.min(given + guesses.length, rows.length);
  const told = rows.slice(0, count).map((row) => row.told);
  /** A name says how its model fails, so it is earned when a row has told of it. @param {string} name */
  const isKnown = (name) => isOwn || told.some((words) => words?.includes(name));
  const letters = new Map(models.map(({ name }, one) => [name, `Model ${"ABCDEFGHIJ"[one]}`]));
  return {
    ...state,
    model,
    guesses,
    isOwn,
    count, // of the rows that are shown
    isKnown,
    /** Return what the reader calls a model: until its name is earned, a letter. Another answer stays as
     * it is. @param {string | number} answer */
    called: (answer) => (isKnown(`${answer}`) ? `${answer}` : (letters.get(`${answer}`) ?? answer)),
    hasCost: isOwn || count > 1, // the loop alone is what the tokens are compared with
    // The columns, as places of the models: once all parts are shown, in the order of the rows.
    order: isOwn || count >= parts ? sorted : models.map((_, one) => one),
    home: /** @type {number} */ (sorted.at(-1)), // the model that needs no help: its tokens are shown
    // A page without a kernel has no runs to open, and an agent's runs are not kept.
    canOpen: !isOwn && model.get("playable") !== false,
  };
};

/** Compare the last guess with the row, and say what the row shows.
 * @param {Table} table @param {number} row @returns {Child[]} */
const result = ({ rows, guesses, called }, row) => {
  const { answers, told } = rows[row];
  const guess = guesses[row - 1];
  return [
    row > 0 && verdict(answers.includes(guess), `You said ${called(guess)}. `),
    emphasised(told),
  ];
};

/** Draw ten squares, and nothing else. They open the run.
 * @param {Table} table @param {number} row @param {number} one the place of the model
 * @param {number} place of the column */
const drawCell = (table, row, one, place) => {
  const { rows, models, guesses, called } = table;
  const { name } = models[one];
  const cell = rows[row].cells[one];
  const isGuess = guesses[row - 1] === name;
  const words = `${called(name)}, ${rows[row].name}: ${cell.words}`;
  return button([squares(cell.marks), cell.is_stopped && span("al-cut")], opens(table, row, name), {
    class: ["al-arena-stop al-arena-cell", lookOf(table, row, one), isGuess && "al-guess"],
    "aria-label": isGuess ? `${words} Your guess.` : words,
    "aria-expanded": String(isOpen(table, row, name)),
    ...stopAt(table, row, place),
  });
};

/** @param {Table} table @param {number} row @param {string} name */
const isOpen = ({ model }, row, name) => String(model.get("chosen")) === `${row},${name}`;

/** Return the action that opens a run below its row, or closes it.
 * @param {Table} table @param {number} row @param {string} name */
const opens = (table, row, name) => () =>
  set(table.model, { chosen: isOpen(table, row, name) ? [] : [row, name] });

/** Return how a cell differs from the one that it is compared with.
 * @param {Table} table @param {number} row @param {number} one the place of the model */
const lookOf = ({ rows }, row, one) => {
  const cell = rows[row].cells[one];
  const before = rows[rows[row].than ?? -1]?.cells[one];
  if (!before) return "";
  const more = stepsDone(cell.marks) - stepsDone(before.marks);
  if (more) return more > 0 ? "al-better" : "al-worse";
  return before.marks === cell.marks ? "al-same" : "";
};

/** Return the props of a cell's button: only one is a tab stop, and the arrow keys reach the others.
 * @param {Table} table @param {number} row @param {number} place */
const stopAt = ({ model, count, models }, row, place) => {
  const [stopRow, stopPlace] = model.get("stop") ?? [HEAD, 0];
  const isStop = Math.min(stopRow, count - 1) === row && stopPlace === place;
  const step = (/** @type {number} */ down, /** @type {number} */ right) => {
    return (/** @type {KeyboardEvent} */ event) => {
      const widget = widgetOf(event);
      const stop = [clamp(row + down, HEAD, count - 1), clamp(place + right, 0, models.length - 1)];
      model.set("stop", stop);
      focusOn(widget.querySelector('.al-arena-stop[tabindex="0"]'));
    };
  };
  return {
    tabindex: isStop ? 0 : -1,
    onfocus: () => isStop || model.set("stop", [row, place]),
    onkeydown: press({
      ArrowUp: step(-1, 0),
      ArrowDown: step(1, 0),
      ArrowLeft: step(0, -1),
      ArrowRight: step(0, 1),
    }),
  };
};

/** Draw a row, with the tokens of the model that needs no help.
 * @param {Table} table @param {number} row */
const drawRow = (table, row) => {
  const { rows, order, home, hasCost } = table;
  const cost = `${thousands(rows[row].cells[home].tokens)}k`;
  return h(
    "tr",
    { role: "row", class: ["al-arena-row", isTaken(table, row) && "al-taken"] },
    h("th", { role: "rowheader", title: rows[row].part?.[1] }, rows[row].name),
    order.map((one, place) => h("td", { role: "gridcell" }, drawCell(table, row, one, place))),
    hasCost && h("td", { role: "gridcell", class: "al-arena-cost" }, cost),
  );
};

/** Return whether a row's part is gone, as all are in the end but two.
 * @param {Table} table @param {number} row */
const isTaken = ({ count, parts }, row) => count > parts && row < parts - 2;

/** Draw the names of the models. @param {Table} table */
const drawHead = (table) => {
  const { models, order, home, hasCost, called, count } = table;
  const names = order.map((one, place) => {
    const { name } = models[one];
    const named = button(called(name), opens(table, count - 1, name), {
      class: "al-arena-stop al-arena-who",
      ...stopAt(table, HEAD, place),
      "aria-pressed": String(isOpen(table, count - 1, name)),
    });
    return h("th", { role: "columnheader" }, named);
  });
  return h(
    "thead",
    { role: "rowgroup" },
    h(
      "tr",
      { role: "row" },
      h("td", { role: "gridcell" }),
      names,
      hasCost &&
        h("th", { role: "columnheader", class: "al-arena-cost" }, `tokens of ${models[home].name}`),
    ),
  );
};

/** Draw what is said now: the last row's result, and the next question. @param {Table} table */
const talk = (table) => {
  const { model, rows, end, notes, count, isOwn } = table;
  if (isOwn) return ul("al-arena-notes", notes.map(emphasised));
  const told = { class: "al-arena-told al-home", role: "status", tabindex: -1 };
  const again = () => set(model, { guesses: [], chosen: [] });
  return [
    p(told, result(table, count - 1)),
    count < rows.length
      ? drawQuestion(table, count)
      : [p("al-arena-end", end), div("al-transport", button("Once more", again))],
  ];
};

/** Return the action that answers the open question. The focus goes to what the next row shows.
 * @param {Table} table @param {string | number} answer */
const guess = ({ model, guesses }, answer) =>
  turn(model, ".al-home", { guesses: [...guesses, answer], chosen: [] });

/** Return whether a choice is a model. @param {Table} table @param {string | number} choice */
const isModel = ({ models }, choice) => models.some(({ name }) => name === choice);

/** Draw what the next part does, the question, and the answers that are not models.
 * @param {Table} table @param {number} row */
const drawQuestion = (table, row) => {
  const { rows, canOpen } = table;
  const { part, question, choices } = rows[row];
  const others = choices.filter((choice) => !isModel(table, choice));
  const answers = others.map((choice) => button(strong(choice), guess(table, choice)));
  return div(
    "al-aside al-arena-box",
    p("al-arena-question", span("al-muted", part[0]), part[1], " ", strong(question)),
    others.length < choices.length &&
      p(
        "",
        `Press the head of a column to ${canOpen ? "see its last run" : "look at it"}, and to choose it.`,
      ),
    div({ class: "al-transport", role: "group", "aria-label": question }, answers),
  );
};

/** Draw what a run shows, what is known of its model, and the button that chooses it; then the run.
 * @param {Table} table @param {Host} host @param {number} row @param {string} name */
const drawRun = (table, host, row, name) => {
  const { model, models, rows, count, canOpen, hasCost, called, isKnown } = table;
  const one = models.findIndex((other) => other.name === name);
  const { does, note, report, link } = models[one];
  const asked = row === count - 1 && rows[count]?.choices.includes(name);
  return h(
    "td",
    { role: "gridcell", colspan: models.length + (hasCost ? 2 : 1) },
    div(
      "al-transport",
      asked && button(`My answer: ${called(name)}`, guess(table, name), { class: "al-main" }),
      span("", strong(`${called(name)}, ${rows[row].name}: `), rows[row].cells[one].words),
    ),
    isKnown(name) &&
      p(
        "",
        strong(name),
        ` ${does}. ${note} `,
        report && [
          note ? "The nearest report: " : "Report: ", // of a model that we made up
          h("a", { href: link, target: "_blank", rel: "noopener" }, report),
          ".",
        ],
      ),
    canOpen && div({ drawn: drawOpened(model, host, ["chosen"]) }),
  );
};

/** Explain the signs that the rows show. @param {Table} table */
const drawLegend = (table) => {
  const { rows, models, guesses, count, mostRequests } = table;
  const shown = rows.slice(0, count);
  const cells = shown.flatMap((row) => row.cells);
  const marks = cells.map((one) => one.marks).join("");
  /** @type {string[]} */
  const looks = shown.flatMap((_, row) => models.map((_, one) => lookOf(table, row, one)));
  const isFramed = models.some(({ name }) => guesses.includes(name));
  return p(
    { class: "al-legend al-arena-key", "aria-hidden": "true" },
    Object.entries(LEGEND).map(
      ([letter, words]) => marks.includes(letter) && span({}, squares(letter), words),
    ),
    cells.some((one) => one.is_stopped) &&
      span({}, span("al-cut"), `cut off after ${mostRequests} requests`),
    Object.entries(LOOKS).map(
      ([look, words]) =>
        looks.includes(look) &&
        span({}, look === "al-same" ? span(look, squares("x.")) : span(`al-key ${look}`), words),
    ),
    isFramed && span({}, span("al-key al-guess"), "your guess"),
    isTaken(table, 0) && span({}, h("s", {}, "+ a part"), "taken away"),
  );
};

/** @param {Model} model @param {Host} host */
const draw = (model, host) => {
  const table = factsOf(model);
  const { lede, rows, models, guesses, count, isOwn } = table;
  const lines = rows.slice(0, count).map((_, row) => drawRow(table, row));
  const [row, name] = model.get("chosen");
  if (row < count) {
    const props = { role: "row", class: "al-arena-run", key: `run ${row} ${name}` };
    lines.splice(row + 1, 0, h("tr", props, drawRun(table, host, row, name)));
  }
  return card(
    "The arena",
    { model, class: "al-arena", style: `--models: ${models.length}` },
    !isOwn && !guesses.length && p("al-muted", emphasised(lede)),
    h(
      "table",
      {
        class: "al-table al-arena-table",
        role: "grid",
        "aria-label": "Steps done, by harness and model",
      },
      drawHead(table),
      h("tbody", { role: "rowgroup" }, lines),
    ),
    talk(table),
    drawLegend(table),
  );
};

export default view(draw);
