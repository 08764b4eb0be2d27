// The study of five lines of plan: a guess, a square for each task, and a coin for each that was
// gained or lost. What is asked and told is made in Python.

import { button, card, emphasised, slide, slider } from "./components.js";
import { b, div, h, p, span } from "./dom.js";
import { clamp, draggable, pointerIn, press } from "./input.js";
import { set, turn, view } from "./view.js";

/**
 * The looks of squares: how many, and what they mean.
 * @typedef {[string, number, string][]} Squares
 *
 * The tosses: how often each difference came up, the difference that was measured, and sentences.
 * @typedef {{ asked: string, press: string, bars: [number, number][], mark: number,
 *   told: string }} Coins
 *
 * @typedef {{ title: string, lede: string, source: string, asked: string, found: string,
 *   told: string, guess: Asked, squares: Squares, coins?: Coins }} Scene
 * @typedef {{ total: number, start: number, answer: number }} Asked
 *
 * What the reader did.
 * @typedef {{ guess?: number, shown?: boolean, tossed?: boolean }} Play
 */

const FOUND = ".al-study-found"; // takes the focus when a scene is answered

/** @param {Model} model @returns {Play} */
const playOf = (model) => model.get("played");

/** Return what the reader did so far, and more. @param {Model} model @param {Play} more */
const played = (model, more) => ({ played: { ...playOf(model), ...more } });

/** Draw the bar on which a number is guessed; once it is shown, also the answer.
 * @param {Model} model @param {Asked} asked */
const drawGuess = (model, { total, start, answer }) => {
  const { guess, shown } = playOf(model);
  const value = guess ?? start;
  const go = (/** @type {number} */ to) =>
    set(model, played(model, { guess: clamp(to, 0, total) }));
  const at = (/** @type {number} */ tasks) => `left: ${(tasks / total) * 100}%`;
  const before = span({ class: "al-study-before", style: `width: ${(start / total) * 100}%` });
  const handle = span({ class: "al-study-handle", style: at(value) });
  if (shown) {
    const found = span({ class: "al-study-answer", style: at(answer) });
    const look = { class: "al-study-bar al-study-told", "aria-hidden": "true" };
    return div(look, before, found, guess !== undefined && handle);
  }
  /** @type {Scale} */
  const scale = {
    label: "Your guess: how many tasks",
    value,
    range: [0, total],
    words: guess === undefined ? "no guess yet" : `${guess} of ${total}`,
  };
  return [
    slider(
      scale,
      {
        class: "al-study-bar",
        onkeydown: press(slide(scale, go)),
        ...draggable((event) => go(Math.round(pointerIn(event).across * total))),
      },
      before,
      handle,
    ),
    div(
      "al-transport",
      p(
        "al-study-hint",
        guess === undefined ? "Drag the line, or use the arrow keys." : b(`You say ${guess}.`),
      ),
      button("Show the tasks", turn(model, FOUND, played(model, { shown: true })), {
        class: "al-main",
      }),
    ),
  ];
};

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

/** Draw how often each difference came up in the tosses, with the measured one marked on both sides.
 * @param {Coins} coins */
const drawTosses = ({ bars, mark }) => {
  const most = Math.max(...bars.map(([, count]) => count));
  const end = 1.35 * Math.max(mark, ...bars.map(([difference]) => Math.abs(difference)));
  const at = (/** @type {number} */ difference) => ((difference + end) / (2 * end)) * 100;
  const marks = mark ? [-mark, 0, mark] : [0];
  return div(
    { class: "al-study-tosses", "aria-hidden": "true" },
    bars.map(([difference, count]) =>
      h("i", {
        class: Math.abs(difference) >= mark ? "al-study-tail" : "",
        style: `left: ${at(difference)}%; width: ${180 / (2 * end)}%; --part: ${count / most}`,
      }),
    ),
    marks.map((difference) =>
      span(
        { class: difference ? "al-study-mark" : "", style: `left: ${at(difference)}%` },
        difference > 0 ? `${mark} more gained` : difference ? `${mark} more lost` : "equal",
      ),
    ),
  );
};

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
    drawGuess(model, guess),
    shown ? drawFound(model, scene) : p("al-note", source),
  );
});
