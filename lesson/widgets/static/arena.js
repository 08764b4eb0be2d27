// The arena: scripted models against harnesses that grow by one part at a time. A row is drawn once
// the reader has guessed what its part does.

import { button, card, emphasised, plural } from "./components.js";
import { div, h, span } from "./dom.js";
import { clamp, elementOf, press } from "./keyboard.js";
import { squares, stepsDone } from "./todo_list.js";
import { drawOpened, focusOn, set, view } from "./view.js";

/**
 * A played run: a letter for each step (x: the files show it; o: missing, but its list says completed;
 * g: missing, and no longer on its list), what its list claims, and its size.
 * @typedef {{ marks: string, claims: string, requests: number, tokens: number,
 *   is_stopped: boolean }} ArenaCell
 *
 * A row: what its new part does, and the question that is asked before it is shown, with the choices
 * and the right answers; a row without choices is shown from the start. `than` is the row that it is
 * compared with, and `cells` are in the order of the models.
 * @typedef {{ name: string, part: string, question: string, choices: (string | number)[],
 *   answers: (string | number)[], told: string, than: number | null, cells: ArenaCell[] }} Row
 * @typedef {{ name: string, does: string, note: string, report: string, link: string }} Scripted
 * @typedef {{ lede: string, end: string, models: Scripted[], sorted: number[], parts: number,
 *   rows: Row[], notes: string[] }} Contents
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

/** @param {Model} model @returns {Contents} */
const stateOf = (model) => model.get("state");

/** Return whether the rows are a learner's own versions. @param {Model} model */
const isOwn = (model) => !stateOf(model).end;

/** Return how many rows are shown. @param {Model} model */
const countShown = (model) => {
  const { rows } = stateOf(model);
  const given = rows.filter(({ choices }) => !choices.length).length;
  return Math.min(given + model.get("guesses").length, rows.length);
};

/** Return whether all parts are shown: then the columns are in the order of the rows.
 * @param {Model} model */
const isSorted = (model) => isOwn(model) || countShown(model) >= stateOf(model).parts;

/** Return the columns: the places of the models. @param {Model} model */
const orderOf = (model) => {
  const { models, sorted } = stateOf(model);
  return isSorted(model) ? sorted : models.map((_, one) => one);
};

/** Return the place of the model that needs no help, the last one: its tokens are shown.
 * @param {Model} model */
const homeOf = (model) => /** @type {number} */ (stateOf(model).sorted.at(-1));

/** Return the same cell of the row that this one is compared with.
 * @param {Model} model @param {number} row @param {number} one @returns {ArenaCell | undefined} */
const cellBefore = (model, row, one) => {
  const { rows } = stateOf(model);
  return rows[rows[row].than ?? -1]?.cells[one];
};

/** Return thousands of tokens. @param {ArenaCell} cell */
const thousands = ({ tokens }) => Math.round(tokens / 1000);

/** Compare the last guess with the row, and say what the row shows.
 * @param {Model} model @param {number} row @returns {Child[]} */
const verdict = (model, row) => {
  const guess = model.get("guesses")[row - 1];
  const { answers, told } = stateOf(model).rows[row];
  const judged = answers.includes(guess) ? "Yes. " : `You said ${guess}. `;
  return [row > 0 && h("strong", {}, judged), emphasised(told)];
};

/** Say in a sentence what a cell shows.
 * @param {Model} model @param {number} row @param {number} one @param {ArenaCell} cell */
const sentence = (model, row, one, cell) => {
  const { rows, models } = stateOf(model);
  const before = cellBefore(model, row, one);
  const was =
    before && stepsDone(before.marks) !== stepsDone(cell.marks)
      ? `, before ${stepsDone(before.marks)}`
      : "";
  const end = cell.is_stopped ? `, cut off after ${cell.requests} requests` : "";
  const files = `the files show ${stepsDone(cell.marks)} of ${cell.marks.length} steps${was}${end}.`;
  const claim = cell.claims && ` Its list says ${cell.claims}.`;
  const guess = model.get("guesses")[row - 1] === models[one].name ? " Your guess." : "";
  const size = `${plural(cell.requests, "request")}, ${thousands(cell)} thousand tokens.`;
  return `${models[one].name}, ${rows[row].name}: ${files}${claim} ${size}${guess}`;
};

/** Return how a cell differs from the one that it is compared with.
 * @param {ArenaCell} cell @param {ArenaCell | undefined} before */
const lookOf = (cell, before) => {
  if (!before) return "";
  const more = stepsDone(cell.marks) - stepsDone(before.marks);
  if (more) return more > 0 ? "al-better" : "al-worse";
  return before.marks === cell.marks ? "al-same" : "";
};

/** Return the cell of the table that takes the focus: the others are reached by the arrow keys.
 * @param {Model} model @returns {[number, number]} its row and its column */
const stopOf = (model) => {
  const [row, place] = model.get("stop") ?? [HEAD, 0];
  return [Math.min(row, countShown(model) - 1), place];
};

