// The player: a run to step through, forward and back, or two runs side by side.

import { card, keys, status } from "./components.js";
import { transport } from "./player_buttons.js";
import { forward, judge, lastRow, owed, pressed, rowShown } from "./player_keys.js";
import { oneRun, twoRuns } from "./player_panes.js";
import { timeline } from "./player_timeline.js";
import { takesKeys } from "./presentation.js";
import { describeRow, stateOf } from "./run.js";
import { movie, NO_ANSWER } from "./view.js";

const PACE_MS = 900;

/** @param {Model} model @param {boolean} isLate */
const words = (model, isLate) => {
  const state = stateOf(model);
  const row = rowShown(model);
  if (isLate && row === lastRow(model)) return `The model is asked for a round… ${NO_ANSWER}`;
  if (lastRow(model) === 0 && !state.live) return "This run has no rounds.";
  return [describeRow(state, row), judge(model, row), state.said].filter(Boolean).join(" ");
};

/** @param {Model} model @param {boolean} isLate */
const draw = (model, isLate) => {
  const { runs } = stateOf(model);
  const areTwo = runs.length > 1;
  return card(
    areTwo ? "Two runs" : runs[0].title,
    {
      model,
      class: "al-player",
      tabindex: -1,
      ...keys,
      ...takesKeys,
      onkeydown: pressed(model),
    },
    transport(model),
    timeline(model),
    status(words(model, isLate), model.get("playing")),
    areTwo ? twoRuns(model) : oneRun(model),
  );
};

export default movie(draw, forward, PACE_MS, owed);
