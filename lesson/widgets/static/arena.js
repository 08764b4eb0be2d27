// The arena: scripted models against harnesses that grow by one part at a time. A row is drawn
// once the reader has guessed what its part does.

import { button, card, emphasised, hidden, keys, plural } from "./components.js";
import { div, h, span } from "./dom.js";
import { squares, stepsDone } from "./todo_list.js";
import { drawOpened, focusOn, set, view } from "./view.js";

/**
 * A played run: a letter for each step (x: the files show it; o: missing, but its list says completed;
 * g: missing, and no longer on its list), what its list claims, and its size.
 * @typedef {{ marks: string, claims: string, requests: number, tokens: number,
 *   is_stopped: boolean }} ArenaCell
 *
 * A row: what its new part does, and the question that is asked before it is shown. `kind` says what
 * a guess is about; "" asks nothing. `than` is the row that it is compared with.
 * @typedef {{ name: string, part: string, question: string, told: string, than: number | null,
 *   kind: "" | "rescued" | "failing" | "finish" }} Row
 * @typedef {{ name: string, does: string, note: string, report: string, link: string }} Scripted
 * @typedef {{ lede: string, end: string, nobody: string, models: Scripted[],
 *   sorted: number[], parts: number, rows: Row[], notes: string[] }} Contents
 */

const OPENS = "A cell opens its run.";
const MOST = 1100; // tokens: a hundredth of the longest bar
const LEGEND = {
  x: "done, the files show it",
  ".": "missing",
  o: "missing, but its list says completed",
  g: "missing, and no longer on its list",
};

/** @param {Model} model @returns {Contents} */
const stateOf = (model) => model.get("state");

/** Return whether the rows are a learner's own versions. @param {Model} model */
const isOwn = (model) => !stateOf(model).end;

