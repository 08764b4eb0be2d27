// A chart of recorded sessions, with the rounds in which a nag would have sent a reminder.

import { button, card, keys, plural, status } from "./components.js";
import { div, h, svg } from "./dom.js";
import { set, view } from "./view.js";

export default view((model) => {
  const { title, size, kinds, reminders, counts, harnesses, facts } = model.get("state");
  const after = model.get("after");
  const choose = (/** @type {number} */ value) => set(model, { after: value });
  return card(
    "Recorded sessions of Claude Code",
    { class: "al-real" },
    div("al-title", title),
    div(
      "al-transport",
      h(
        "label",
        { class: "al-transport" },
        "Remind after",
        h("input", {
          type: "range",
          min: 1,
          max: counts.length,
          value: after,
          ...keys,
          "aria-valuetext": counts[after - 1],
          oninput: (/** @type {InputEvent} */ event) =>
            choose(Number(/** @type {HTMLInputElement} */ (event.target).value)),
        }),
        h("b", { "aria-hidden": "true" }, plural(after, "round")),
      ),
      "as in",
      harnesses.map((/** @type {[number, string]} */ [value, name]) =>
        button(`${name}: ${value}`, () => choose(value), {
          class: "al-button al-switch",
          "aria-pressed": value === after ? "true" : "false",
        }),
      ),
    ),
    status(counts[after - 1], { quiet: true }),
    div(
      "al-transport al-count",
      kinds.map((/** @type {string[]} */ [label, colour]) =>
        h("span", {}, h("span", { style: `color: ${colour}` }, "■ "), label),
      ),
    ),
    svg(
      "",
      [0, 0, ...size],
      kinds.map((/** @type {string[]} */ [, colour, path]) =>
        h("path", { style: `fill: ${colour}`, d: path || reminders[after - 1] }),
      ),
    ),
    h("p", { class: "al-count" }, facts.join(" ")),
  );
});
