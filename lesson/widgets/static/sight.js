// The model's context window, drawn: what was sent for a round, and how much of it the model sees.

import { div, h, span } from "./dom.js";
import { messageInALine } from "./messages.js";
import { hidden, keys, plural } from "./parts.js";
import { isPrompt, lastPlanBefore, sentFor } from "./run.js";

/**
 * @import { Message, Run } from "./run.js"
 * @typedef {{ message: Message, step: number }} Sent
 */

const MOST_LINES = 120;

/**
 * What the model saw when it was asked for step `at`: the first step of which it saw a message,
 * how many messages it saw and was sent, and where the newest plan was then.
 * @param {Run} run
 * @param {number} at
 */
export const sightOf = (run, at) => {
  const sent = sentFor(run, at);
  // It sees the newest prompt and the last `window` messages; all of them, if that is unknown.
  const begins = run.window === null ? 0 : Math.max(0, sent.length - run.window);
  const isSeen = (/** @type {Sent} */ { message }, /** @type {number} */ place) =>
    place >= begins || isPrompt(message);
  const plan = lastPlanBefore(run, at);
  const planIsSeen = sent.some((one, place) => one.step === plan && isSeen(one, place));
  return {
    sent,
    isSeen,
    isLimited: run.window !== null,
    firstStep: sent[begins]?.step ?? 0,
    hidden: sent.filter((one, place) => !isSeen(one, place)).length,
    plan,
    planIsSeen,
  };
};

/**
 * @param {ReturnType<typeof sightOf>} sight
 * @param {number | null} windowSize
 */
const inWords = ({ sent, hidden: unseen, plan, planIsSeen }, windowSize) => {
  const count = plural(sent.length, "message");
  if (windowSize === null) return `${count}.`;
  if (sent.length < 2) return "The model sees the task.";
  return [
    unseen
      ? `The model sees the task and the last ${windowSize} of ${count}.`
      : `The model sees all of ${count}.`,
    plan >= 0 &&
      div(
        planIsSeen ? "" : "al-lost",
        planIsSeen ? "■ Its plan is in sight." : "□ Its plan is out of sight.",
      ),
  ];
};

/**
 * The messages of a request, a line each: what the model sees is in brackets, the rest is faded.
 * @param {Run} run
 * @param {number} at
 */
export const drawSight = (run, at) => {
  const sight = sightOf(run, at);
  const first = Math.max(0, sight.sent.length - MOST_LINES);
  return div(
    "al-sight",
    div("al-pane-title", at === 0 ? "What will be sent" : `Sent for round ${at}`),
    div("al-sight-words", inWords(sight, run.window)),
    h(
      "div",
      {
        class: "al-sight-lines al-scroll",
        role: "region",
        tabindex: 0,
        "aria-label": "The messages that were sent",
        "data-follow": "end",
        ...keys,
      },
      first > 0 && div("al-sight-more", `… ${first.toLocaleString("en")} earlier`),
      h(
        "ol",
        {},
        sight.sent.slice(first).map((one, index) => drawLine(sight, one, first + index)),
      ),
    ),
  );
};

/**
 * @param {ReturnType<typeof sightOf>} sight
 * @param {Sent} one
 * @param {number} place
 */
const drawLine = (sight, one, place) => {
  const { text, hasPlan, hasReminder } = messageInALine(one.message);
  const isSeen = sight.isSeen(one, place);
  const classes = ["al-sight-line", `al-role-${one.message.role}`];
  if (sight.isLimited) classes.push(isSeen ? "al-seen" : "al-unseen");
  if (hasPlan) classes.push("al-has-plan");
  return h(
    "li",
    { class: classes.join(" ") },
    h("span", { class: "al-sight-mark", "aria-hidden": "true" }, markOf(hasPlan, hasReminder)),
    hidden(isSeen ? "" : "out of sight: ", `${one.message.role}: `),
    span("al-sight-text", text || "…"),
  );
};

/** @param {boolean} hasPlan @param {boolean} hasReminder */
const markOf = (hasPlan, hasReminder) => {
  if (hasPlan) return "■";
  return hasReminder ? "▼" : "";
};
