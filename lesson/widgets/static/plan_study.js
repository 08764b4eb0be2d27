// The study of five lines of plan: a guess, a square for each task, a coin for each that was
// gained or lost, and all results. What is asked and told is made in Python.

import { button, card, emphasised, hidden, slide, slider } from "./components.js";
import { b, div, h, p, span, strong } from "./dom.js";
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
 * @typedef {{ group: string, name: string, tasks: number, gained: number, lost: number,
 *   p: string }} Row
 *
 * A scene asks for a number (`guess`), or shows `rows` at once.
 * @typedef {{ name: string, asked: string, found: string, told: string, next?: string,
 *   guess?: { total: number, start: number, answer: number }, squares: Squares, coins?: Coins,
 *   rows?: Row[], notes?: string[] }} Scene
 *
 * What the reader did in a scene.
 * @typedef {{ guess?: number, shown?: boolean, tossed?: boolean }} Play
 */

const FOUND = ".al-study-found"; // takes the focus when a scene is answered

/** @param {Model} model @param {Scene} scene @returns {Play} */
const playOf = (model, { name }) => model.get("played")[name] ?? {};

/** Return what the reader did so far, with more of a scene.
 * @param {Model} model @param {Scene} scene @param {Play} more */
const played = (model, scene, more) => ({
  played: { ...model.get("played"), [scene.name]: { ...playOf(model, scene), ...more } },
});

/** Draw the bar on which a number is guessed; once it is shown, also the answer.
 * @param {Model} model @param {Scene} scene @param {{ total: number, start: number, answer: number }} asked */
const drawGuess = (model, scene, { total, start, answer }) => {
  const { guess, shown } = playOf(model, scene);
  const value = guess ?? start;
  const go = (/** @type {number} */ to) =>
    set(model, played(model, scene, { guess: clamp(to, 0, total) }));
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
      button("Show the tasks", turn(model, FOUND, played(model, scene, { shown: true })), {
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

/** @param {Model} model @param {Scene} scene @param {Coins} coins */
const drawCoins = (model, scene, coins) =>
  playOf(model, scene).tossed
    ? [
        drawTosses(coins),
        p({ class: "al-study-tossed", tabindex: -1, role: "status" }, emphasised(coins.told)),
      ]
    : [
        p("", emphasised(coins.asked)),
        div(
          "al-transport",
          button(
            coins.press,
            turn(model, ".al-study-tossed", played(model, scene, { tossed: true })),
            { class: "al-main" },
          ),
        ),
      ];

/** Draw all results: what was lost to the left, what was gained to the right. @param {Row[]} rows */
const drawRows = (rows) => {
  const most = Math.max(...rows.flatMap(({ gained, lost }) => [gained, lost]));
  const half = (/** @type {string} */ look, /** @type {number} */ tasks) =>
    span({ class: `al-study-${look}`, style: `width: ${(tasks / most) * 100}%` });
  const heads = ["Model", "lost | gained", "gained : lost", "luck alone"];
  return div(
    { class: "al-scroll", tabindex: 0 },
    h(
      "table",
      { class: "al-table al-study-rows" },
      h(
        "tr",
        {},
        heads.map((words) => h("th", { scope: "col" }, words)),
      ),
      rows.map((row, n) => [
        row.group !== rows[n - 1]?.group &&
          h("tr", {}, h("th", { scope: "rowgroup", colspan: heads.length }, strong(row.group))),
        h(
          "tr",
          {},
          h("th", { scope: "row" }, row.name, " ", span("al-note", `${row.tasks} tasks`)),
          h(
            "td",
            { "aria-hidden": "true" },
            div("al-study-ways", half("lost", row.lost), half("gained", row.gained)),
          ),
          h("td", {}, b(row.gained, hidden(" gained"), " : ", row.lost, hidden(" lost"))),
          h("td", {}, row.p),
        ),
      ]),
    ),
  );
};

/** @param {Model} model @param {Scene} scene */
const drawFound = (model, scene) => {
  const { guess } = playOf(model, scene);
  return [
    p(
      { class: "al-study-found", tabindex: -1, role: "status" },
      emphasised(scene.found),
      guess !== undefined && ` You said ${guess}.`,
    ),
    drawSquares(scene.squares),
    scene.told && p("", emphasised(scene.told)),
    scene.coins && drawCoins(model, scene, scene.coins),
  ];
};

export default view((model) => {
  const { title, lede, source, scenes } = model.get("state");
  const at = model.get("at");
  /** @type {Scene} */
  const scene = scenes[at];
  const { shown, tossed } = playOf(model, scene);
  const isFirst = at === 0 && !shown;
  const isDone = shown && (tossed || !scene.coins);
  const go = (/** @type {number} */ to) => turn(model, ".al-study-title", { at: to });
  return card(
    title,
    { class: "al-study", model },
    div(
      "al-head",
      h("h2", { class: "al-study-title", tabindex: -1 }, title),
      scenes.length > 1 && span("al-note", `${at + 1} of ${scenes.length}`),
    ),
    div(
      { key: at, class: "al-study-scene" },
      isFirst && p("", emphasised(lede)),
      p("", emphasised(scene.asked)),
      scene.guess && drawGuess(model, scene, scene.guess),
      scene.rows && [
        drawRows(scene.rows),
        p("", emphasised(scene.told)),
        scene.notes?.map((words) => p("al-note", emphasised(words))),
      ],
      shown && drawFound(model, scene),
      div(
        "al-transport",
        at > 0 && button("Back", go(at - 1)),
        isDone &&
          scene.next &&
          at + 1 < scenes.length &&
          button(scene.next, go(at + 1), { class: "al-main" }),
      ),
      (isFirst || scene.rows) && p("al-note", source),
    ),
  );
});
