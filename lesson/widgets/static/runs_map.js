// The map next to the strips: it has the same rows, and the window grows to the right. The slider of
// the window is the vertical line through it.

import { plural, slide, slider } from "./components.js";
import { div, h, svg } from "./dom.js";
import { draggable, pointerIn, press } from "./keyboard.js";
import { choose, factsOf, isFinished } from "./runs_facts.js";

const TICKS = [4, 12, 20, 28, 36, 48];

/** @param {Model} model @param {() => void} open what Enter and a double click do */
export const map = (model, open) => {
  const [low, high] = model.get("state").windows;
  const { size, row, rows, run, name, shortNames: names } = factsOf(model);
  const place = (/** @type {number} */ value) => ((value - low + 0.5) / (high - low + 1)) * 100;
  const count = rows.length;
  const isNamed = (/** @type {number} */ n) => n === 0 || n % 5 === 4 || rows[n] === null;
  /** @type {Scale} */
  const scale = {
    label: "Window: the messages that the model sees",
    value: size,
    range: [low, high],
    words: `${plural(size, "message")}: ${run?.outcome ?? "not measured yet"}, ${name}`,
  };
  return div(
    "al-runs-map-side",
    div(
      "al-runs-map-head",
      h(
        "span",
        { class: place(size) > 50 ? "al-runs-map-left" : null, style: `left: ${place(size)}%` },
        plural(size, "message"),
      ),
    ),
    // In a narrow card the strips are not beside the map: then it has names of its own.
    h(
      "div",
      { class: "al-runs-map-rows", "aria-hidden": "true" },
      names.map((words, n) =>
        h("span", { style: `top: ${((n + 0.5) / count) * 100}%` }, isNamed(n) && words),
      ),
    ),
    slider(
      scale,
      {
        class: "al-runs-map",
        onkeydown: press({
          ...slide(scale, (to) => choose(model, { size: to })),
          ArrowUp: () => choose(model, { row: row - 1 }),
          ArrowDown: () => choose(model, { row: row + 1 }),
          Enter: open,
        }),
        ...draggable((event) => choosePlace(model, event)),
        ondblclick: open,
      },
      drawMap(model.get("columns"), low, high, count),
      h("span", { class: "al-runs-map-line", style: `left: ${place(size)}%` }),
      h("span", {
        class: "al-runs-map-mark",
        style: `left: ${place(size)}%; top: ${((row + 0.5) / count) * 100}%`,
      }),
    ),
    h(
      "div",
      { class: "al-runs-map-ticks", "aria-hidden": "true" },
      TICKS.map((tick) => h("span", { style: `left: ${place(tick)}%` }, String(tick))),
    ),
    div("al-note al-runs-map-key", measuring(model, high - low + 1)),
  );
};

/** All measured runs: a line of the map for each row, and the edge between those that finish and
 * those that do not.
 * @param {Record<string, Column>} columns by window
 * @param {number} low
 * @param {number} high
 * @param {number} count how many rows there are */
const drawMap = (columns, low, high, count) => {
  const paths = { good: "", bad: "", stairs: "" };
  let before = -1;
  for (let row = 0; row < count; row += 1) {
    let first = -1;
    for (let size = low; size <= high; size += 1) {
      const run = columns[size]?.runs[row];
      if (!run) continue;
      const isGood = isFinished(run);
      if (isGood && first < 0) first = size - low;
      paths[isGood ? "good" : "bad"] += `M${size - low} ${row + 0.04}h1.02v.92h-1.02z`;
    }
    if (first >= 0) paths.stairs += `${before < 0 ? "M" : "L"}${first} ${row}V${row + 1}`;
    before = first;
  }
  return svg(
    "al-svg",
    [0, 0, high - low + 1, count],
    Object.entries(paths).map(([look, d]) => h("path", { class: `al-runs-map-${look}`, d })),
  );
};

/** Return what the colours mean, or the progress of the map until it is complete.
 * @param {Model} model @param {number} sizes how many windows */
const measuring = (model, sizes) => {
  const [done, count] = [Object.keys(model.get("columns")).length, factsOf(model).rows.length];
  const isLive = model.get("playable") === undefined;
  if (done >= sizes || !isLive)
    return [
      h("span", {}, h("i", { class: "al-runs-map-key-good" }), "all steps done"),
      h("span", {}, h("i", {}), "work is left"),
    ];
  return `${done * count} runs, measured on your machine`;
};

/** Choose a run on a press; move only the line on a drag. @param {Model} model
 * @param {PointerEvent} event */
const choosePlace = (model, event) => {
  const [low, high] = model.get("state").windows;
  const { across, down } = pointerIn(event);
  const size = low + Math.floor(across * (high - low + 1));
  const row = Math.floor(down * factsOf(model).rows.length);
  choose(model, event.type === "pointerdown" ? { size, row } : { size });
};
