// The buttons of the player: forward and back, by itself, or with a guess.

import { button } from "./components.js";
import { h } from "./dom.js";
import { go, guess, hasMore, lastRow, owed, rowShown, togglePlaying } from "./player_keys.js";
import { stateOf } from "./run.js";

/** @param {Model} model */
export const transport = (model) => {
  const row = rowShown(model);
  const { guesses } = stateOf(model);
  const isLast = !hasMore(model);
  return h(
    "div",
    { class: "al-transport", role: "group", "aria-label": "Move through the run" },
    button("|◀", () => go(model, 0), { "aria-label": "To the beginning", off: row === 0 }),
    button("◀ Back", () => go(model, row - 1), { off: row === 0 }),
    button(model.get("playing") ? "❚❚ Stop" : "▶ Play", () => togglePlaying(model), {
      off: isLast,
      class: "al-button al-wide",
    }),
    button("Next ▶", () => go(model, row + 1), { off: isLast, class: "al-button al-main" }),
    button("▶|", () => go(model, lastRow(model)), { "aria-label": "To the end", off: isLast }),
    guesses.length > 0 && isLast && drawGuesses(model, guesses),
  );
};

/** A button for each thing that the model may do next. @param {Model} model
 * @param {string[]} guesses */
const drawGuesses = (model, guesses) =>
  h(
    "div",
    {
      class: "al-transport al-guesses",
      role: "group",
      "aria-label": "What does the model do next?",
    },
    h("span", { "aria-hidden": "true" }, "In the next round it"),
    guesses.map((words) => button(words, () => guess(model, words), { off: owed(model) })),
  );
