import { h } from "./dom.js";
import { card, hidden, keys, plural, running, stale } from "./parts.js";
import { bar, todoList } from "./todo_list.js";
import { NO_ANSWER, set, view } from "./view.js";

// The slider moves at once; what it means is played by the kernel, and drawn when it is there.
const slider = (model, name, label, unit, [min, max]) => {
  const value = model.get(name);
  return h(
    "label",
    { class: "al-slider" },
    h("span", { class: "al-slider-label" }, label),
    h("input", {
      type: "range",
      min,
      max,
      step: 1,
      value,
      ...keys,
      "aria-valuetext": plural(value, unit),
      oninput: (event) => set(model, { [name]: Number(event.target.value) }),
    }),
    h("span", { class: "al-slider-value", "aria-hidden": "true" }, plural(value, unit)),
  );
};

// The picture says which sliders it belongs to. Where they have moved on, it is owed anew.
const owed = (model) => {
  const { of } = model.get("state");
  if (model.get("busy")) return "busy";
  return of.after === model.get("after") && of.attention === model.get("attention") ? "" : "asked";
};

const fact = ([name, value]) =>
  h(
    "div",
    { class: "al-fact" },
    h("dt", {}, value === "1" ? name.replace(/s$/, "") : name),
    h("dd", {}, value),
  );

const HINT = "Move a slider, and the same task is played again from the start.";

export default view((model, wait) => {
  const state = model.get("state");
  return card(
    "Nag slider",
    stale(wait),
    h(
      "div",
      { class: "al-head" },
      h("span", { class: "al-title" }, "How soon should the reminder come?"),
      running(wait),
    ),
    h(
      "div",
      { class: "al-controls" },
      slider(model, "after", "Remind after", "round", state.range.after),
      slider(model, "attention", "The model sees the last", "message", state.range.attention),
    ),
    h("dl", { class: "al-facts al-result" }, Object.entries(state.facts).map(fact)),
    h(
      "p",
      { class: "al-note", role: "status" },
      wait === "silent"
        ? NO_ANSWER
        : [hidden(`${state.status} `), h("span", {}, state.changed || HINT)],
    ),
    h(
      "div",
      { class: "al-columns al-result" },
      h(
        "div",
        { class: "al-plan" },
        h(
          "div",
          { class: "al-head" },
          h("span", { class: "al-title" }, "What the files show"),
          h("span", { class: "al-count" }, `${state.facts["steps done"]} done`),
        ),
        bar(state.steps.filter((step) => step.done).length, state.steps.length),
        h(
          "ol",
          { class: "al-items" },
          state.steps.map(({ text, done }, index) =>
            h(
              "li",
              { class: `al-item al-${done ? "completed" : "pending"}` },
              h(
                "span",
                { class: `al-mark al-${done ? "completed" : "missing"}`, "aria-hidden": "true" },
                done ? "✓" : "–",
              ),
              hidden(done ? "done: " : "not done: "),
              h("span", { class: "al-number" }, `#${index + 1}`),
              h("span", { class: "al-text" }, text),
            ),
          ),
        ),
      ),
      todoList(state.plan),
    ),
  );
}, owed);
