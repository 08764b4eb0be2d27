// The runs: a tape for each, how the chosen one ended, and why.
// All of it is drawn from runs that the page has; the kernel is asked only for what is not
// measured yet, and for a player.

import { button, card, emphasised, hidden } from "./components.js";
import { div, p, span, strong } from "./dom.js";
import { shownOf } from "./player_facts.js";
import { factsOf } from "./runs_facts.js";
import { drawRows } from "./runs_rows.js";
import { legend } from "./tape.js";
import { evidenceRows } from "./todo_list.js";
import { drawOpened, focusOn, set, turn, view } from "./view.js";

/** @param {Model} model @param {Host} host */
const draw = (model, host) => {
  const facts = factsOf(model);
  const { isOpen, asksBet } = facts;
  const act = asksBet ? placeBet(facts) : () => open(facts);
  return card(
    "Runs",
    { model, class: ["al-runs-card", isOpen && "al-runs-is-open"] },
    div("al-head", isOpen ? path(facts) : heading(facts)),
    p(
      { class: "al-aside al-runs-note", role: "status", hidden: isOpen },
      facts.beginsWithBet && span("al-runs-verdict", verdict(facts), " "),
      !asksBet && words(facts),
    ),
    drawRows(facts, act),
    !isOpen && below(facts, act),
    isOpen && div({ class: "al-runs-opened", drawn: player(model, host) }),
  );
};

/** Draw the title, or the question of a bet above its answers, and the kinds of rounds.
 * @param {Facts} facts @returns {Child} */
const heading = ({ asksBet, runs, question, title, kinds }) => {
  if (asksBet) return span("al-title", question);
  const cells = runs.map((run) => run?.cells).join("");
  return [span("al-title", title), legend(cells, "", kinds, false)];
};

/** Draw how the chosen run ended, or the button that places the bet.
 * @param {Facts} facts @param {(event: Event) => void} act */
const below = (facts, act) => {
  const { asksBet, row, run } = facts;
  if (asksBet) return div("", button("Show what happens", act, { class: "al-main", off: row < 0 }));
  return div(
    "al-runs-ends",
    div("", run && evidenceRows(run.done, run.claims)),
    opener(facts, act),
  );
};

/** Keep what the learner expects, for the chosen window, and show the verdict. @param {Facts} facts */
const placeBet = ({ model, size, rows, row }) =>
  row < 0 ? () => {} : turn(model, ".al-runs-rows", { bets: { [size]: rows[row] } });

/** Draw how the chosen run ended, and why.
 * @param {Facts} facts @returns {Child[]} */
const words = ({ model, name, run }) => {
  if (model.get("problem")) return [model.get("problem")];
  if (!run) return [`${name}: not measured yet. If the kernel was restarted, run this cell again.`];
  return [strong(`${name}: `), hidden(`${run.outcome}. `), emphasised(run.why)];
};

/** Say how to bet; then compare the learner's bet, if there is one for this window, with the result.
 * @param {Facts} facts @returns {Child} */
const verdict = ({ asksBet, bet, last, runs }) => {
  if (asksBet) return "Press the last row that you expect to finish, or use the arrow keys.";
  if (bet === null) return "You placed no bet for this window.";
  if (runs.includes(null)) return `Your bet was ${bet}. The runs are being measured.`;
  const found = bet === last ? "that is right" : `the last that finishes is ${last ?? "none"}`;
  return strong(`Your bet was ${bet}, and ${found}.`);
};

/** The widgets whose player gets the focus when it is drawn. @type {WeakSet<Model>} */
const entering = new WeakSet();

/** Open the chosen run at the chosen round, and move the focus to it. @param {Facts} facts */
const open = ({ model, canOpen, isOpen }) => {
  if (!canOpen || isOpen) return;
  entering.add(model);
  set(model, { is_open: true });
};

/** @param {Facts} facts @param {(event: Event) => void} act */
const opener = ({ canOpen, round, run }, act) => {
  if (!canOpen) return span("al-note", "In a live notebook, this run opens in the player.");
  return button(round > 0 ? `Open round ${round}` : "Open run", act, {
    off: !run,
    title: "in the player: every round, message by message",
  });
};

/** Draw the way back from the opened run to all runs. @param {Facts} facts */
const path = ({ model, name, round }) => {
  const close = turn(model, ".al-runs-rows", { is_open: false, round: 0 });
  return [
    button("◀ All runs", close, { class: "al-switch" }),
    strong(round > 0 ? `${name}, round ${round}` : name),
  ];
};

/** Return a function that draws the player of the chosen run. Its round and that of the strip are
 * kept equal; without a chosen round, it begins where something happens.
 * @param {Model} model @param {Host} host */
const player = (model, host) => {
  const sync = (/** @type {Model} */ opened) => {
    const round = model.get("round");
    if (round > 0 && opened.get("at") !== round) set(opened, { at: round });
  };
  const enter = (/** @type {Model} */ opened, /** @type {HTMLElement} */ el) => {
    set(opened, { reached: shownOf(opened).last }); // the strip above shows all rounds
    opened.on("change:at", () => set(model, { round: opened.get("at") }));
    if (!entering.delete(model)) return;
    focusOn(el.querySelector(".al-home"));
    el.scrollIntoView({ block: "nearest" });
    el.parentElement?.firstElementChild?.scrollIntoView({ block: "nearest" }); // the way back
  };
  return drawOpened(model, host, ["window", "plan", "after"], sync, enter);
};

export default view(draw);
