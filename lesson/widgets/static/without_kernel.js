// What widgets need of a kernel, without one: models whose values they read and set, and the few
// answers that are known in advance, because runs of the practice model always come out the same.

import { factsOf } from "./runs_facts.js";
import { set } from "./view.js";

/**
 * A widget of the page: its kind, and the values of its model.
 * @typedef {{ kind: string, values: Record<string, any> }} Shown
 *
 * The widgets of the page in their order. `columns` is the address of the runs with every window,
 * and `players` that of the folder with the players of those with a window in `playable`.
 * @typedef {{ widgets: Shown[], columns?: string, playable?: number[], players?: string }} Data
 */

/** @param {Record<string, any>} values @returns {Model} */
const standIn = (values) => {
  const events = new EventTarget();
  return {
    get: (name) => values[name],
    set: (name, value) => {
      if (values[name] === value) return;
      values[name] = value;
      for (const event of [`change:${name}`, "change"]) events.dispatchEvent(new Event(event));
    },
    on: (event, listener) => events.addEventListener(event, listener),
    save_changes: () => {},
  };
};

/** Load a file of the site. That of a run is compressed, because not every server does that.
 * @param {string} address */
const load = async (address) => {
  const { body } = await fetch(address);
  const isPacked = address.endsWith(".bin");
  return new Response(isPacked ? body?.pipeThrough(new DecompressionStream("gzip")) : body).json();
};

/** Load the runs with all windows, which a site has in a separate file. A chart of another reminder
 * keeps its own runs, and has no players.
 * @param {Model} model @param {Data} data */
const addColumns = async (model, { columns, playable }) => {
  if (!columns) return;
  const all = await load(columns);
  const [own, same] = [model.get("columns"), all].map((runs) => runs[model.get("window")]);
  if (JSON.stringify(own) === JSON.stringify(same)) set(model, { columns: all, playable });
};

/** The models of the players that were opened, by their names.
 * @type {Record<string, Model>} */
const opened = {};

/** Open the player of the chosen run when the widget asks for it, and of each run chosen after it.
 * @param {Model} model @param {Data} data */
const openPlayers = (model, { players }) => {
  model.set("playable", []);
  let shown = "";
  model.save_changes = async () => {
    const name = model.get("is_open") ? `${model.get("window")}-${factsOf(model).row}` : "";
    if (name === shown) return;
    shown = name;
    if (!name) return model.set("opened", []);
    const chosen = ["window", "plan", "after"].map((trait) => model.get(trait));
    const run = await load(`${players}${name}.bin`);
    if (name !== shown) return; // another one was chosen while this one was loaded
    opened[name] = standIn(run.values);
    model.set("opened", [chosen, name]);
  };
};

/** Draw the widgets of the page, each in its place.
 * @param {Record<string, { render: (place: Place) => void }>} kinds */
export const drawAll = (kinds) => {
  const script = document.querySelector("script[type='application/json']"); // a heading may have any id
  /** @type {Data} */
  const data = JSON.parse(script?.textContent || '{ "widgets": [] }');
  /** @type {Host} */
  const host = {
    getModel: async (name) => opened[name],
    getWidget: async (name) => ({
      render: ({ el }) => kinds.player.render({ model: opened[name], el, host }),
    }),
  };
  const places = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".widget"));
  places.forEach((el, place) => {
    const { kind, values } = data.widgets[place];
    const model = standIn(values);
    if (kind === "runs") {
      openPlayers(model, data);
      addColumns(model, data);
    }
    if (kind === "arena") model.set("playable", false);
    el.replaceChildren();
    kinds[kind].render({ model, el, host });
  });
};
