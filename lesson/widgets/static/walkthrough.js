import { button, card, hidden, keys, slide } from "./components.js";
import { h, span } from "./dom.js";
import { clamp, elementOf, press } from "./keyboard.js";
import { focusOn, set, view } from "./view.js";

/**
 * @typedef {{ number: number, lit: boolean, text: string }} Line
 * @typedef {{ where: string, lines: Line[] }} Code
 * @typedef {Code & { title: string, words: string, own?: Code }} Stop
 */

/** @param {Line} line */
const drawLine = ({ number, lit, text }) =>
  span(
    lit ? "al-line al-lit" : "al-line",
    h("span", { class: "al-line-number", "aria-hidden": "true" }, `${number}`),
    lit && hidden("lit: "),
    `${text}\n`,
  );

/**
 * @param {string} key
 * @param {string} where
 * @param {Line[]} lines
 */
const drawCode = (key, where, lines) =>
  h(
    "div",
    { class: "al-code-side", key },
    h("p", { class: "al-where" }, where),
    h(
      "pre",
      {
        class: "al-code al-scroll",
        tabindex: 0,
        role: "region",
        "aria-label": `The code of ${where}`,
        ...keys,
      },
      h("code", { class: "al-lines" }, lines.map(drawLine)),
    ),
  );

export default view((model) => {
  /** @type {{ stops: Stop[] }} */
  const { stops } = model.get("state");
  /** @type {number} */
  const at = model.get("at");
  const last = stops.length - 1;
  const go = (/** @type {number} */ to) => set(model, { at: clamp(to, 0, last) });
  const pressed = (/** @type {KeyboardEvent} */ event) => {
    const bar = elementOf(event);
    const isOnStep = bar.querySelector(".al-step:focus") !== null;
    press(slide({ value: at, range: [0, last] }, go, 1))(event);
    // Only the current step is a stop of the Tab key; the others are reached by arrows.
    if (isOnStep) focusOn(bar.querySelector(".al-step[aria-current]"));
  };
  const { title, words, where, lines, own } = stops[at];
  return card(
    "Code walkthrough",
    { class: "al-walk" },
    h(
      "div",
      { class: "al-transport", role: "toolbar", "aria-label": "Steps", onkeydown: pressed },
      button("◀ Back", () => go(at - 1), { off: at === 0 }),
      stops.map((stop, n) =>
        button(`${n + 1}`, () => go(n), {
          class: "al-button al-step",
          "aria-current": n === at ? "step" : null,
          "aria-label": `Step ${n + 1}: ${stop.title}`,
          tabindex: n === at ? 0 : -1,
        }),
      ),
      button("Next ▶", () => go(at + 1), { off: at === last, class: "al-button al-main" }),
    ),
    h(
      "div",
      { class: "al-lesson", role: "status" },
      h("h2", {}, hidden(`Step ${at + 1} of ${stops.length}: `), title),
      h("p", {}, words),
    ),
    h(
      "div",
      { class: "al-codes" },
      drawCode(`code-${at}`, where, lines),
      own && drawCode(`own-${at}`, own.where, own.lines),
    ),
  );
});
