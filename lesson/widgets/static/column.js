// One column of the window: the messages of a request that the model sees, the newest at the
// bottom, and above the edge, dashed, the plan that has left the window.
//
//   drawColumn   draws one as SVG: the board
//   drawPlace    draws one of its messages with its content: the seat, the player
//   drawEdge     draws its edge between such messages
//
// The colours, and all other styles, are in column.css.

import { h, li, svg } from "./dom.js";

const MOST_ABOVE = 4; // messages above the edge: the plan is drawn for two rounds after it has left

/** The look of each letter of a column. @type {Record<string, Look>} */
const LOOKS_OF = { p: "plan", s: "short", w: "work", g: "ghost", ".": "removed" };

/** Return the look of a message. @param {string} [letter] see lesson/message_window.py */
export const lookOf = (letter = "w") => LOOKS_OF[letter.toLowerCase()];

/** Return the letters of the messages that were sent for a round, the newest first, as `column` in
 * lesson/message_window.py does; a test compares the two.
 * @param {string} cells a letter for each round of the run, see picture_letters.py
 * @param {number} size of the window, in messages
 * @param {number} round from 1 */
export const lettersOf = (cells, size, round) => {
  const sent = [...cells.slice(0, round - 1)].reverse().flatMap((cell) => {
    const kind = LISTS.includes(cell.toLowerCase()) ? cell.toLowerCase() : "w";
    return [cell === cell.toLowerCase() ? kind : kind.toUpperCase(), kind];
  });
  const [seen, above] = [sent.slice(0, size), sent.slice(size).join("").toLowerCase()];
  const isCut = above.length % 2 === 1; // the call of the oldest result that is seen has left
  if (isCut) seen.push(/[A-Z]/.test(seen.pop() ?? "") ? "W" : "w");
  const start = seen.some((letter) => letter.toLowerCase() === "p") ? -1 : above.indexOf("p");
  const end = start + (isCut && start === 0 ? 1 : 2);
  const rest = [...above].map((_, n) => (start >= 0 && n >= start && n < end ? "g" : "."));
  return [...seen, ...rest].join("");
};

const LISTS = ["p", "s"];

/** Return the messages of a column to draw. @param {string} letters @param {number} size */
export const placesOf = (letters, size) =>
  [...letters.slice(0, 2 * Math.ceil(size / 2) + MOST_ABOVE)]
    .map((letter, below) => ({
      below,
      look: lookOf(letter),
      hasReminder: letter !== letter.toLowerCase(),
    }))
    .filter(({ look }) => look !== "removed");

/** @param {Paths} paths @param {string} look @param {string} path */
export const addPath = (paths, look, path) => {
  paths[look] = (paths[look] ?? "") + path;
};

/** Draw those of the `looks` that there are, in this order.
 * @param {Paths} paths @param {Record<string, string>} looks their styles */
export const drawPaths = (paths, looks) =>
  Object.entries(looks)
    .filter(([look]) => paths[look])
    .map(([look, style]) => h("path", { style, d: paths[look] }));

const LOOKS = {
  empty: "fill: var(--empty)",
  work: "fill: var(--message)",
  short: "fill: var(--wash)",
  hatch: "stroke: var(--lost); stroke-width: 1.5",
  plan: "fill: var(--plan)",
  reminder: "fill: var(--reminder)",
  ghost: "stroke: var(--plan); stroke-dasharray: 2.5 2",
};

/** Draw the messages of columns. @param {Paths} paths */
export const drawMessages = (paths) => drawPaths(paths, LOOKS);

/** @param {number} value */
export const at = (value) => String(Math.round(value * 1000) / 1000);

/** Return a rectangle as a path.
 * @param {number} x @param {number} y @param {number} w @param {number} d */
export const box = (x, y, w, d) => `M${at(x)} ${at(y)}h${at(w)}v${at(d)}h${at(-w)}z`;

const HATCH_LINES = 3; // from the upper edge; as many less one from the right edge

/** Return diagonal lines in a rectangle as a path. @param {number} x @param {number} y
 * @param {number} w @param {number} d */
export const hatch = (x, y, w, d) =>
  Array.from({ length: 2 * HATCH_LINES - 1 }, (_, line) => {
    const across = (line + 1) / HATCH_LINES;
    const over = Math.max(across - 1, 0);
    const [near, far] = [over, across - over];
    return `M${at(x + near * w)} ${at(y + far * d)}L${at(x + far * w)} ${at(y + near * d)}`;
  }).join("");

/** Return the mark of a reminder as a path. @param {number} x @param {number} top
 * @param {number} width */
const mark = (x, top, width) =>
  `M${at(x + 0.5 - width / 2)} ${at(top + 0.9 - 1.5 * width)}h${width}l${-width / 2} ${1.5 * width}z`;

/** Add a column to `paths`.
 * @param {Paths} paths
 * @param {Seen[]} places
 * @param {number} size
 * @param {number} x the left end of the column; it is 1 wide, and a message is 1 high
 * @param {number} floor the lower end of the newest message */
export const addColumn = (paths, places, size, x, floor) => {
  const [left, width, height] = [x + 0.06, 0.88, 0.86];
  const seen = places.filter(({ look }) => look !== "ghost").length;
  if (seen < size) addPath(paths, "empty", box(left, floor - size, width, size - seen - 0.14));
  for (const { below, look, hasReminder } of places) {
    const top = floor - below - 1;
    addPath(paths, look, box(left, top + 0.07, width, height));
    if (look === "short") addPath(paths, "hatch", hatch(left, top + 0.07, width, height));
    if (hasReminder && below === 0) addPath(paths, "reminder", mark(x, top, 0.84));
  }
};

/** Draw the window of one request: the newest message is at the bottom.
 * @param {InView} view @param {number} size of the window, in messages */
export const drawColumn = (view, size) => {
  /** @type {Paths} */
  const paths = {};
  const places = placesOf(view.column.slice(0, size), size);
  for (const below of view.gone.length > 0 ? [size, size + 1] : [])
    places.push({ below, look: "ghost", hasReminder: false });
  addColumn(paths, places, size, 0, size);
  return svg(
    "al-svg al-column",
    [0, -2.2, 1, size + 2.2],
    drawMessages(paths),
    h("path", { style: "stroke: var(--ink); stroke-width: 3", d: "M-0.1 0h1.2" }),
  );
};

/** Draw a message, large enough to read, as an item of a list.
 * @param {Look} look @param {Record<string, any>} props @param {...Child} content */
export const drawPlace = (look, props, ...content) =>
  li({ ...props, class: ["al-place", `al-place-${look}`].concat(props.class) }, content);

/** Draw the edge between such messages. @param {...Child} words */
export const drawEdge = (...words) => li("al-edge", words);
