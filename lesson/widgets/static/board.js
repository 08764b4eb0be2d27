// The board: the list of a run while it goes on, and whether the model still sees it.

import { drawColumn } from "./column.js";
import { button, card, plural, status } from "./components.js";
import { div, h, span } from "./dom.js";
import { counter, evidence, todoList } from "./todo_list.js";
import { view } from "./view.js";

/**
 * `view` and `window` are null if they are not known.
 * @typedef {{ plan: TodoList, counter: Counter, view: (InView & { round: number }) | null,
 *   window: number | null, status: string }} State
 */

const PACE_MS = 700;

/** Show the rounds of the run one after the other. @param {Model} model @param {number} [at] */
const playAgain = (model, at = 0) => {
  const frames = model.get("frames");
  model.set("replaying", at < frames.length);
  if (at >= frames.length) return;
  model.set("state", frames[at]);
  setTimeout(playAgain, PACE_MS, model, at + 1);
};

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
    model.get("frames")?.length > 1 &&
      button("▶ Watch it again", () => playAgain(model), { off: model.get("replaying") === true }),
  );
};

export default {
  render(/** @type {Place} */ { model, el }) {
    const undraw = view(draw).render({ model, el });
    // A board in a fold of a page plays its run once when the fold is opened.
    const opened = () => !model.get("replaying") && playAgain(model);
    el.closest("details")?.addEventListener("toggle", opened, { once: true });
    return undraw;
  },
};
