// The study of five lines of plan: a guess, a square for each task, and a coin for each that was
// gained or lost. What is asked and told is made in Python.

import { button, card, emphasised, guessing } from "./components.js";
import { div, h, p, span } from "./dom.js";
import { set, turn, view } from "./view.js";

/**
 * The looks of squares: how many, and what they mean.
 * @typedef {[string, number, string][]} Squares
 *
 * The tosses: how often each difference came up, up to the one that was measured, and sentences.
 * @typedef {{ asked: string, press: string, bars: number[], mark: number, told: string }} Coins
 *
 * @typedef {{ title: string, lede: string, source: string, asked: string, found: string,
 *   told: string, guess: Asked, squares: Squares, coins?: Coins }} Scene
 * @typedef {{ total: number, start: number }} Asked
 *
 * What the reader did.
 * @typedef {{ guess?: number, shown?: boolean, tossed?: boolean }} Play
 */

const FOUND = ".al-study-found"; // takes the focus when a scene is answered

/** @param {Model} model @returns {Play} */
const playOf = (model) => model.get("played");

/** Return what the reader did so far, and more. @param {Model} model @param {Play} more */
const played = (model, more) => ({ played: { ...playOf(model), ...more } });

/** Draw what the number of tasks is guessed with. @param {Model} model @param {Asked} asked */
const drawGuess = (model, { total, start }) =>
  guessing(
    { guess: playOf(model).guess, total, start },
    (guess) => set(model, played(model, { guess })),
    button("Show the tasks", turn(model, FOUND, played(model, { shown: true })), {
      class: "al-main",
    }),
  );

/** Draw a square for each task, and what the looks mean. @param {Squares} looks */
const drawSquares = (looks) => [
  div(
    { class: "al-study-squares", "aria-hidden": "true" },
    looks.map(([look, count]) => Array.from({ length: count }, () => span(`al-study-${look}`))),
  ),
  p(
    "al-legend",
    looks.map(([look, count, words]) =>
      span("", span(`al-key al-study-${look}`), `${count} ${words}`),
    ),
  ),
];

/** Draw how often each difference came up in the tosses, between the measured one on both sides.
 * @param {Coins} coins */
const drawTosses = ({ bars, mark }) =>
  div(
    { "aria-hidden": "true" },
    div(
      "al-study-tosses",
      bars.map((count) => h("i", { style: `--part: ${count / Math.max(...bars)}` })),
    ),
    div(
      "al-head al-note",
      [`${mark} more lost`, "equal", `${mark} more gained`].map((one) => span("", one)),
    ),
  );

/** @param {Model} model @param {Coins} coins */
const drawCoins = (model, coins) =>
  playOf(model).tossed
    ? [
        drawTosses(coins),
        p({ class: "al-study-tossed", tabindex: -1, role: "status" }, emphasised(coins.told)),
      ]
    : [
        p("", emphasised(coins.asked)),
        div(
          "al-transport",
          button(coins.press, turn(model, ".al-study-tossed", played(model, { tossed: true })), {
            class: "al-main",
          }),
        ),
      ];

/** @param {Model} model @param {Scene} scene */
const drawFound = (model, scene) => {
  const { guess } = playOf(model);
  return [
    p(
      { class: "al-study-found", tabindex: -1, role: "status" },
      emphasised(scene.found),
      guess !== undefined && ` You said ${guess}.`,
    ),
    drawSquares(scene.squares),
    scene.told && p("", emphasised(scene.told)),
    scene.coins && drawCoins(model, scene.coins),
  ];
};

export default view((model) => {
  /** @type {Scene} */
  const scene = model.get("state");
  const { title, lede, source, asked, guess } = scene;
  const { shown } = playOf(model);
  return card(
    title,
    { class: "al-study", model },
    h("h2", {}, title),
    shown || p("", emphasised(lede)),
    p("", emphasised(asked)),
    shown ? drawFound(model, scene) : [drawGuess(model, guess), p("al-note", source)],
  );
});
