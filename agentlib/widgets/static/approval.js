// One question at a time. The kernel asks "here": an answer shows that somebody can see it.
const answer = (model, word) => () => model.send({ answer: word });

const draw = view((model) => {
  const { command, said } = model.get("state");
  const off = command == null;
  return card("May the model run this?", { class: "al-approval" },
    h("div", { class: "al-head" }, h("span", { class: "al-title" }, "May the model run this?")),
    h("p", { class: off ? "al-status" : "al-note", role: "status" }, said),
    off ? null : h("pre", { class: "al-pre", tabindex: 0, role: "region", "aria-label": "The command", ...keys }, command),
    off ? null : h("div", { class: "al-transport" },
      button("Allow once", answer(model, "once"), { class: "al-button al-main" }),
      button("Allow in this run", answer(model, "run")),
      button("No", answer(model, "no"))));
});

export default {
  render({ model, el }) {
    const reply = () => model.send({ here: true });
    model.on("msg:custom", reply);
    const undo = draw.render({ model, el });
    return () => { model.off("msg:custom", reply); undo(); };
  },
};
