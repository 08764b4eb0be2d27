// The buttons of the player: step by step, by itself, and from one plan or error to the next.

import { button } from "./components.js";
import { h } from "./dom.js";
import {
  go,
  guess,
  hasMore,
  lastRow,
  nextRow,
  owed,
  rowShown,
  togglePlaying,
} from "./player_keys.js";
import { stateOf } from "./run.js";

/** @param {Model} model */
export const transport = (model) => {
  const row = rowShown(model);
  const { guesses } = stateOf(model);
  const isLast = !hasMore(model);
  return h(
    "div",
    { class: "al-transport", role: "group", "aria-label": "Steps" },
    button("|◀", () => go(model, 0), { "aria-label": "First step", off: row === 0 }),
    button("◀ Back", () => go(model, row - 1), { off: row === 0 }),
    button(model.get("playing") ? "❚❚ Stop" : "▶ Play", () => togglePlaying(model), {
      off: isLast,
      class: "al-button al-wide",
    }),
    button("Next ▶", () => go(model, row + 1), { off: isLast, class: "al-button al-main" }),
    button("▶|", () => go(model, lastRow(model)), { "aria-label": "Last step", off: isLast }),
    h(
      "div",
      { class: "al-transport al-jumps", role: "group", "aria-label": "Jump to the next" },
      jumps(model),
    ),
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

/** @param {Model} model */
const jumps = (model) => {
  const { differs } = stateOf(model);
  /** @type {[string, number][]} */
  const targets = [
    ["plan", nextRow(model, ({ cell }) => cell === "p" || cell === "s")],
    ["reminder", nextRow(model, ({ reminded }) => reminded)],
    ["error", nextRow(model, ({ failed }) => failed)],
    ["loss of the plan", nextRow(model, ({ leaves }) => leaves)],
    ["difference", nextRow(model, (_, row) => differs.includes(row))],
  ];
  const found = targets.filter(([, row]) => row >= 0);
  return [
    found.length > 0 && h("span", { class: "al-muted", "aria-hidden": "true" }, "next"),
    found.map(([name, row]) =>
      button(name, () => go(model, row), {
        off: row === rowShown(model),
        "aria-label": `Next ${name}`,
      }),
    ),
  ];
};
