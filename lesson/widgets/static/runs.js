// The runs: the chart, the map, the window of the chosen run, and why it ended as it did.
// All of it is drawn from runs that the page has; the kernel is asked only for what is not
// measured yet, and for a player.

import { div, h, span } from "./dom.js";
import { busy, button, card, hidden, running } from "./parts.js";
import {
  betOf,
  chosenColumn,
  chosenRow,
  chosenRun,
  chosenRuns,
  isBetOpen,
  isFinished,
  nameOf,
} from "./runs_facts.js";
import { map } from "./runs_map.js";
import { roundWords, strips } from "./runs_strips.js";
import { evidenceRows } from "./todo_list.js";
import { NO_ANSWER, set, view } from "./view.js";
import { drawCells, drawWindow } from "./window.js";

/**
 * @import { Child } from "./dom.js"
 * @import { Run } from "./runs_facts.js"
 * @import { Model, Wait } from "./view.js"
 */

/** @param {Model} model @param {Wait} wait */
const draw = (model, wait) => {
  const open = () => canOpen(model) && set(model, { asked: model.get("asked") + 1 });
  const asksBet = isBetOpen(model);
  const act = asksBet ? () => placeBet(model) : open;
  const run = chosenRun(model);
  return card(
    "Runs",
    { model, ...busy(run ? "" : wait), class: "al-runs-card" },
    div("al-head", span("al-title", model.get("state").title, running(wait)), legend(model)),
    div(
      "al-runs-picture",
      div("al-runs-left", strips(model, act), asksBet ? null : opened(model, run)),
      div(
        "al-runs-right",
        // The map would answer the notebook's next question, so a bet comes without it.
        model.get("state").bet ? null : map(model, open),
        div(
          "al-runs-ends",
          asksBet ? null : run && evidenceRows(run.done, run.claims),
          asksBet
            ? button("Show what happens", act, { class: "al-button al-main" })
            : opener(model, open, run),
        ),
      ),
    ),
    h(
      "p",
      { class: "al-runs-note", role: "status" },
      wait === "silent" && !run ? NO_ANSWER : words(model),
    ),
    model.get("opened") ? player(model) : null,
  );
};

/** Keep what the learner expects, for the chosen window. @param {Model} model */
const placeBet = (model) =>
  set(model, { bets: { ...model.get("bets"), [model.get("window")]: model.get("after") } });

/** Draw the window of the chosen run, opened below the rows. @param {Model} model
 * @param {Run | null} run */
const opened = (model, run) =>
  div(
    "al-runs-window",
    run &&
      drawWindow({
        name: "the chosen run",
        cells: run.cells,
        isFinished: isFinished(run),
        outcome: run.outcome,
        size: model.get("window"),
        sizes: model.get("state").windows,
        after: model.get("plan") ? model.get("after") : null,
        round: model.get("round"),
        setSize: (size) => set(model, { window: size, round: 0 }),
        setAfter: (after) => set(model, { after, round: 0 }),
        setRound: (round) => set(model, { round }),
      }),
  );

/** Draw the kinds of rounds in the chart. @param {Model} model */
const legend = (model) => {
  if (isBetOpen(model)) return null;
  const { kinds } = model.get("state");
  const shown = chosenRuns(model)
    .map((run) => run?.cells.toLowerCase() ?? "")
    .join("");
  return div(
    "al-runs-legend",
    [..."pwdlfs"]
      .filter((kind) => shown.includes(kind))
      .map((kind) => h("span", {}, drawCells(kind, true), kinds[kind])),
  );
};

/** Draw how the chosen run ended, and why. @param {Model} model @returns {Child[]} */
const words = (model) => {
  const state = model.get("state");
  if (isBetOpen(model)) return [state.question, " Drag the handle, then look."];
  if (model.get("problem")) return [model.get("problem")];
  const [row, run] = [chosenRow(model), chosenRun(model)];
  if (!run) return [`${nameOf(model, row)}: this run is being measured.`];
  return [
    h("strong", {}, `${nameOf(model, row)}: `),
    hidden(`${run.outcome}. `),
    roundWords(model, run, model.get("round")),
    emphasised(run.why),
    verdict(model),
  ];
};

/** Return a sentence with its *marked* part emphasised. @param {string} sentence */
const emphasised = (sentence) =>
  sentence.split("*").map((part, index) => (index % 2 ? h("strong", {}, part) : part));

/** Compare the learner's bet with the result. @param {Model} model */
const verdict = (model) => {
  const [bet, { last }] = [betOf(model), chosenColumn(model)];
  if (bet === null || chosenRuns(model).includes(null)) return "";
  const [right, wrong] = model.get("state").verdicts;
  const sentence = (bet === last ? right : wrong)
    .replace("{bet}", String(bet))
    .replace("{last}", String(last ?? "none"));
  return span("al-runs-verdict", ` ${sentence}`);
};

/** Return whether there is a player of the chosen run. A kernel can play every run; a page without
 * a kernel lists the windows that it has. @param {Model} model */
const canOpen = (model) => model.get("playable")?.includes(model.get("window")) ?? true;

/** @param {Model} model @param {() => void} open @param {Run | null} run */
const opener = (model, open, run) =>
  canOpen(model)
    ? button(openLabel(model), open, {
        off: !run,
        "aria-label": `${openLabel(model)} in the player`,
        title: "in the player: every round, message by message",
      })
    : span("al-runs-only-live", "In a live notebook, this run opens in the player.");

/** @param {Model} model */
const openLabel = (model) => {
  const round = model.get("round");
  return round > 0 ? `Open round ${round}` : "Open run";
};

/** The function that draws another widget inside this one, by model. @type {WeakMap<Model, any>} */
const hosts = new WeakMap();

/** Draw the requested player with its own widget. @param {Model} model */
const player = (model) => {
  const ref = model.get("opened");
  return div(
    "al-runs-opened",
    div(
      "al-runs-opened-head",
      button("Close the player", () => set(model, { opened: "" })),
    ),
    h("div", {
      key: ref,
      drawn: (/** @type {HTMLElement & { ref?: string }} */ el) => {
        if (el.ref === ref) return;
        el.ref = ref;
        hosts
          .get(model)
          ?.getWidget(ref)
          .then((/** @type {any} */ widget) => widget.render({ el }))
          .then(() => el.scrollIntoView({ block: "nearest" }));
      },
    }),
  );
};

/** Return what the kernel still has to send: see `view` in view.js. @param {Model} model */
const owed = (model) => {
  if (chosenRun(model)) return "";
  return model.get("is_busy") ? "busy" : "asked";
};

const inner = view(draw, owed);

export default {
  /** @param {{ model: Model, el: HTMLElement, host?: any }} place */
  render({ model, el, host }) {
    hosts.set(model, host);
    return inner.render({ model, el });
  },
};
