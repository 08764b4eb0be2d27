// What a run cost, by the kind of token and in money: one line, and a table behind it.

import { div, h } from "./dom.js";
import { keys, plural } from "./parts.js";
import { set } from "./view.js";

/**
 * Tokens by what they cost: input, put into the cache for five minutes, for an hour, read from the
 * cache, written. A price is US dollars for a million of each.
 * @typedef {number[]} Kinds
 * @typedef {{ usage: Kinds, model: string }} Spent
 * @typedef {[string, Spent[]]} Column
 *
 * `long` has the models that cost more above a number of tokens in a prompt.
 * @typedef {object} Prices
 * @property {string} date
 * @property {Record<string, Kinds>} models
 * @property {Record<string, [number, Kinds]>} long
 *
 * @import { Model } from "./view.js"
 */

const NAMES = ["input", "put into the cache", "…for an hour", "read from the cache", "written"];
const AN_HOUR = 2;
const FROM_CACHE = 3;
const WRITTEN = 4;

/** The counts of a usage as Python sends them, by kind. @param {number[]} counts @returns {Kinds} */
export const kindsOf = ([input, output, created, read, hour]) => [
  input,
  created - hour,
  hour,
  read,
  output,
];

/** @param {Kinds} usage */
export const totalOf = (usage) => usage.reduce((sum, count) => sum + count, 0);

/** @param {Kinds} usage */
const promptOf = (usage) => totalOf(usage) - usage[WRITTEN];

/** @param {Spent[]} spent @returns {Kinds} */
export const addUp = (spent) =>
  NAMES.map((_, kind) => spent.reduce((n, s) => n + s.usage[kind], 0));

/** The same without a cache. @param {Spent} spent @returns {Spent} */
const withoutCache = ({ usage, model }) => ({
  usage: [promptOf(usage), 0, 0, 0, usage[WRITTEN]],
  model,
});

/**
 * The price of a request, or null if it is not known.
 * @param {Prices} prices
 * @param {string} name
 * @param {number} prompt
 */
const priceOf = ({ models, long }, name, prompt) => {
  const id = name.replace(/-20\d{6}$|-latest$/, "");
  const [above, dear] = long[id] ?? [Number.POSITIVE_INFINITY, null];
  return prompt > above ? dear : (models[id] ?? null);
};

/**
 * US dollars for what was spent, at the prices of `name` or of who answered; null if not known.
 * @param {Prices} prices
 * @param {string} name
 * @param {Spent[]} spent
 */
const moneyFor = (prices, name, spent) => {
  let sum = 0;
  for (const { usage, model } of spent) {
    const price = priceOf(prices, name || model, promptOf(usage));
    if (!price) return null;
    sum += usage.reduce((part, count, kind) => part + (count * price[kind]) / 1e6, 0);
  }
  return sum;
};

/** @param {number} usd */
const dollars = (usd) =>
  usd.toLocaleString("en", {
    style: "currency",
    currency: "USD",
    ...(usd < 1 && { maximumSignificantDigits: 2 }),
  });

/** A count as it is read. @param {number} count */
const formatCount = (count) => count.toLocaleString("en");

/**
 * The bill. Each column has a title and what was spent; the line has the last one or, of two runs
 * (`isOfTwo`), both. `planning` says how many reminders and todo calls there are, and their tokens.
 * Null where nothing is known.
 * @param {Model} model
 * @param {Column[]} columns
 * @param {{ planning?: Record<string, number[]>, isOfTwo?: boolean }} [more]
 */
export const drawBill = (model, columns, { planning = {}, isOfTwo = false } = {}) => {
  const spent = columns.flatMap(([, each]) => each);
  if (spent.length === 0) return null;
  /** @type {Prices} */
  const prices = model.get("state").prices;
  const name = model.get("price");
  const sums = columns.map((column) => sumUp(prices, name, column));
  const lines = sums.slice(isOfTwo ? 0 : -1).map((sum) => inALine(sum, name));
  return h(
    "details",
    { class: "al-bill" },
    h("summary", keys, `Cost, ${lines.join(". ")}`),
    div(
      "al-bill-inside al-scroll",
      table(sums),
      Object.entries(planning)
        .filter(([, [count]]) => count > 0)
        .map(([noun, [count, ...usage]]) =>
          h("p", {}, share(prices, name, plural(count, noun), { usage, model: spent[0].model })),
        ),
      choice(model, prices, name, spent),
    ),
  );
};

/**
 * A column added up: its tokens, and what they cost with the cache and without it.
 * @param {Prices} prices
 * @param {string} name
 * @param {Column} column
 */
const sumUp = (prices, name, [title, spent]) => ({
  title,
  usage: addUp(spent),
  money: moneyFor(prices, name, spent),
  plain: moneyFor(prices, name, spent.map(withoutCache)),
});

/** @typedef {ReturnType<typeof sumUp>} Sum */

/** @param {Sum} sum @param {string} name */
const inALine = ({ title, usage, money, plain }, name) => {
  const read = plural(promptOf(usage), "token");
  const tokens = `${formatCount(usage[FROM_CACHE])} of ${read} read came from the cache`;
  if (!money || !plain) return `${title}: ${tokens}`;
  const as = name ? ` as ${name}` : "";
  return `${title}: ${dollars(money)}${as}, ${dollars(plain)} without the cache; ${tokens}`;
};

/** @param {Sum[]} sums */
const table = (sums) => {
  /** @param {string} label @param {(sum: Sum) => string} cell @param {string} [look] */
  const row = (label, cell, look) =>
    h(
      "tr",
      { class: look },
      h("th", { scope: "row" }, label),
      sums.map((sum) => h("td", {}, cell(sum))),
    );
  const titles = sums.map(({ title }) => h("th", { scope: "col" }, title));
  const isUsed = (/** @type {number} */ kind) =>
    kind !== AN_HOUR || sums.some(({ usage }) => usage[kind] > 0);
  return h(
    "table",
    {},
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "tokens"), titles)),
    h(
      "tbody",
      {},
      NAMES.map((name, kind) => isUsed(kind) && row(name, ({ usage }) => formatCount(usage[kind]))),
      row("in all", ({ usage }) => formatCount(totalOf(usage)), "al-bill-sum"),
      sums.every(({ money }) => money !== null) && [
        row("cost", ({ money }) => dollars(money ?? 0), "al-bill-sum"),
        row("without the cache", ({ plain }) => dollars(plain ?? 0)),
      ],
    ),
  );
};

/**
 * What the reminders or the todo calls add to the run.
 * @param {Prices} prices
 * @param {string} name
 * @param {string} what
 * @param {Spent} spent
 */
const share = (prices, name, what, spent) => {
  const money = moneyFor(prices, name, [spent]);
  const words = `${what} in the run: ${plural(totalOf(spent.usage), "token")} in all requests`;
  return money ? `${words}, ${dollars(money)}.` : `${words}.`;
};

/** @param {Model} model @param {Prices} prices @param {string} name @param {Spent[]} spent */
const choice = (model, prices, name, spent) => {
  const unpriced = spent.find(
    (each) => each.model !== "practice" && !priceOf(prices, each.model, 0),
  );
  return h(
    "label",
    { class: "al-bill-choice" },
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
      Object.keys(prices.models).map((each) => h("option", { value: each }, each)),
    ),
    ` (prices of ${prices.date})`,
    unpriced && !name && ` The price of ${unpriced.model || "this model"} is not known here.`,
  );
};
