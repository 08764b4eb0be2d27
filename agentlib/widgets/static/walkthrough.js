import { h } from "./dom.js";
import { button, card, hidden, keys } from "./parts.js";
import { set, view } from "./view.js";

export default view((model) => {
  const { stops } = model.get("state");
  const at = model.get("at");
  const go = (to) => set(model, { at: Math.min(Math.max(to, 0), stops.length - 1) });
  const pressed = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: stops.length - 1 }[event.key];
    if (to === undefined) return;
    go(to);
    event.preventDefault();
  };
  const { title, words, where, lines } = stops[at];
  return card(
    "Code walkthrough",
    { class: "al-walk" },
    h(
      "div",
      { class: "al-steps", role: "toolbar", "aria-label": "Steps", onkeydown: pressed },
      button("◀ Back", () => go(at - 1), { off: at === 0 }),
      stops.map((stop, n) =>
        button(`${n + 1}`, () => go(n), {
          class: "al-button al-step",
          "aria-current": n === at ? "step" : null,
          "aria-label": `Step ${n + 1}: ${stop.title}`,
        }),
      ),
      button("Next ▶", () => go(at + 1), {
        off: at === stops.length - 1,
        class: "al-button al-main",
      }),
    ),
    h(
      "div",
      { class: "al-lesson", role: "status" },
      h("h3", {}, hidden(`Step ${at + 1} of ${stops.length}: `), title),
      h("p", {}, words),
    ),
    h("p", { class: "al-where" }, where),
    h(
      "pre",
      {
        class: "al-code",
        key: `code-${at}`,
        tabindex: 0,
        role: "region",
        "aria-label": `The code of ${where}`,
        ...keys,
      },
      h(
        "code",
        { class: "al-lines" },
        lines.map(({ number, lit, pieces }) =>
          h(
            "span",
            { class: lit ? "al-line al-lit" : "al-line" },
            h("span", { class: "al-line-number", "aria-hidden": "true" }, `${number}`),
            lit && hidden("lit: "),
            pieces.map(([kind, text]) => (kind ? h("span", { class: `al-${kind}` }, text) : text)),
            "\n",
          ),
        ),
      ),
    ),
  );
});
