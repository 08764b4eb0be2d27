// The board: a run as it goes on, what the files show of it, its list, and whether the model still
// sees that. What one looks for first is at the top, in view below a long cell.

import { card, status } from "./components.js";
import { div, h, p } from "./dom.js";
import { legend, tape, windowFrame } from "./tape.js";
import { counter, evidence, stepsDone, todoList } from "./todo_list.js";
import { view } from "./view.js";

/**
 * `view` is null if it is not known. `cells` and `steps` are those of the tape, and
 * `kinds` says what its letters mean. `result` is what a run that is over has shown.
 * @typedef {{ plan: TodoList, counter: Counter, view: InView | null, cells: string, steps: string, kinds: Record<string, string>,
 *   status: string, result: string, isLive: boolean }} State
 */

const SHORTEST = 12; // rounds that have room from the start

/** Draw the rounds, and what the model saw in the newest one. @param {State} state */
const drawRun = ({ cells, steps, view, isLive, plan: { files } }) => {
  const isFinished = files ? stepsDone(files) === files.length : null;
  const place = (/** @type {number} */ message) => (view ? (message - view.prompt - 1) / 2 : 0);
  const [start, end] = view
    ? [place(Math.max(view.first, view.prompt + 1)), place(view.sent)]
    : [0, 0];
  const shown = {
    isFinished,
    steps,
    seenFrom: isLive ? Math.floor(start) : 0, // in the end, all of the run is to be seen
    length: Math.max(cells.length, SHORTEST),
  };
  return div("al-board-run", tape(cells, shown, end > 0 && windowFrame(start, end)));
};

/** Say how the run has ended, in the colour of what the files show. @param {State} state */
const result = ({ result, isLive, plan: { files } }) => {
  const isDone = stepsDone(files ?? "") === files?.length;
  const colour = isLive || !files ? "ink" : isDone ? "done" : "lost";
  return h("strong", { class: "al-board-result", style: `color: var(--${colour})` }, result);
};

/** @param {Model} model */
const draw = (model) => {
  /** @type {State} */
  const state = model.get("state");
  const { plan, view: seen, cells } = state;
  return card(
    "Todo list",
    { class: "al-board" },
    cells && drawRun(state),
    evidence(plan),
    status([state.result && result(state), state.status]),
    todoList(plan, { isLost: seen?.lost }),
    seen && p({ class: ["al-note al-board-view", seen.lost && "al-lost"] }, seen.list),
    counter(state.counter),
    cells && legend(cells, state.steps, state.kinds, Boolean(seen)),
  );
};

const { render } = view(draw);

export default {
  /** Draw the board, and bring it into view once, when the list of a live run appears.
   * @param {Place} place */
  render(place) {
    render(place);
    const { model, el } = place;
    let isPlaced = false;
    const showOnce = () => {
      /** @type {State} */
      const { isLive, plan } = model.get("state");
      const isThere = isLive && plan.items.length > 0;
      if (isThere && !isPlaced) el.firstElementChild?.scrollIntoView({ block: "nearest" });
      isPlaced = isThere;
    };
    model.on("change", showOnce);
  },
};
