// The messages of a window, large enough to read, and the edge between those that the model sees and
// those that it does not see any more. All styles are in column.css.

import { li } from "./dom.js";

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

/** Draw a message, large enough to read, as an item of a list.
 * @param {Look} look @param {Record<string, any>} props @param {...Child} content */
export const drawPlace = (look, props, ...content) =>
  li({ ...props, class: ["al-place", `al-place-${look}`].concat(props.class) }, content);

/** Draw the edge between such messages. @param {...Child} words */
export const drawEdge = (...words) => li("al-edge", words);
