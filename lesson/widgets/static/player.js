// The player: a run to step through, forward and back. No step needs a request to the kernel.

import { button, card, keys, status } from "./components.js";
import { div } from "./dom.js";
import { press } from "./input.js";
import { go, shownOf } from "./player_facts.js";
import { listPane, messagesPane } from "./player_panes.js";
import { drawLegend, timeline } from "./player_timeline.js";
import { takesKeys } from "./presentation.js";
import { movie, set } from "./view.js";

const PACE_MS = 900;

/** Draw the buttons: forward and back, or by itself. @param {Shown} shown */
const transport = ({ model, row, last }) => {
  const isLast = row === last;
  const play = { off: isLast, class: "al-wide" };
  return div(
    { class: "al-transport", role: "group", "aria-label": "Move through the run" },
    button("◀ Back", () => go(model, row - 1), { off: row === 0 }),
    button(model.get("playing") ? "❚❚ Stop" : "▶ Play", () => togglePlaying(model), play),
    button("Next ▶", () => go(model, row + 1), { off: isLast, class: "al-main" }),
  );
};

/** @param {Model} model */
const togglePlaying = (model) => set(model, { playing: !model.get("playing") });

/** Go to the next round. Return whether there is one. @param {Model} model */
const forward = (model) => {
  const { row, last } = shownOf(model);
  if (row < last) go(model, row + 1);
  return row < last;
};

/** Handle the keys of the player, wherever the focus is in it. @param {Shown} shown */
const pressed = ({ model, row }) =>
  press({
    ArrowLeft: () => go(model, row - 1),
    ArrowRight: () => go(model, row + 1),
    " ": () => togglePlaying(model),
  });

/** @param {Model} model */
const draw = (model) => {
  const shown = shownOf(model);
  const { title, listed, frame, frames } = shown;
  const most = Math.max(...frames.map(({ plan }) => plan.items.length));
  const taker = { tabindex: -1, ...keys, ...takesKeys, onkeydown: pressed(shown) };
  return card(
    title,
    { model, class: "al-player", style: `--items: ${most}`, ...taker },
    div("al-head", transport(shown), drawLegend(shown)),
    timeline(shown),
    status(frame.said, model.get("playing")),
    listed ? listPane(shown) : messagesPane(shown),
  );
};

export default movie(draw, forward, () => PACE_MS);
