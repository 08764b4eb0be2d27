// What widgets need of a kernel, without one: models whose values they read and set, and the few
// answers that can be known beforehand, because runs of the practice model always come out the same.

import { fill } from "./dom.js";
import { button } from "./parts.js";
import { chosenRow } from "./runs_facts.js";
import { set } from "./view.js";

/**
 * @typedef {import("./view.js").Model} Model
 * @typedef {import("./view.js").Place} Place
 * @typedef {Record<string, any>} Values
 *
 * What draws a widget.
 * @typedef {{ render: (place: Place & { host: object }) => void }} Widget
 *
 * A widget of the page: its kind, the values of its model, and those that came one after the other
 * while the kernel was at work.
 * @typedef {{ kind: string, values: Values, frames?: Values[] }} Shown
 *
 * The widgets of the page in their order. `columns` are the measured runs that every Runs shows.
 * Those with an attention in `playable` have a player: `players` holds them by name, or says where
 * the page finds their files.
 * @typedef {object} Data
 * @property {Shown[]} widgets
 * @property {Values} [columns]
 * @property {number[]} [playable]
 * @property {Record<string, { values: Values }> | string} [players]
 */

const PACE_MS = 700;

/** @param {Values} values @returns {Model} */
const standIn = (values) => {
  /** @type {Map<string, Set<() => void>>} */
  const listeners = new Map();
  const fire = (/** @type {string} */ event) => {
    for (const listener of listeners.get(event) ?? []) listener();
  };
  return {
    get: (name) => values[name],
    set: (name, value) => {
      if (values[name] === value) return;
      values[name] = value;
      fire(`change:${name}`);
      fire("change");
    },
    on: (event, listener) => {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener));
    },
    off: (event, listener) => {
      listeners.get(event)?.delete(listener);
    },
    save_changes: () => {},
    send: () => {},
  };
};

/**
 * The strips ask for the player of the chosen run.
 * @param {Model} model
 * @param {(name: string) => Promise<Values>} load
 */
const openPlayers = (model, load) => {
  /** @type {Map<string, Values>} */
  const opened = new Map();
  model.on("change:asked", async () => {
    const name = `${model.get("attention")}-${chosenRow(model)}`;
    const at = model.get("round");
    try {
      const ref = `${name} ${model.get("asked")}`;
      opened.set(ref, { ...(await load(name)), at });
      set(model, { opened: ref, problem: "" });
    } catch (problem) {
      set(model, { problem: `This run could not be loaded: ${problem}` });
    }
  });
  return (/** @type {string} */ ref) => opened.get(ref) ?? {};
};

/** A live run asks for its next step. @param {Model} model @param {Values[]} frames */
const stepLive = (model, frames) => {
  let next = 0;
  model.on("change:asked", () => {
    const frame = frames[next];
    next += 1;
    if (frame) set(model, frame);
  });
};

/**
 * What happened while the cell ran, again: by a button, and once when the board comes out of its
 * fold.
 * @param {Model} model
 * @param {Values[]} frames
 * @param {Element} el
 */
const replay = (model, frames, el) => {
  const bar = document.createElement("div");
  bar.className = "agentlib-replay";
  el.after(bar);
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const draw = () =>
    fill(bar, [button(timer ? "❚❚ Stop" : "▶ Watch it work", timer ? stop : () => play(0))]);
  const stop = () => {
    clearTimeout(timer);
    timer = undefined;
    draw();
  };
  const play = (/** @type {number} */ at) => {
    set(model, frames[at]);
    timer = at + 1 < frames.length ? setTimeout(play, PACE_MS, at + 1) : undefined;
    draw();
  };
  draw();
  const fold = el.closest("details");
  fold?.addEventListener("toggle", () => play(0), { once: true });
};

/**
 * Draw the widgets of the page, each in its place.
 * @param {Record<string, Widget>} kinds
 */
export const drawAll = (kinds) => {
  const text = document.getElementById("widgets")?.textContent;
  /** @type {Data} */
  const data = JSON.parse(text || '{ "widgets": [] }');
  const { widgets, columns, playable = [], players = {} } = data;
  const load = async (/** @type {string} */ name) => {
    if (typeof players !== "string") return structuredClone(players[name].values);
    const answer = await fetch(`${players}${name}.json`);
    if (!answer.ok) throw new Error(answer.statusText);
    return (await answer.json()).values;
  };
  /** @param {Element} el @param {Shown} shown */
  const draw = (el, { kind, values, frames = [] }) => {
    const isRuns = kind === "runs";
    const model = standIn(isRuns ? { ...values, ...(columns && { columns }), playable } : values);
    const valuesOf = isRuns ? openPlayers(model, load) : () => ({});
    const host = {
      getWidget: async (/** @type {string} */ ref) => ({
        render: (/** @type {{ el: Element }} */ place) =>
          draw(place.el, { kind: "player", values: valuesOf(ref) }),
      }),
    };
    if (kind === "player") stepLive(model, frames);
    if (kind === "board" && frames.length > 0) replay(model, frames, el);
    kinds[kind].render({ model, el: /** @type {HTMLElement} */ (el), host });
  };
  document.querySelectorAll(".widget").forEach((el, place) => {
    el.replaceChildren();
    draw(el, widgets[place]);
  });
};
