// The board: the list of a run while it goes on, and whether the model still sees it.

import { drawColumn } from "./column.js";
import { card, plural, status } from "./components.js";
import { div, h, p } from "./dom.js";
import { counter, evidence, stepsDone, todoList } from "./todo_list.js";
import { view } from "./view.js";

/**
 * `view` and `window` are null if they are not known. `result` is what a run that is over has shown.
 * @typedef {{ plan: TodoList, counter: Counter, view: (InView & { round: number }) | null,
 *   window: number | null, status: string, result: string, isLive: boolean }} State
 */

/** Draw a list, the window of the model next to it, and what the files show.
 * @param {{ plan: TodoList, counter: Counter, view: InView | null, window: number | null }} shown
 * @param {string} title of the window @param {boolean} [isLost] whether the model does not see it
 * @param {Record<string, any>} [items] the attributes of the items' element */
export const seenList = (shown, title, isLost, items) => {
  const { plan, view, window } = shown;
  return div(
    view && window ? "al-board-body" : "",
    view &&
      window &&
      div(
        { class: "al-note al-board-window", "aria-hidden": "true" },
        div("", title),
        drawColumn(view, window),
        div("", `↑ the newest message. ${plural(window, "message")} fit.`),
      ),
    div(
      "",
      todoList(plan, { isLost, ...items }),
      view && p({ class: `al-note al-board-view ${view.lost ? "al-lost" : ""}` }, view.list),
      counter(shown.counter),
      evidence(plan),
    ),
  );
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
  const seen = state.view;
  return card(
    "Todo list",
    { class: "al-board" },
    seenList(state, `What the model saw in round ${seen?.round}:`, seen?.lost),
    status([state.result && result(state), state.status]),
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