/** Return how many rows are shown. @param {Model} model */
const countShown = (model) => {
  const { rows } = stateOf(model);
  const given = rows.filter(({ kind }) => !kind).length;
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

/** @param {Model} model @param {number} row @param {number} one @returns {ArenaCell | null} */
const cellOf = (model, row, one) => model.get("cells")[row]?.[one] ?? null;

/** Return the same cell of the row that this one is compared with.
 * @param {Model} model @param {number} row @param {number} one */
const cellBefore = (model, row, one) => cellOf(model, stateOf(model).rows[row].than ?? -1, one);

/** @param {ArenaCell | null} cell */
const isFinished = (cell) => cell !== null && !/[^x]/.test(cell.marks) && !cell.is_stopped;

/** Return the right answers of a row; null while some of its runs are being played.
 * @param {Model} model @param {number} row @returns {(string | number)[] | null} */
const answersOf = (model, row) => {
  const { rows, models, nobody } = stateOf(model);
  const cells = models.map((_, one) => cellOf(model, row, one));
  if (cells.includes(null)) return null;
  const { kind } = rows[row];
  if (kind === "finish") return [cells.filter(isFinished).length];
  const found = models.filter((_, one) => {
    const isRescued = isFinished(cells[one]) && !isFinished(cellBefore(model, row, one));
    return kind === "failing" ? !isFinished(cells[one]) : isRescued;
  });
  return found.length ? found.map(({ name }) => name) : [nobody];
};

/** Return thousands of tokens, rounded down. @param {ArenaCell | null} cell */
const thousands = (cell) => (cell ? `${Math.floor(cell.tokens / 1000)}` : "…");

/** Compare the last guess with the row, and say what the row shows.
 * @param {Model} model @param {number} row @returns {Child[]} */
const verdict = (model, row) => {
  const [guess, answers] = [model.get("guesses")[row - 1], answersOf(model, row)];
  if (!answers) return ["The runs of this row are being played…"];
  const { rows, models } = stateOf(model);
  const finished = models.filter((_, one) => isFinished(cellOf(model, row, one)));
  /** @type {Record<string, string>} */
  const filled = {
    finish: `${finished.length} of ${models.length} finish`,
    rescued: answers.join(" and "),
    failing: answers.join(" and "),
    own: thousands(cellOf(model, row, homeOf(model))),
    alone: thousands(cellOf(model, 0, homeOf(model))),
  };
  const told = rows[row].told.replace(/{(\w+)}/g, (_, name) => filled[name]);
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
 * @param {ArenaCell} cell @param {ArenaCell | null} before */
const lookOf = (cell, before) => {
  if (!before) return "";
  const more = stepsDone(cell.marks) - stepsDone(before.marks);
  if (more) return more > 0 ? "al-better" : "al-worse";
  return before.marks === cell.marks ? "al-same" : "";
};

/** Draw ten squares, and nothing else. They open the run.
 * @param {Model} model @param {number} row @param {number} one */
const drawCell = (model, row, one) => {
  const cell = cellOf(model, row, one);
  const { name } = stateOf(model).models[one];
  if (!cell) return span("al-arena-cell al-muted", hidden(`${name}: `), "…");
  const isOpen = String(model.get("chosen")) === `${row},${name}`;
  const isGuess = model.get("guesses")[row - 1] === name;
  const look = lookOf(cell, cellBefore(model, row, one));
  const off = !canOpen(model);
  const open = () => set(model, { chosen: isOpen ? [] : [row, name] });
  return button([squares(cell.marks), cell.is_stopped && span("al-cut")], open, {
    class: `al-button al-arena-cell ${look} ${isGuess ? "al-guess" : ""}`,
    "aria-label": sentence(model, row, one, cell),
    "aria-expanded": off ? null : `${isOpen}`,
    off,
  });
};

/** A page without a kernel has no runs to open, and an agent's runs are not kept.
 * @param {Model} model */
const canOpen = (model) => !isOwn(model) && model.get("playable") !== false;

/** @param {Model} model @param {string | number} guess */
const makeGuess = (model, guess) =>
  set(model, { guesses: [...model.get("guesses"), guess], chosen: [] });

/** Draw a model that can be chosen as the answer, where the answer will be.
 * @param {Model} model @param {Scripted} one */
const drawChoice = (model, { name, does }) => {
  const more = { class: "al-button al-arena-choice", "aria-label": `${name}: ${does}` };
  return button(does, () => makeGuess(model, name), more);
};

/** Return the props of a column's cell, which slides to its place when the columns are sorted.
 * @param {Model} model @param {number} place @param {number} one */
const columnProps = (model, place, one) => ({
  key: `${isSorted(model)}-${one}`,
  style: isSorted(model) ? `--from: ${one - place}` : null,
});

/** Draw a row. @param {Model} model @param {number} row */
const drawRow = (model, row) => {
  const { rows, parts, models } = stateOf(model);
  const shown = countShown(model);
  const isAsked = row === shown;
  const isTaken = shown > parts && row < parts - 2; // the turn takes all parts away but two
  const look = (isAsked && "al-asked") || (isTaken && "al-taken");
  const canChoose = isAsked && rows[row].kind !== "finish";
  return h(
    "tr",
    { class: `al-arena-row ${look || ""}` },
    h("th", { scope: "row" }, rows[row].name),
    orderOf(model).map((one, place) =>
      h(
        "td",
        columnProps(model, place, one),
        h("span", { class: "al-arena-name", "aria-hidden": "true" }, models[one].name),
        isAsked ? canChoose && drawChoice(model, models[one]) : drawCell(model, row, one),
      ),
    ),
    h("td", { class: "al-arena-cost" }, !isAsked && drawCost(model, row)),
  );
};

/** Draw the tokens of the model that needs no help: of the loop alone, and of the parts.
 * @param {Model} model @param {number} row */
const drawCost = (model, row) => {
  const cell = cellOf(model, row, homeOf(model));
  if (!cell) return null;
  const alone = Math.min(cell.tokens, cellOf(model, 0, homeOf(model))?.tokens ?? 0);
  const width = (/** @type {number} */ tokens) => ({ style: `width: ${tokens / MOST}%` });
  const bars = [h("i", width(alone)), h("b", width(cell.tokens - alone))];
  const bar = h("span", { class: "al-cost-bar", "aria-hidden": "true" }, bars);
  return [bar, `${thousands(cell)}k`];
};

/** Draw the names of the models, and what the one does that the reader points at.
 * @param {Model} model */
const drawHead = (model) => {
  const { models } = stateOf(model);
  const who = models.find(({ name }) => name === model.get("who"));
  const link = { href: who?.link, target: "_blank", rel: "noopener", ...keys };
  const report = who?.report && ["Report: ", h("a", link, who.report), "."];
  const names = orderOf(model).map((one, place) => {
    const { name } = models[one];
    const tell = () => model.get("who") !== name && model.set("who", name);
    const told = { onmouseenter: tell, onfocus: tell, "aria-pressed": `${who?.name === name}` };
    const drawn = button(name, tell, { class: "al-button al-arena-who", ...told });
    return h("th", { scope: "col", ...columnProps(model, place, one) }, drawn);
  });
  const cost = h(
    "th",
    { scope: "col", class: "al-arena-cost" },
    `tokens of ${models[homeOf(model)].name}`,
  );
  const how = `Point at a name to read what this model does. ${canOpen(model) ? OPENS : ""}`;
  const what = who ? [h("strong", {}, who.name), ` ${who.does}. ${who.note} `, report] : how;
  return h(
    "thead",
    {},
    h("tr", {}, h("td", {}), names, cost),
    h("tr", {}, h("td", { colspan: models.length + 2, class: "al-arena-what" }, what)),
  );
};

/** Draw what is said now: the last row's result, and the next question. @param {Model} model */
const talk = (model) => {
  const { rows, models, end, nobody, notes } = stateOf(model);
  const shown = countShown(model);
  const lines = notes.map((note) => h("li", {}, emphasised(note)));
  if (isOwn(model)) return h("ul", { class: "al-arena-notes" }, lines);
  const told = { class: "al-arena-told al-home", role: "status", tabindex: -1 };
  const asked = rows[shown];
  const counts = [...models.keys(), models.length];
  const answers = asked?.kind === "finish" ? counts : [nobody];
  const buttons = answers.map((answer) => button(`${answer}`, () => makeGuess(model, answer)));
  const words = asked && [h("p", {}, asked.part), h("p", {}, h("strong", {}, asked.question))];
  const again = button("Once more", () => set(model, { guesses: [], chosen: [] }));
  return [
    h("p", told, verdict(model, shown - 1)),
    asked
      ? div("al-arena-box", words, div("al-transport", buttons))
      : [h("p", { class: "al-arena-end" }, end), again],
  ];
};

/** Draw how far the runs are played, with a way to stop. @param {Model} model */
const progress = (model) => {
  /** @type {(ArenaCell | null)[]} */
  const cells = Object.values(model.get("cells")).flat();
  const played = cells.filter(Boolean).length;
  if (played === cells.length) return null;
  const isPlaying = model.get("is_playing");
  const toggle = () => set(model, { is_playing: !isPlaying });
  return div(
    "al-arena-progress",
    h("progress", { max: cells.length, value: played, "aria-label": "Runs played" }),
    span("al-note", `${played} of ${cells.length} runs played`),
    button(isPlaying ? "Stop" : "Play the others", toggle),
  );
};

/** Draw the player of the chosen run below its row. @param {Model} model @param {Host} host */
const player = (model, host) => {
  const inside = h(
    "td",
    { colspan: stateOf(model).models.length + 2 },
    h("div", { drawn: drawOpened(model, host) }),
  );
  return h("tr", { class: "al-arena-run", key: "run" }, inside);
};

/** @param {Model} model @param {Host} host */
const draw = (model, host) => {
  const { lede, rows } = stateOf(model);
  const lines = rows.slice(0, countShown(model) + 1).map((_, row) => drawRow(model, row));
  if (model.get("chosen").length) lines.splice(model.get("chosen")[0] + 1, 0, player(model, host));
  return card(
    "The arena",
    { model, class: isSorted(model) ? "al-arena al-sorted" : "al-arena" },
    !isOwn(model) && h("p", { class: "al-arena-lede" }, emphasised(lede)),
    h(
      "table",
      {},
      h("caption", { class: "al-hidden" }, "Steps done, by harness and model"),
      drawHead(model),
      h("tbody", {}, lines),
    ),
    talk(model),
    h("p", { class: "al-lost", hidden: !model.get("problem") }, model.get("problem")),
    progress(model),
    h(
      "p",
      { class: "al-legend al-arena-key", "aria-hidden": "true" },
      Object.entries(LEGEND).map(([letter, words]) => h("span", {}, squares(letter), words)),
      h("span", {}, span("al-cut"), "cut off after 80 requests"),
      !isOwn(model) && h("span", {}, span("al-key-guess"), "your guess"),
    ),
  );
};

export default {
  /** @param {{ model: Model, el: HTMLElement, host: Host }} place */
  render({ model, el, host }) {
    const undraw = view(() => draw(model, host)).render({ model, el });
    const told = () => focusOn(el.querySelector(".al-home")); // it says what the row shows
    model.on("change:guesses", told);
    return () => {
      model.off("change:guesses", told);
      undraw();
    };
  },
};
