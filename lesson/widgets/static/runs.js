// The runs: the strips, the window of the chosen run, and why it ended as it did.
// All of it is drawn from runs that the page has; the kernel is asked only for what is not
// measured yet, and for a player.

import { button, card, emphasised, hidden } from "./components.js";
import { div, h, p, span } from "./dom.js";
import { elementOf } from "./keyboard.js";
import { shownOf } from "./run.js";
import { factsOf } from "./runs_facts.js";
import { strips } from "./runs_strips.js";
import { drawCells } from "./strip.js";
import { evidenceRows } from "./todo_list.js";
import { drawOpened, focusOn, NO_ANSWER, set, view } from "./view.js";
import { drawWindow } from "./window.js";

/** @param {Model} model @param {boolean} isLate @param {Host} host */
const draw = (model, isLate, host) => {
  const facts = factsOf(model);
  const isOpen = model.get("is_open");
  const act = () => (facts.asksBet ? placeBet(model) : open(model));
  return card(
    "Runs",
    { model, class: isOpen ? "al-runs-card al-runs-is-open" : "al-runs-card" },
    div("al-head", isOpen ? path(model, facts) : heading(model, facts)),
    div("al-runs-picture", strips(model, act), !isOpen && below(model, facts, act)),
    p({ class: "al-runs-note", role: "status", hidden: isOpen }, words(model, facts, isLate)),
    isOpen && div({ class: "al-runs-opened", drawn: player(model, host) }),
  );
};

/** Draw the title, or the question of a bet above its answers, and the kinds of rounds.
 * @param {Model} model @param {Facts} facts @returns {Child} */
const heading = (model, { asksBet, runs }) => {
  const { question, title, kinds } = model.get("state");
  if (asksBet) return span("al-title", question);
  const shown = runs.map((run) => run?.cells.toLowerCase() ?? "").join("");
  return [
    span("al-title", title),
    div(
      "al-legend",
      [..."pwdlfs"]
        .filter((kind) => shown.includes(kind))
        .map((kind) => span({}, drawCells(kind, true), kinds[kind])),
    ),
  ];
};

/** Draw the window of the chosen run and how it ended, or the button that places the bet.
 * @param {Model} model @param {Facts} facts @param {() => void} act */
const below = (model, facts, act) => {
  const { asksBet, row, run } = facts;
  if (asksBet)
    return div("", button("Show what happens", act, { class: "al-button al-main", off: row < 0 }));
  return div(
    "al-runs-one",
    div("al-runs-window", drawWindow(model, facts)),
    div("al-runs-ends", run && evidenceRows(run.done, run.claims), opener(model, act, run)),
  );
};

/** Keep what the learner expects, for the chosen window. @param {Model} model */
const placeBet = (model) => {
  if (!model.get("hasGuess")) return;
  set(model, { bets: { ...model.get("bets"), [model.get("window")]: model.get("after") } });
};

/** Draw how the chosen run ended, and why.
 * @param {Model} model @param {Facts} facts @param {boolean} isLate @returns {Child[]} */
const words = (model, facts, isLate) => {
  const { asksBet, name, run } = facts;
  if (asksBet) return ["Press the last row that you expect to finish, or use the arrow keys."];
  if (model.get("problem")) return [model.get("problem")];
  if (!run) return [`${name}: this run is being measured. `, isLate && NO_ANSWER];
  return [
    h("strong", {}, `${name}: `),
    hidden(`${run.outcome}. `),
    emphasised(run.why),
    h("strong", {}, verdict(facts)),
  ];
};

/** Compare the learner's bet with the result. @param {Facts} facts */
const verdict = ({ bet, last, runs }) => {
  if (bet === null || runs.includes(null)) return "";
  if (bet === last) return ` Your bet was ${bet}, and that is right.`;
  return ` Your bet was ${bet}; the last that finishes is ${last ?? "none"}.`;
};

/** Return whether there is a player of the chosen run. A kernel can play every run; a page without
 * a kernel lists the windows that it can open. @param {Model} model */
const canOpen = (model) => model.get("playable")?.includes(model.get("window")) ?? true;

/** The widgets whose player gets the focus when it is drawn. @type {WeakSet<Model>} */
const entering = new WeakSet();

/** Open the chosen run at the chosen round, and move the focus to it. @param {Model} model */
const open = (model) => {
  if (!canOpen(model) || model.get("is_open")) return;
  entering.add(model);
  set(model, { is_open: true });
};

/** @param {Model} model @param {() => void} act @param {Measured | null} run */
const opener = (model, act, run) => {
  if (!canOpen(model)) return span("al-note", "In a live notebook, this run opens in the player.");
  const round = model.get("round");
  return button(round > 0 ? `Open round ${round}` : "Open run", act, {
    off: !run,
    title: "in the player: every round, message by message",
  });
};

/** Draw the way back from the opened run to all runs. @param {Model} model @param {Facts} facts */
const path = (model, { name }) => {
  const round = model.get("round");
  const close = (/** @type {Event} */ event) => {
    const widget = elementOf(event).closest(".agentlib");
    set(model, { is_open: false, round: 0 });
    focusOn(widget?.querySelector(".al-runs-rows") ?? null);
  };
  return [
    button("◀ All runs", close, { class: "al-button al-switch" }),
    h("strong", {}, round > 0 ? `${name}, round ${round}` : name),
  ];
};

/** Return a function that draws the player of the chosen run. Its round and that of the strip are
 * kept equal. @param {Model} model @param {Host} host */
const player = (model, host) => {
  const sync = (/** @type {Model} */ opened) => {
    if (opened.get("at") !== model.get("round")) set(opened, { at: model.get("round") });
  };
  const enter = (/** @type {Model} */ opened, /** @type {HTMLElement} */ el) => {
    set(opened, { reached: shownOf(opened).last }); // the strip above shows all rounds
    opened.on("change:at", () => set(model, { round: opened.get("at") }));
    if (!entering.delete(model)) return;
    focusOn(el.querySelector(".al-home"));
    el.scrollIntoView({ block: "nearest" });
    el.parentElement?.firstElementChild?.scrollIntoView({ block: "nearest" }); // the way back
  };
  return drawOpened(model, host, sync, enter);
};

export default {
  /** @param {{ model: Model, el: HTMLElement, host: Host }} place */
  render({ model, el, host }) {
    const isMeasuring = () => !factsOf(model).run;
    return view((_, isLate) => draw(model, isLate, host), isMeasuring).render({ model, el });
  },
};
