// The board: the list of a run while it goes on, and whether the model still sees it.

import { drawColumn } from "./column.js";
import { card, plural, status } from "./components.js";
import { div, h, p } from "./dom.js";
import { counter, evidence, todoList } from "./todo_list.js";
import { view } from "./view.js";

/**
 * `view` and `window` are null if they are not known. `result` is what a run that is over has shown.
 * @typedef {{ plan: TodoList, counter: Counter, view: (InView & { round: number }) | null,
 *   window: number | null, status: string, result: string, isLive: boolean }} State
 */

/** @param {Model} model */
const draw = (model) => {
  /** @type {State} */
  const state = model.get("state");
  const seen = state.view;
  return card(
    "Todo list",
    { class: "al-board" },
    div(
      seen && state.window ? "al-board-body" : "",
      seen &&
        state.window &&
        div(
          { class: "al-note al-board-window", "aria-hidden": "true" },
          div("", `What the model saw in round ${seen.round}:`),
          drawColumn(seen, state.window),
          div("", `↑ the newest message. ${plural(state.window, "message")} fit.`),
        ),
      div(
        "",
        todoList(state.plan, { isLost: seen?.lost }),
        seen && p({ class: `al-note al-board-view ${seen.lost ? "al-lost" : ""}` }, seen.list),
        counter(state.counter),
        evidence(state.plan),
      ),
    ),
    status([state.result && h("strong", { class: "al-board-result" }, state.result), state.status]),
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
