import { button, card, hidden, keys } from "./components.js";
import { h, span } from "./dom.js";
import { set, view } from "./view.js";

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

/** @param {string} key @param {Code} code */
const drawCode = (key, { where, lines }) =>
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
  const go = (/** @type {number} */ to) => set(model, { at: to });
  const { title, words, own } = stops[at];
  return card(
    "Code walkthrough",
    { class: "al-walk" },
    h(
      "div",
      { class: "al-transport", role: "group", "aria-label": "Steps" },
      button("◀ Back", () => go(at - 1), { off: at === 0 }),
      stops.map((stop, n) =>
        button(`${n + 1}`, () => go(n), {
          class: "al-button al-step",
          "aria-current": n === at ? "step" : null,
          "aria-label": `Step ${n + 1}: ${stop.title}`,
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
      drawCode(`code-${at}`, stops[at]),
      own && drawCode(`own-${at}`, own),
    ),
  );
});
