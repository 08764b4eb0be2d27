// The arena: scripted models against harnesses that grow by one part at a time. A row is drawn once
// the reader has guessed what its part does.

import { button, card, emphasised, thousands } from "./components.js";
import { div, h, p, span, strong, ul } from "./dom.js";
import { clamp, press, widgetOf } from "./input.js";
import { squares, stepsDone } from "./todo_list.js";
import { drawOpened, focusOn, set, view } from "./view.js";

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
const MOST = 1100; // tokens: a hundredth of the longest bar
const LEGEND = {
  x: "done, the files show it",
  ".": "missing",
  o: "missing, but its list says completed",
  g: "missing, and no longer on its list",
};
const GROUNDS = [
  ["al-better", "more steps than before this part"],
  ["al-worse", "fewer"],
];

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
  return {
    ...state,
    model,
    guesses,
    isOwn,
    count, // of the rows that are shown
    // The columns, as places of the models: once all parts are shown, in the order of the rows.
    order: isOwn || count >= parts ? sorted : models.map((_, one) => one),
    home: /** @type {number} */ (sorted.at(-1)), // the model that needs no help: its tokens are shown
    // A page without a kernel has no runs to open, and an agent's runs are not kept.
    canOpen: !isOwn && model.get("playable") !== false,
  };
};

/** Compare the last guess with the row, and say what the row shows.
 * @param {Table} table @param {number} row @returns {Child[]} */
const verdict = ({ rows, guesses }, row) => {
  const { answers, told } = rows[row];
  const guess = guesses[row - 1];
  const judged = answers.includes(guess) ? "Yes. " : `You said ${guess}. `;
  return [row > 0 && strong(judged), emphasised(told)];
};

/** Draw ten squares, and nothing else. They open the run.
 * @param {Table} table @param {number} row @param {number} one the place of the model
 * @param {number} place of the column */
const drawCell = (table, row, one, place) => {
  const { model, rows, models, guesses, canOpen } = table;
  const { name } = models[one];
  const cell = rows[row].cells[one];
  const before = rows[rows[row].than ?? -1]?.cells[one];
  const isOpen = String(model.get("chosen")) === `${row},${name}`;
  const isGuess = guesses[row - 1] === name;
  const open = () => set(model, { chosen: isOpen ? [] : [row, name] });
  const words = `${name}, ${rows[row].name}: ${cell.words}`;
  return button([squares(cell.marks), cell.is_stopped && span("al-cut")], open, {
    class: ["al-arena-stop al-arena-cell", lookOf(cell, before), isGuess && "al-guess"],
    "aria-label": isGuess ? `${words} Your guess.` : words,
    "aria-expanded": canOpen ? `${isOpen}` : null,
    off: !canOpen,
    ...stopAt(table, row, place),
  });
};

/** Return how a cell differs from the one that it is compared with.
 * @param {ArenaCell} cell @param {ArenaCell} [before] */
