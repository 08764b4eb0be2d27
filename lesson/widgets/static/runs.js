// Runs as strips: what to choose from, the strips, the map, how the chosen run ended, and why.
// All of it is drawn from runs that the page has; the kernel is asked only for what is not
// measured yet, and for a player.

import { drawBill } from "./bill.js";
import { div, h, span } from "./dom.js";
import { busy, button, card, hidden, keys, plural, running } from "./parts.js";
import {
  betOf,
  cheapest,
  chosenRow,
  isBetOpen,
  lastFinishing,
  nameOf,
  outcome,
  runsOf,
  why,
} from "./runs_facts.js";
import { map } from "./runs_map.js";
import { roundWords, strips } from "./runs_strips.js";
import { evidenceRows } from "./todo_list.js";
import { NO_ANSWER, set, view } from "./view.js";

/**
 * @import { Child } from "./dom.js"
 * @import { Run } from "./runs_facts.js"
 * @import { Square } from "./todo_list.js"
 * @import { Model, Wait } from "./view.js"
 */

/** @param {Model} model @param {Wait} wait */
const draw = (model, wait) => {
  const open = () => canOpen(model) && set(model, { asked: model.get("asked") + 1 });
  const asksBet = isBetOpen(model);
  const act = asksBet ? () => placeBet(model) : open;
  const runs = runsOf(model, model.get("window"));
  const run = runs[chosenRow(model)];
  return card(
    "Runs as strips",
    { model, ...busy(run ? "" : wait), class: "al-runs-card" },
    div("al-head", span("al-title", model.get("state").title, running(wait)), attention(model)),
    legend(model),
    div(
      "al-runs-body",
      div(
        "al-runs-picture",
        strips(model, act),
        asksBet ? div("al-runs-map-side") : map(model, open),
      ),
      div(
        "al-runs-account",
        div(
          "al-runs-ends",
          asksBet ? null : run && evidence(run),
          asksBet
            ? button("Show what happens", act, { class: "al-button al-main" })
            : opener(model, open, run),
        ),
        h(
          "p",
          { class: "al-runs-note", role: "status" },
          wait === "silent" && !run ? NO_ANSWER : words(model, runs),
        ),
      ),
    ),
    run && !asksBet
      ? drawBill(model, [["the chosen run", [{ usage: run.usage, model: "practice" }]]])
      : null,
    model.get("opened") ? player(model) : null,
  );
};

/** Keep what the learner expects, for the attention at which they did. @param {Model} model */
const placeBet = (model) =>
  set(model, { bets: { ...model.get("bets"), [model.get("window")]: model.get("after") } });

/** What the model sees of the conversation, as a slider. @param {Model} model */
const attention = (model) => {
  const [min, max] = model.get("state").windows;
  const value = model.get("window");
  return h(
    "label",
    { class: "al-runs-attention" },
    h("span", {}, "The model sees the last"),
    h("input", {
      type: "range",
      min,
      max,
      step: 1,
      value,
      ...keys,
      "aria-valuetext": plural(value, "message"),
      oninput: (/** @type {InputEvent} */ event) =>
        set(model, {
          window: Number(/** @type {HTMLInputElement} */ (event.target).value),
          round: 0,
        }),
    }),
    h("span", { class: "al-runs-slider-value", "aria-hidden": "true" }, plural(value, "message")),
  );
};

/** @param {Model} model */
const legend = (model) => {
  const { kinds } = model.get("state");
  return div(
    "al-runs-legend",
    [..."pwdls"].map((kind) =>
      h("span", {}, span(`al-runs-cell al-runs-cell-${kind}`), kinds[kind]),
    ),
    h("span", {}, span("al-runs-legend-reminder"), "reminder"),
    h("span", {}, span("al-runs-ribbon"), "plan in view"),
  );
};

/** @type {Record<string, Square>} */
const SQUARES = { x: "shown", o: "claimed", ">": "open", ".": "open" };

/** What the files show, and what the list says. @param {Run} run */
const evidence = ({ done, claims }) =>
  evidenceRows(
    [...done].map((letter) => SQUARES[letter]),
    [...claims].map((letter) => SQUARES[letter]),
  );

/**
 * What came of the chosen run, and why.
 * @param {Model} model
 * @param {(Run | null)[]} runs
 * @returns {Child[]}
 */
const words = (model, runs) => {
  const state = model.get("state");
  if (isBetOpen(model)) return [state.question, " Drag the handle, then look."];
  if (model.get("problem")) return [model.get("problem")];
  const row = chosenRow(model);
  const run = runs[row];
  if (!run) return [`${nameOf(model, row)}: this run is being measured.`];
  const cost = `${plural(run.tokens, "token")}${row === cheapest(runs) ? ", the cheapest threshold that finishes" : ""}.`;
  return [
    h("strong", {}, `${nameOf(model, row)}: `),
    hidden(`${outcome(run)}. `),
    roundWords(model, run, model.get("round")),
    emphasised(why(run, state.reasons)),
    ` ${cost}`,
    verdict(model, runs),
  ];
};

/** A sentence in which *this* is emphasised. @param {string} sentence */
const emphasised = (sentence) =>
  sentence.split("*").map((part, index) => (index % 2 ? h("strong", {}, part) : part));

/** The learner's bet beside what happened. @param {Model} model @param {(Run | null)[]} runs */
const verdict = (model, runs) => {
  const bet = betOf(model);
  if (bet === null || runs.includes(null)) return "";
  const truth = model.get("state").thresholds[lastFinishing(runs)];
  if (truth === bet) return span("al-runs-verdict", ` Your bet was ${bet}: right.`);
  return span(
    "al-runs-verdict",
    ` Your bet was ${bet}; the last that finishes is ${truth ?? "none"}.`,
  );
};

/** Whether there is a player of the chosen run. A kernel has one of each, a page without one says
 * with which attentions. @param {Model} model */
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

/** What draws another widget inside this one, by the model. @type {WeakMap<Model, any>} */
const hosts = new WeakMap();

/** The player that was asked for, drawn by its own widget. @param {Model} model */
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

/** The kernel owes the page the runs of an attention that it has not measured. @param {Model} model */
const owed = (model) => {
  if (runsOf(model, model.get("window"))[chosenRow(model)]) return "";
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
