// Messages in the API's format: in full, and each on one line.

import { fold, keys, plural } from "./components.js";
import { div, h, span } from "./dom.js";
import { blocksOf } from "./run.js";

/**
 * @import { Block, Changes, Message } from "./run.js"
 *
 * A piece of text in a block, with its name if it has one.
 * @typedef {{ name: string, text: string }} Piece
 */

/** @param {Block} block */
const isPlan = ({ type, name }) => type === "tool_use" && /todo/i.test(name);

const FOLDED_LINES = 8;
const PREVIEW_LINES = 5;
const REMINDER = "<reminder>";
const LINE_LENGTH = 90; // characters

/** @param {unknown} value */
const asText = (value) => {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map((one) => JSON.stringify(one)).join("\n") || "[]";
  return JSON.stringify(value) ?? "";
};

/** @param {string} text @returns {Piece} */
const spoken = (text) => ({ name: text.includes(REMINDER) ? "reminder" : "", text });

/** @param {Block} block @returns {Piece[]} */
const piecesOf = (block) => {
  if (block.type === "text") return [spoken(asText(block.text ?? ""))];
  if (block.type === "tool_use") {
    const given = Object.entries(block.input ?? {});
    return given.map(([name, value]) => ({ name, text: asText(value) }));
  }
  if (block.type === "tool_result") {
    const parts = Array.isArray(block.content) ? block.content : [{ text: block.content ?? "" }];
    return parts.map((part) => spoken(asText(part.text ?? part)));
  }
  return [{ name: "", text: asText(block) }];
};

/** @param {Block} block */
const noteOf = ({ type, name, is_error }) => {
  if (type === "tool_use") return `${name ?? ""}`;
  return type === "tool_result" && is_error ? "is_error" : "";
};

/** @param {Piece} piece */
const drawPiece = ({ name, text }) => {
  const lines = text.split("\n");
  return div(
    name === "reminder" ? "al-part al-is-reminder" : "al-part",
    name && span("al-part-name", name),
    lines.length <= FOLDED_LINES
      ? h("pre", { class: "al-pre" }, text)
      : fold(lines.slice(0, PREVIEW_LINES).join("\n"), text),
  );
};

/** @param {string} text */
const inALine = (text) =>
  text
    .slice(0, 4 * LINE_LENGTH)
    .replaceAll(/\s+/g, " ")
    .slice(0, LINE_LENGTH);

/** @type {Record<string, string>} */
const MARKS = { completed: "✓", in_progress: "▸", pending: "○" };

/** Draw how a call changed the list, in place of its JSON. @param {Changes} changes */
const drawChanges = ({ before, after, lines, gone }) =>
  div(
    "al-changes",
    h("strong", {}, before > 0 ? `${before} → ${plural(after, "item")}` : plural(after, "item")),
    lines.map(([status, text, isNew]) =>
      div(
        isNew && before > 0 ? "al-new" : "",
        isNew && before > 0 ? "+ " : `${MARKS[status] ?? "?"} `,
        text,
      ),
    ),
    lines.length + gone.length === 0 && div("", "the same list again"),
    gone.length > 0 && [
      div("al-new", `${plural(gone.length, "item")} gone:`),
      gone.map((text) => h("s", {}, text)),
    ],
  );

/** Draw a block. Parts that `other` also has are on one line; a list call is shown as `changes`.
 * @param {Block} block @param {Block} [other] @param {Changes | null} [changes] */
const drawBlock = (block, other, changes) => {
  const others = other ? piecesOf(other).map(({ text }) => text) : [];
  const draw = (/** @type {Piece} */ piece) =>
    others.includes(piece.text)
      ? div("al-shared-piece", `the same in both: ${inALine(piece.text)}`)
      : drawPiece(piece);
  return div(
    `al-block al-type-${block.type === "text" ? "text" : "other"}`,
    div("al-type", h("code", {}, block.type), h("strong", {}, noteOf(block))),
    changes && isPlan(block) ? drawChanges(changes) : piecesOf(block).map(draw),
  );
};

/** Draw a message in full. Different keys make different elements, so none stays unfolded. What it
 * has in common with an `other` message is in a line.
 * @param {Message} message @param {string} key @param {Message} [other]
 * @param {Changes | null} [changes] */
export const drawMessage = (message, key, other, changes) =>
  h(
    "div",
    { class: `al-message al-role-${message.role}`, key },
    div("al-role", message.role),
    blocksOf(message).map((block, n) => drawBlock(block, other && blocksOf(other)[n], changes)),
    h(
      "details",
      { class: "al-json" },
      h("summary", { ...keys, class: "al-note" }, "as JSON"),
      h("pre", { class: "al-pre" }, JSON.stringify(message, null, 2)),
    ),
  );

/** Draw a message on one line, calls and results first, and whether it carries a plan or a
 * reminder.
 * @param {Message} message */
export const messageInALine = (message) => {
  const blocks = blocksOf(message);
  const words = blocks
    .toSorted((one, other) => Number(one.type === "text") - Number(other.type === "text"))
    .map((block) => {
      if (block.type === "tool_use") {
        const { path, command } = block.input ?? {};
        return `${block.name} ${path ?? command ?? ""}`.trim();
      }
      if (block.type === "tool_result") return piecesOf(block)[0]?.text ?? "";
      return block.type === "text" ? `${block.text ?? ""}` : block.type;
    });
  return {
    text: inALine(words.join(" · ")),
    hasPlan: blocks.some(isPlan),
    hasReminder: blocks.some((block) => piecesOf(block).some(({ name }) => name === "reminder")),
  };
};

/** Return whether two messages are the same except for the ids of their calls.
 * @param {Message | undefined} one @param {Message | undefined} other */
export const isSameMessage = (one, other) => withoutIds(one) === withoutIds(other);

/** @param {Message | undefined} message */
const withoutIds = (message) =>
  JSON.stringify(message, (name, value) => (IDS.includes(name) ? undefined : value));

const IDS = ["id", "tool_use_id"];

/** Draw a message that both runs have: a line that can be opened.
 * @param {Message} message @param {string} key */
export const drawShared = (message, key) =>
  h(
    "details",
    { class: "al-shared", key },
    h("summary", keys, `${message.role}, the same in both: ${messageInALine(message).text}`),
    drawMessage(message, key),
  );
