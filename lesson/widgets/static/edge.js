// The edge of the window: its places, the newest message on the right, and the list among them or,
// when it has left the window, dashed before the edge.

import { div, h, span } from "./dom.js";

/**
 * What the model saw of a request of `sent` messages: those from number `first`, and the `prompt`.
 * `plan` are the numbers of the messages with its list, and `short` of those with a list that
 * replaced it after it was lost. `gone` says that the plan has left the window, and `lost` that the
 * model sees no list. `words` and `list` say the same.
 * @typedef {object} InView
 * @property {number} sent
 * @property {number} prompt
 * @property {number} first
 * @property {number[]} plan
 * @property {number[]} short
 * @property {boolean} gone
 * @property {boolean} lost
 * @property {string} words
 * @property {string} list
 */

/** @param {InView} view @param {number} size of the window, in messages */
export const drawEdge = (view, size) =>
  div(
    "al-edge-strip",
    h(
      "div",
      { class: "al-edge-places", "aria-hidden": "true" },
      view.gone && span("al-edge-ghost"),
      span("al-edge-line"),
      Array.from({ length: size }, (_, place) => {
        const index = view.sent - size + place;
        if (index < view.first) return span("al-edge-place");
        const kind = view.plan.includes(index) ? "plan" : "message";
        return span(`al-edge-place al-edge-${view.short.includes(index) ? "short" : kind}`);
      }),
    ),
    h("p", { class: view.lost ? "al-edge-words al-lost" : "al-edge-words" }, view.list),
  );
