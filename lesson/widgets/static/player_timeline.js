// The rounds of a run as a row of cells, for ten rounds or a thousand: an overview, and a slider.
// Below the cells is a bracket under the rounds that the model sees.

import { slide, slider } from "./components.js";
import { span } from "./dom.js";
import { draggable, pointerIn, press } from "./input.js";
import { go } from "./player_facts.js";
import { drawCells } from "./strip.js";

/** @param {Shown} shown */
export const timeline = (shown) => {
  const { model, frame, row, last, window } = shown;
  /** @type {Scale} */
  const scale = { label: "Rounds", value: row, range: [0, last], words: frame.said };
  return slider(
    scale,
    {
      class: ["al-strip al-home", window !== null && "al-strip-window"],
      style: `max-width: ${Math.max(last, 1) * 2.4}em`,
      onkeydown: press(slide(scale, (to) => go(model, to), 1)),
      ...draggable((event) => go(model, Math.max(1, Math.ceil(pointerIn(event).across * last)))),
    },
    drawStrip(shown),
  );
};

/** Draw the cells of the rounds that were shown, with a mark after each one that was reminded, and a
 * bracket below the rounds that the model sees. @param {Shown} shown */
const drawStrip = ({ frames, frame, row, last, reached, window, finished }) => {
  const rounds = frames.slice(1);
  const isSeen = (/** @type {Frame} */ { number }) => number >= frame.view.from && number < row;
  const [start, end] = [rounds.findIndex(isSeen), rounds.findLastIndex(isSeen) + 1];
  const percent = (/** @type {number} */ place) => `${((100 * place) / last).toFixed(3)}%`;
  const place = `left: ${percent(start)}; width: ${percent(end - start)}`;
  const cells = rounds.map(({ cell, number }) => (number <= reached ? cell : "?")).join("");
  return [
    drawCells(cells, finished, row),
    rounds.map(
      ({ reminded, number }) =>
        reminded &&
        number <= reached &&
        span({ class: "al-reminded", style: `left: ${percent(number)}` }),
    ),
    window !== null &&
      end > 0 &&
      span({ class: "al-bracket", style: place }, span({}, "what it sees")),
  ];
};
