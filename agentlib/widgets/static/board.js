import { card, status } from "./parts.js";
import { counter, evidence, todoList } from "./todo_list.js";
import { view } from "./view.js";

/**
 * @typedef {import("./todo_list.js").TodoList} TodoList
 * @typedef {import("./todo_list.js").Counter} Counter
 * @typedef {import("./todo_list.js").Step} Step
 * @typedef {{ plan: TodoList, counter: Counter, steps: Step[] | null, status: string }} State
 */

export default view((model) => {
  /** @type {State} */
  const state = model.get("state");
  return card(
    "Todo list",
    { class: "al-board" },
    todoList(state.plan),
    counter(state.counter),
    state.steps && evidence({ steps: state.steps, items: state.plan.items }),
    status(state.status),
  );
});
