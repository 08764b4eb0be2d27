// The cost of a run at the prices of the chosen model, as text that Python has written.

import { keys } from "./components.js";
import { h } from "./dom.js";
import { stateOf } from "./run.js";
import { set } from "./view.js";

/**
 * The cost of a run, by the name of the model whose prices are used; "" is the one that answered.
 * @typedef {Record<string, string>} Bills
 *
 * The models whose prices are known, and the day of those prices.
 * @typedef {{ date: string, models: string[] }} Prices
 *
 * @import { Model } from "./view.js"
 */

/** Draw the bill of each run; return null if none is known. @param {Model} model */
export const drawBill = (model) => {
  const { runs, rows } = stateOf(model);
  const known = runs.filter(({ bills }) => "" in bills);
  if (known.length === 0) return null;
  const name = model.get("price");
  return h(
    "details",
    { class: "al-note al-bill" },
    h("summary", keys, name ? `Cost, with ${name}` : "Cost"),
    h(
      "div",
      {},
      known.map(({ title, bills }) => h("p", {}, rows && `${title}: `, bills[name] ?? bills[""])),
      choice(model, name),
    ),
  );
};

/** @param {Model} model @param {string} name */
const choice = (model, name) => {
  const { date, models } = stateOf(model).prices;
  return h(
    "label",
    {},
    "What would it cost with ",
    h(
      "select",
      {
        ...keys,
        value: name,
        onchange: (/** @type {Event} */ event) =>
          set(model, { price: /** @type {HTMLSelectElement} */ (event.target).value }),
      },
      h("option", { value: "" }, "choose a model"),
      models.map((each) => h("option", { value: each }, each)),
    ),
    ` (prices of ${date})`,
  );
};
