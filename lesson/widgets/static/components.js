// The parts that several widgets share. Each takes plain data and returns a tree.

import { div, h, p, span, strong } from "./dom.js";
import { clamp, draggable, elementOf, press, widgetOf } from "./input.js";
import { isPresented, togglePresented } from "./presentation.js";

// The notebook has its own shortcuts for arrows, Enter and letters; this attribute disables them.
export const keys = { "data-lm-suppress-shortcuts": "true" };

/** Draw the frame of a widget. With its `model`, it can be presented.
 * @param {string} label @param {Record<string, any>} props @param {...Child} children */
export const card = (label, { model, ...props }, ...children) =>
  div(
    {
      role: "group",
      "aria-label": label,
      ...props,
      class: ["agentlib", props.class, model && isPresented(model) && "al-stage"],
    },
    model && div("al-foot", presentSwitch(model)),
    children,
  );

/** @param {Model} model */
const presentSwitch = (model) =>
  button(
    isPresented(model) ? "leave (Esc)" : "full screen",
    (event) => togglePresented(model, widgetOf(event)),
    {
      class: "al-switch",
      title: "Large type for a class. Arrow keys or a presenter's remote step.",
    },
  );

/** Words for readers who do not see the picture. @param {...Child} words */
export const hidden = (...words) => span("al-hidden", words);

/** Draw content that is folded until its label is pressed.
 * @param {Child} label @param {...Child} content */
export const folded = (label, ...content) => h("details", {}, h("summary", keys, label), content);

/** Draw long text: a part of it, and all of it when it is opened.
 * @param {string} part @param {string} text */
export const fold = (part, text) =>
  h(
    "details",
    { class: "al-fold" },
    h(
      "summary",
      keys,
      h("pre", { class: "al-pre al-preview" }, part),
      span("al-more-lines", `… all ${text.split("\n").length} lines`),
    ),
    h("pre", { class: "al-pre" }, text),
  );

/** Return a sentence with its *marked* part emphasised. @param {string} sentence */
export const emphasised = (sentence) =>
  sentence.split("*").map((part, n) => (n % 2 ? strong(part) : part));

/** Say whether an answer was right. @param {unknown} isRight @param {string} wrong */
export const verdict = (isRight, wrong) => strong(isRight ? "Right. " : wrong);

/** @param {number} count @param {string} word */
export const plural = (count, word) =>
  `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;

/** Return thousands of tokens. @param {number} tokens */
export const thousands = (tokens) => Math.round(tokens / 1000);

/** Draw a status line for the last event. It is also the live region; a quiet one is not.
 * @param {Child} words @param {boolean} [isQuiet] */
export const status = (words, isQuiet = false) =>
  p({ class: "al-status", role: "status", "aria-live": isQuiet ? "off" : null }, words);

/** Draw a button. A disabled one keeps its place and its focus.
 * @param {Child} label @param {(event: Event) => void} action
 * @param {Record<string, any>} [props] */
export const button = (label, action, { off = false, ...props } = {}) =>
  h(
    "button",
    {
      type: "button",
      ...keys,
      ...props,
      class: ["al-button", props.class],
      "aria-disabled": off ? "true" : null,
      onclick: off ? null : action,
    },
    label,
  );

/** Draw what a number is guessed with, and the button that shows the answer.
 * @param {{ guess?: number | null, total: number, start: number }} asked
 * @param {(guess: number) => void} change @param {Tree} show */
export const guessing = ({ guess, total, start }, change, show) =>
  div(
    "al-transport",
    h(
      "label",
      { class: "al-guess-of" },
      `Your guess: ${guess ?? "…"} of ${total}`,
      h("input", {
        type: "range",
        max: total,
        value: guess ?? start,
        ...keys,
        oninput: (/** @type {Event} */ event) =>
          change(Number(/** @type {HTMLInputElement} */ (event.target).value)),
      }),
    ),
    show,
  );

/** Draw an element that is a slider.
 * @param {Scale} scale @param {Record<string, any>} props @param {...Child} content */
export const slider = ({ label, value, range, words }, props, ...content) =>
  div(
    {
      role: "slider",
      tabindex: 0,
      ...keys,
      "aria-label": label,
      "aria-valuemin": range[0],
      "aria-valuemax": range[1],
      "aria-valuenow": value,
      "aria-valuetext": words,
      ...props,
    },
    content,
  );

/** Return what the keys of a slider do: `go` to another value.
 * @param {{ value: number, range: [number, number] }} scale
 * @param {(value: number) => void} go
 * @param {1 | -1} [down] what ArrowDown adds */
export const slide = ({ value, range }, go, down = -1) => ({
  ArrowDown: () => go(value + down),
  ArrowUp: () => go(value - down),
  ArrowRight: () => go(value + 1),
  ArrowLeft: () => go(value - 1),
  PageDown: () => go(value + down * 5),
  PageUp: () => go(value - down * 5),
  Home: () => go(range[0]),
  End: () => go(range[1]),
});

/** A drag: its start, the value at the start, and the pixels of one step then. */
let drag = { from: 0, value: 0, step: 1 };

/** Draw a slider that is dragged to the left or to the right: the edge of a window, or a reminder.
 * @param {Scale} scale
 * @param {(around: Element) => number} step returns the pixels of 1 in the element around the edge
 * @param {(value: number) => void} change
 * @param {Record<string, any>} props @param {...Child} content */
export const edge = (scale, step, change, props, ...content) => {
  const move = (/** @type {number} */ to) => change(clamp(to, ...scale.range));
  return slider(
    scale,
    {
      ...props,
      title: scale.label,
      onkeydown: press(slide(scale, move)),
      ...draggable((event) => {
        if (event.type === "pointerdown") {
          const pixels = step(/** @type {Element} */ (elementOf(event).parentElement));
          drag = { from: event.clientX, value: scale.value, step: pixels };
        } else move(drag.value + Math.round((event.clientX - drag.from) / drag.step));
      }),
    },
    content,
  );
};
