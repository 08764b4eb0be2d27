// The rounds of a run as a tape, for ten rounds or a thousand: an overview, and a slider. A frame is
// over the rounds that the model sees.

import { slide, slider } from "./components.js";
import { draggable, pointerIn, press } from "./input.js";
import { go } from "./player_facts.js";
import { legend, tape, windowFrame } from "./tape.js";

/** @param {Shown} shown */
export const timeline = (shown) => {
  const { model, frame, row, last } = shown;
  /** @type {Scale} */
  const scale = { label: "Rounds", value: row, range: [0, last], words: frame.said };
  return slider(
    scale,
    {
      class: "al-timeline al-home",
      style: `max-width: ${Math.max(last, 1) * 2}em`,
      onkeydown: press(slide(scale, (to) => go(model, to), 1)),
      ...draggable((event) => go(model, Math.max(1, Math.ceil(pointerIn(event).across * last)))),
    },
    drawTape(shown),
  );
};

/** Draw the rounds that were shown, and the window of the chosen one. @param {Shown} shown */
const drawTape = ({ frames, frame, row, reached, window, finished }) => {
  const rounds = frames.slice(1);
  const isSeen = (/** @type {Frame} */ { number }) => number >= frame.view.from && number < row;
  const [start, end] = [rounds.findIndex(isSeen), rounds.findLastIndex(isSeen) + 1];
  const hasFrame = window !== null && end > 0;
  return tape(
    lettersOf(rounds),
    {
      isFinished: finished,
      steps: stepsOf(rounds),
      reached,
      seenFrom: hasFrame ? start : 0,
      chosen: row,
    },
    hasFrame && windowFrame(start, end),
  );
};

/** Draw what the squares mean that were shown. @param {Shown} shown */
export const drawLegend = ({ frames, reached, kinds, window }) => {
  const rounds = frames.slice(1, reached + 1);
  return legend(lettersOf(rounds), stepsOf(rounds), kinds, window !== null);
};

/** @param {Frame[]} rounds */
const lettersOf = (rounds) =>
  rounds.map(({ cell, reminded }) => (reminded ? cell.toUpperCase() : cell)).join("");

/** Return a digit for each round: how many steps it finished. @param {Frame[]} rounds */
const stepsOf = (rounds) => rounds.map(({ steps }) => Math.min(steps, 9)).join("");
