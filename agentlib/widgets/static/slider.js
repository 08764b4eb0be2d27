// The slider moves at once; what it means is played by the kernel, and drawn when it is there.
const slider = (model, name, label, unit, [min, max]) => {
  const value = model.get(name);
  return h("label", { class: "al-slider" },
    h("span", { class: "al-slider-label" }, label),
    h("input", {
      type: "range", min, max, step: 1, value, ...keys,
      "aria-valuetext": plural(value, unit),
      oninput: (event) => set(model, { [name]: Number(event.target.value) }),
    }),
    h("span", { class: "al-slider-value", "aria-hidden": "true" }, plural(value, unit)));
};

export default view((model) => {
  const state = model.get("state");
  const busy = model.get("busy");
  return card("Nag slider", { class: "al-nag", "aria-busy": busy ? "true" : null },
    h("div", { class: "al-head" },
      h("span", { class: "al-title" }, "How soon should the reminder come?"), running(busy)),
    h("div", { class: "al-controls" },
      slider(model, "after", "Remind after", "round", state.range.after),
      slider(model, "attention", "The model sees the last", "message", state.range.attention)),
    h("div", { class: "al-result" },
      h("dl", { class: "al-facts" }, Object.entries(state.facts).map(([name, value]) =>
        h("div", { class: "al-fact" }, h("dt", {}, name), h("dd", {}, value)))),
      h("p", { class: state.changed ? "al-note" : "al-quiet", role: "status" },
        hidden(`${state.status} `), h("span", {}, state.changed)),
      h("div", { class: "al-columns" },
        h("div", { class: "al-plan" },
          h("div", { class: "al-head" },
            h("span", { class: "al-title" }, "What the files show"),
            h("span", { class: "al-count" }, `${state.facts["steps done"]} done`)),
          bar(state.steps.filter((step) => step.done).length, state.steps.length),
          h("ol", { class: "al-items" }, state.steps.map(({ text, done }, index) =>
            h("li", { class: `al-item al-${done ? "completed" : "pending"}` },
              h("span", { class: `al-mark al-${done ? "completed" : "missing"}`, "aria-hidden": "true" },
                done ? "✓" : "–"),
              hidden(done ? "done: " : "not done: "),
              h("span", { class: "al-number" }, `${index + 1}.`),
              h("span", { class: "al-text" }, text))))),
        plan(state.plan))));
});
