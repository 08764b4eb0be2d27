// The input tokens of each request of some runs: a bar for each, with a pale part for the cache.

import { card } from "./components.js";
import { div, span } from "./dom.js";
import { view } from "./view.js";

/**
 * A request is its tokens, and those of them that were read from the cache.
 * @typedef {{ title: string, words: string, requests: [number, number][] }} Costs
 */

/** @param {Costs} run @param {number[]} ticks */
const bars = ({ words, requests }, ticks) => {
  const height = (/** @type {number} */ tokens) => `${(100 * tokens) / (ticks.at(-1) ?? 1)}%`;
  return div(
    { class: "al-costs-bars", role: "img", "aria-label": words },
    ticks.map((tick) =>
      span(
        { class: "al-note al-costs-tick", style: `bottom: ${height(tick)}` },
        tick.toLocaleString("en"),
      ),
    ),
    requests.map(([total, cached], n) =>
      span(
        {
          class: "al-costs-bar",
          style: `height: ${height(total)}; --cached: ${(100 * cached) / total}%`,
        },
        (n === 0 || n % 5 === 4) && span("al-note", n + 1),
      ),
    ),
  );
};

export default view((model) => {
  /** @type {{ title: string, runs: Costs[], ticks: number[] }} */
  const { title, runs, ticks } = model.get("state");
  return card(
    title,
    { class: "al-costs" },
    div(
      "al-head",
      span("al-title", title),
      div(
        "al-legend",
        span("", span("al-key al-costs-key"), "processed"),
        span("", span("al-key al-costs-read"), "read from the cache"),
      ),
    ),
    runs.map((run) => [div("al-costs-name", run.title), bars(run, ticks)]),
  );
});
