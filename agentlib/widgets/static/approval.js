import { h } from "./dom.js";
import { button, card, keys, status } from "./parts.js";
import { NO_ANSWER, view } from "./view.js";

// One question at a time. The kernel asks "here": an answer shows that somebody can see it.
const answer = (model, word) => () => {
  model.send({ answer: word });
  // A note for this page only: it is never saved to the kernel.
  model.set("answered", model.get("state").question);
};

const waiting = (model) => model.get("state").command != null;
const answered = (model) => model.get("answered") === model.get("state").question;
const owed = (model) => (waiting(model) && answered(model) ? "asked" : "");

const draw = view((model, wait) => {
  const { command, said } = model.get("state");
  const off = !waiting(model) || answered(model);
  const choice = (label, word, more) => button(label, answer(model, word), { off, ...more });
  return card(
    "Commands of the model",
    { class: "al-approval" },
    h(
      "div",
      { class: "al-head" },
      h(
        "span",
        { class: "al-title" },
        waiting(model) ? "May the model run this?" : "Commands that the model wants to run",
      ),
    ),
    h(
      "div",
      { class: "al-question" },
      waiting(model) &&
        h(
          "pre",
          {
            class: "al-pre al-command",
            tabindex: 0,
            role: "region",
            "aria-label": "The command",
            ...keys,
          },
          command,
        ),
    ),
    h(
      "div",
      { class: "al-transport" },
      choice("Allow once", "once", { class: "al-button al-main" }),
      choice("Allow in this run", "run"),
      choice("No", "no"),
    ),
    status(wait === "silent" ? NO_ANSWER : said),
  );
}, owed);

export default {
  render({ model, el }) {
    const reply = () => model.send({ here: true });
    model.on("msg:custom", reply);
    const undo = draw.render({ model, el });
    return () => {
      model.off("msg:custom", reply);
      undo();
    };
  },
};
