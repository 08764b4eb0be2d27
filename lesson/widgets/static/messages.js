// Messages in the API's format, in full.

import { fold } from "./components.js";
import { div, h, span, strong } from "./dom.js";
import { blocksOf } from "./player_facts.js";

/**
 * A piece of text in a block, with its name if it has one.
 * @typedef {{ name: string, text: string }} Piece
 */

const FOLDED_LINES = 8;
const PREVIEW_LINES = 5;
const REMINDER = /<(system[-_])?reminder>/i;

/** @param {unknown} value */
const asText = (value) => {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map((one) => JSON.stringify(one)).join("\n") || "[]";
  return JSON.stringify(value) ?? "";
};

/** @param {string} text @returns {Piece} */
const spoken = (text) => ({ name: REMINDER.test(text) ? "reminder" : "", text });

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
  const { type, ...rest } = block; // of another type, such as thinking
  return Object.entries(rest).map(([name, value]) => ({ name, text: asText(value) }));
};

/** @param {Piece} piece */
const drawPiece = ({ name, text }) => {
  const lines = text.split("\n");
  return div(
    ["al-part", name === "reminder" && "al-is-reminder"],
    name && span("al-part-name", name),
    lines.length <= FOLDED_LINES
      ? h("pre", { class: "al-pre" }, text)
      : fold(lines.slice(0, PREVIEW_LINES).join("\n"), text),
  );
};

/** Draw how a call changed the list, in place of its JSON. @param {Changes} changes */
const drawChanges = ({ title, lines }) =>
  div(
    "al-changes",
    strong(title),
    lines.map(([look, text]) =>
      look === "gone" ? h("s", { class: "al-muted" }, text) : div(look && "al-lost", text),
    ),
  );

/** Draw a block; a call that changed the list is shown as its `changes`.
 * @param {Block} block @param {Changes | null} [changes] */
const drawBlock = (block, changes) =>
  div(
    `al-block al-type-${block.type === "text" ? "text" : "other"}`,
    div("al-type", h("code", {}, block.type), strong(block.name, block.is_error && "is_error")),
    changes ? drawChanges(changes) : piecesOf(block).map(drawPiece),
  );

/** Draw a message in full. Different keys make different elements, so none stays unfolded.
 * @param {Message} message @param {string} key
 * @param {(Changes | null)[]} [changes] how each of its calls changed the list */
export const drawMessage = (message, key, changes = []) => {
  const blocks = blocksOf(message);
  const calls = blocks.filter(({ type }) => type === "tool_use");
  return div(
    { class: `al-message al-role-${message.role}`, key },
    div("al-role", message.role),
    blocks.map((block) => drawBlock(block, changes[calls.indexOf(block)])),
  );
};
