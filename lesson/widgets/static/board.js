// The board: the list of a run while it goes on, and whether the model still sees it.

import { drawColumn } from "./column.js";
import { card, plural, status } from "./components.js";
import { div, h, span } from "./dom.js";
import { counter, evidence, todoList } from "./todo_list.js";
import { view } from "./view.js";

/**
 * `view` and `window` are null if they are not known.
 * @typedef {{ plan: TodoList, counter: Counter, view: (InView & { round: number }) | null,
 *   window: number | null, status: string }} State
 */

export default view((model) => {
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
        h(
          "div",
          { class: "al-note al-board-window", "aria-hidden": "true" },
          div("", "Round ", seen.round),
          drawColumn(seen, state.window),
          span("", `newest of ${plural(state.window, "message")}`),
        ),
      div(
        "",
        todoList(state.plan, { isLost: seen?.lost }),
        seen && h("p", { class: `al-note al-board-view ${seen.lost ? "al-lost" : ""}` }, seen.list),
        counter(state.counter),
        evidence(state.plan),
      ),
    ),
    status(state.status),
  );
});