const lookOf = (cell, before) => {
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

/** Draw a row. A column's cell slides to its place when the columns are sorted.
 * @param {Table} table @param {number} row */
const drawRow = (table, row) => {
  const { rows, parts, order, count } = table;
  const isTaken = count > parts && row < parts - 2; // all parts are gone but two
  return h(
    "tr",
    { role: "row", class: ["al-arena-row", isTaken && "al-taken"] },
    h("th", { role: "rowheader" }, rows[row].name),
    order.map((one, place) => {
      const props = { role: "gridcell", style: `--from: ${one - place}` };
      return h("td", props, drawCell(table, row, one, place));
    }),
    h("td", { role: "gridcell", class: "al-note al-arena-cost" }, drawCost(table, row)),
  );
};

/** Draw the tokens of the model that needs no help: of the loop alone, and of the parts.
 * @param {Table} table @param {number} row */
const drawCost = ({ rows, home }, row) => {
  const [{ tokens }, first] = [row, 0].map((n) => rows[n].cells[home]);
  const alone = Math.min(tokens, first.tokens);
  const width = (/** @type {number} */ part) => ({ style: `width: ${part / MOST}%` });
  const bars = [h("i", width(alone)), h("b", width(tokens - alone))];
  return [span({ class: "al-cost-bar", "aria-hidden": "true" }, bars), `${thousands(tokens)}k`];
};

/** Draw the names of the models, and what the one does that the reader has chosen.
 * @param {Table} table */
const drawHead = (table) => {
  const { model, models, order, home, canOpen } = table;
  const who = models.find(({ name }) => name === model.get("who"));
  const link = { href: who?.link, target: "_blank", rel: "noopener" };
  const nearest = who?.note ? "The nearest report: " : "Report: "; // of a model that we made up
  const report = who?.report && [nearest, h("a", link, who.report), "."];
  const names = order.map((one, place) => {
    const { name } = models[one];
    const tell = () => model.get("who") !== name && model.set("who", name);
    const { onfocus, ...stop } = stopAt(table, HEAD, place);
    const props = { role: "columnheader", style: `--from: ${one - place}` };
    const named = button(name, tell, {
      class: "al-arena-stop al-arena-who",
      ...stop,
      onmouseenter: tell,
      onfocus: () => [onfocus(), tell()],
      "aria-pressed": `${who?.name === name}`,
    });
    return h("th", props, named);
  });
  const how = `Choose a name to read what this model does. ${canOpen ? "A cell opens its run." : ""}`;
  const what = who ? [strong(who.name), ` ${who.does}. ${who.note} `, report] : how;
  return h(
    "thead",
    { role: "rowgroup" },
    h(
      "tr",
      { role: "row" },
      h("td", { role: "gridcell" }),
      names,
      h(
        "th",
        { role: "columnheader", class: "al-note al-arena-cost" },
        `tokens of ${models[home].name}`,
      ),
    ),
    drawWide(table, { class: "al-arena-what" }, what),
  );
};

/** Draw a row of the table that is one cell.
 * @param {Table} table @param {Record<string, any>} props @param {Child} inside */
const drawWide = ({ models }, props, inside) =>
  h(
    "tr",
    { role: "row", ...props },
    h("td", { role: "gridcell", colspan: models.length + 2 }, inside),
  );

/** Draw what is said now: the last row's result, and the next question. @param {Table} table */
const talk = (table) => {
  const { model, rows, end, notes, count, isOwn } = table;
  if (isOwn) return ul("al-arena-notes", notes.map(emphasised));
  const told = { class: "al-arena-told al-home", role: "status", tabindex: -1 };
  const again = () => set(model, { guesses: [], chosen: [] });
  return [
    p(told, verdict(table, count - 1)),
    count < rows.length
      ? drawQuestion(table, count)
      : [p("al-arena-end", end), button("Once more", again)],
  ];
};

/** Draw what the next part does, the question, and its answers: models with what they do, or
 * numbers. @param {Table} table @param {number} row */
const drawQuestion = ({ model, rows, models, guesses }, row) => {
  const { part, question, choices } = rows[row];
  const look = typeof choices[0] === "number" ? "al-transport" : "al-arena-answers";
  const answers = choices.map((answer) => {
    const does = models.find(({ name }) => name === answer)?.does;
    const guess = (/** @type {Event} */ event) => {
      const widget = widgetOf(event);
      set(model, { guesses: [...guesses, answer], chosen: [] });
      const told = widget.querySelector(".al-home"); // it says what the row shows
      focusOn(told);
      told?.scrollIntoView({ block: "nearest" });
    };
    return button([strong(`${answer}`), does && [" ", span("al-note", does)]], guess);
  });
  return div(
    "al-aside al-arena-box",
    p({}, span("al-muted", part[0]), part[1]),
    p("al-arena-question", strong(question)),
    div({ class: look, role: "group", "aria-label": question }, answers),
  );
};

/** Draw what the marks and the grounds of the cells mean. @param {Table} table */
const drawLegend = ({ isOwn, mostRequests }) =>
  p(
    { class: "al-legend al-arena-key", "aria-hidden": "true" },
    Object.entries(LEGEND).map(([letter, words]) => span({}, squares(letter), words)),
    span({}, span("al-cut"), `cut off after ${mostRequests} requests`),
    !isOwn && [
      GROUNDS.map(([look, words]) => span({}, span(`al-key ${look}`), words)),
      span({}, span("al-same", squares("x.")), "pale: unchanged"),
      span({}, span("al-key al-guess"), "your guess"),
      span({}, h("s", {}, "+ a part"), "taken away"),
    ],
  );

/** @param {Model} model @param {Host} host */
const draw = (model, host) => {
  const table = factsOf(model);
  const { lede, rows, parts, models, count, isOwn } = table;
  const lines = rows.slice(0, count).map((_, row) => drawRow(table, row));
  const [chosen] = model.get("chosen");
  if (chosen !== undefined) {
    const player = div({ drawn: drawOpened(model, host) });
    lines.splice(chosen + 1, 0, drawWide(table, { class: "al-arena-run", key: "run" }, player));
  }
  return card(
    "The arena",
    { model, class: "al-arena", style: `--models: ${models.length}` },
    !isOwn && p("al-muted al-arena-lede", emphasised(lede)),
    h(
      "table",
      {
        role: "grid",
        "aria-label": "Steps done, by harness and model",
        class: !isOwn && count === parts && "al-sorting", // the columns slide to their new places
      },
      drawHead(table),
      h("tbody", { role: "rowgroup" }, lines),
    ),
    talk(table),
    drawLegend(table),
  );
};

export default view(draw);
