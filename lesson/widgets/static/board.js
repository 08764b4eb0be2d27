import { h } from "./dom.js";
import { card, status } from "./parts.js";
import { counter, evidence, todoList } from "./todo_list.js";
import { view } from "./view.js";

/**
 * @import { Counter, TodoList } from "./todo_list.js"
 *
 * `words` is what the model is saying at the moment.
 * @typedef {object} State
 * @property {TodoList} plan
 * @property {Counter} counter
 * @property {string} status
 * @property {string} words
 */

export default view((model) => {
  /** @type {State} */
  const state = model.get("state");
  return card(
    "Todo list",
    { class: "al-board" },
    state.words && h("p", { class: "al-words" }, state.words),
    todoList(state.plan),
    counter(state.counter),
    evidence(state.plan),
    status(state.status),
  );
});