/** Return the props of a cell's button, of which only one is a tab stop.
 * @param {Model} model @param {number} row @param {number} place */
const stopAt = (model, row, place) => {
  const step = (/** @type {number} */ down, /** @type {number} */ right) => {
    return (/** @type {KeyboardEvent} */ event) => {
      const to = [
        clamp(row + down, HEAD, countShown(model) - 1),
        clamp(place + right, 0, stateOf(model).models.length - 1),
      ];
      const table = elementOf(event).closest("table");
      model.set("stop", to);
      focusOn(table?.querySelector('.al-arena-stop[tabindex="0"]') ?? null);
    };
  };
  const isStop = String(stopOf(model)) === String([row, place]);
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

/** Draw ten squares, and nothing else. They open the run.
 * @param {Model} model @param {number} row @param {number} one @param {number} place */
const drawCell = (model, row, one, place) => {
  const cell = stateOf(model).rows[row].cells[one];
  const { name } = stateOf(model).models[one];
  const isOpen = String(model.get("chosen")) === `${row},${name}`;
  const isGuess = model.get("guesses")[row - 1] === name;
  const look = lookOf(cell, cellBefore(model, row, one));
  const off = !canOpen(model);
  const open = () => set(model, { chosen: isOpen ? [] : [row, name] });
  return button([squares(cell.marks), cell.is_stopped && span("al-cut")], open, {
    class: `al-button al-arena-stop al-arena-cell ${look} ${isGuess ? "al-guess" : ""}`,
    "aria-label": sentence(model, row, one, cell),
    "aria-expanded": off ? null : `${isOpen}`,
    off,
    ...stopAt(model, row, place),
  });
};

/** A page without a kernel has no runs to open, and an agent's runs are not kept.
 * @param {Model} model */
const canOpen = (model) => !isOwn(model) && model.get("playable") !== false;

/** Return the props of a column's cell, which slides to its place when the columns are sorted.
 * @param {number} place @param {number} one */
const columnProps = (place, one) => ({ style: `--from: ${one - place}` });

/** Draw a row. @param {Model} model @param {number} row */
const drawRow = (model, row) => {
  const { rows, parts } = stateOf(model);
  const isTaken = countShown(model) > parts && row < parts - 2; // all parts are gone but two
  const cells = orderOf(model).map((one, place) =>
    h("td", { role: "gridcell", ...columnProps(place, one) }, drawCell(model, row, one, place)),
  );
  return h(
    "tr",
    { role: "row", class: isTaken ? "al-arena-row al-taken" : "al-arena-row" },
    h("th", { role: "rowheader" }, rows[row].name),
    cells,
    h("td", { role: "gridcell", class: "al-arena-cost" }, drawCost(model, row)),
  );
};

/** Draw the tokens of the model that needs no help: of the loop alone, and of the parts.
 * @param {Model} model @param {number} row */
const drawCost = (model, row) => {
  const [cell, first] = [row, 0].map((n) => stateOf(model).rows[n].cells[homeOf(model)]);
  const alone = Math.min(cell.tokens, first.tokens);
  const width = (/** @type {number} */ tokens) => ({ style: `width: ${tokens / MOST}%` });
  const bars = [h("i", width(alone)), h("b", width(cell.tokens - alone))];
  const bar = h("span", { class: "al-cost-bar", "aria-hidden": "true" }, bars);
  return [bar, `${thousands(cell)}k`];
};

/** Draw the names of the models, and what the one does that the reader has chosen.
 * @param {Model} model */
const drawHead = (model) => {
  const { models } = stateOf(model);
  const who = models.find(({ name }) => name === model.get("who"));
  const link = { href: who?.link, target: "_blank", rel: "noopener" };
  const report = who?.report && ["Report: ", h("a", link, who.report), "."];
  const names = orderOf(model).map((one, place) => {
    const { name } = models[one];
    const tell = () => model.get("who") !== name && model.set("who", name);
    const { onfocus, ...stop } = stopAt(model, HEAD, place);
    const told = {
      onmouseenter: tell,
      onfocus: () => [onfocus(), tell()],
      "aria-pressed": `${who?.name === name}`,
    };
    const more = { class: "al-button al-arena-stop al-arena-who", ...stop, ...told };
    const props = { role: "columnheader", ...columnProps(place, one) };
    return h("th", props, button(name, tell, more));
  });
  const cost = `tokens of ${models[homeOf(model)].name}`;
  const how = `Choose a name to read what this model does. ${canOpen(model) ? "A cell opens its run." : ""}`;
  const what = who ? [h("strong", {}, who.name), ` ${who.does}. ${who.note} `, report] : how;
  return h(
    "thead",
    { role: "rowgroup" },
    h(
      "tr",
      { role: "row" },
      h("td", { role: "gridcell" }),
      names,
      h("th", { role: "columnheader", class: "al-arena-cost" }, cost),
    ),
    drawWide(model, { class: "al-arena-what" }, what),
  );
};

/** Draw a row of the table that is one cell.
 * @param {Model} model @param {Record<string, any>} props @param {Child} inside */
const drawWide = (model, props, inside) =>
  h(
    "tr",
    { role: "row", key: props.key, class: props.class },
    h("td", { role: "gridcell", colspan: stateOf(model).models.length + 2 }, inside),
  );

/** Draw an answer: a model with what it does, or a number.
 * @param {Model} model @param {string | number} answer */
const drawAnswer = (model, answer) => {
  const does = stateOf(model).models.find(({ name }) => name === answer)?.does;
  const guess = () => set(model, { guesses: [...model.get("guesses"), answer], chosen: [] });
  return button([h("strong", {}, `${answer}`), does && [" ", span("", does)]], guess);
};

/** Draw what is said now: the last row's result, and the next question. @param {Model} model */
const talk = (model) => {
  const { rows, end, notes } = stateOf(model);
  const shown = countShown(model);
  const lines = notes.map((note) => h("li", {}, emphasised(note)));
  if (isOwn(model)) return h("ul", { class: "al-arena-notes" }, lines);
  const told = { class: "al-arena-told al-home", role: "status", tabindex: -1 };
  const again = button("Once more", () => set(model, { guesses: [], chosen: [] }));
  return [
    h("p", told, verdict(model, shown - 1)),
    shown < rows.length
      ? drawQuestion(model, shown)
      : [h("p", { class: "al-arena-end" }, end), again],
  ];
};

/** Draw what the next part does, the question, and its answers.
 * @param {Model} model @param {number} row */
const drawQuestion = (model, row) => {
  const { rows } = stateOf(model);
  const { part, question, choices } = rows[row];
  const look = typeof choices[0] === "number" ? "al-transport" : "al-arena-answers";
  return div(
    "al-arena-box",
    h("p", {}, span("al-muted", `Row ${row + 1} of ${rows.length}: `), part),
    h("p", { class: "al-arena-question" }, h("strong", {}, question)),
    h(
      "div",
      { class: look, role: "group", "aria-label": question },
      choices.map((answer) => drawAnswer(model, answer)),
    ),
  );
};

/** Draw the player of the chosen run below its row. @param {Model} model @param {Host} host */
const player = (model, host) =>
  drawWide(
    model,
    { class: "al-arena-run", key: "run" },
    h("div", { drawn: drawOpened(model, host) }),
  );

/** Draw what the marks and the grounds of the cells mean. @param {Model} model */
const drawLegend = (model) =>
  h(
    "p",
    { class: "al-legend al-arena-key", "aria-hidden": "true" },
    Object.entries(LEGEND).map(([letter, words]) => h("span", {}, squares(letter), words)),
    h("span", {}, span("al-cut"), "cut off after 80 requests"),
    !isOwn(model) && [
      GROUNDS.map(([look, words]) => h("span", {}, span(`al-key-ground ${look}`), words)),
      h("span", {}, span("al-same", squares("x.")), "pale: unchanged"),
      h("span", {}, span("al-key-ground al-guess"), "your guess"),
      h("span", {}, h("s", {}, "+ a part"), "taken away"),
    ],
  );

/** @param {Model} model @param {Host} host */
const draw = (model, host) => {
  const { lede, rows, models } = stateOf(model);
  const lines = rows.slice(0, countShown(model)).map((_, row) => drawRow(model, row));
  if (model.get("chosen").length) lines.splice(model.get("chosen")[0] + 1, 0, player(model, host));
  return card(
    "The arena",
    { model, class: "al-arena", style: `--models: ${models.length}` },
    !isOwn(model) && h("p", { class: "al-arena-lede" }, emphasised(lede)),
    h(
      "table",
      { role: "grid", "aria-label": "Steps done, by harness and model" },
      drawHead(model),
      h("tbody", { role: "rowgroup" }, lines),
    ),
    talk(model),
    drawLegend(model),
  );
};

/** Let the columns slide to their new places, once. @param {HTMLElement} el @param {boolean} isNow */
const slide = (el, isNow) => {
  const table = el.querySelector("table");
  const stop = () => table?.classList.remove("al-sorting");
  table?.classList.toggle("al-sorting", isNow);
  table?.addEventListener("animationend", stop, { once: true });
};

export default {
  /** @param {{ model: Model, el: HTMLElement, host: Host }} place */
  render({ model, el, host }) {
    const undraw = view(() => draw(model, host)).render({ model, el });
    const show = () => {
      const part = model.get("presented") ? ".al-arena-box" : ".al-home";
      el.querySelector(part)?.scrollIntoView({ block: "nearest" });
    };
    const guessed = () => {
      focusOn(el.querySelector(".al-home")); // it says what the row shows
      slide(el, countShown(model) === stateOf(model).parts);
      requestAnimationFrame(show);
    };
    const presented = () => requestAnimationFrame(show);
    model.on("change:guesses", guessed);
    model.on("change:presented", presented);
    return () => {
      model.off("change:guesses", guessed);
      model.off("change:presented", presented);
      undraw();
    };
  },
};
