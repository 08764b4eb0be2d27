// The player: a run to step through, forward and back, or two runs side by side.

import { card, keys, status } from "./components.js";
import { transport } from "./player_buttons.js";
import { judge, lastRow, owed, playAlong, pressed, rowShown } from "./player_keys.js";
import { oneRun, twoRuns } from "./player_panes.js";
import { timeline } from "./player_timeline.js";
import { takesKeys } from "./presentation.js";
import { describeRow, stateOf } from "./run.js";
import { NO_ANSWER, view } from "./view.js";

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

/** Scroll each pane to the element that it follows. A pane whose content has not changed does not
 * scroll. @param {HTMLElement} el */
const follow = (el) => {
  /** @type {NodeListOf<HTMLElement>} */
  const panes = el.querySelectorAll("[data-follow]");
  for (const pane of panes) {
    const { follow: selector = "", followed } = pane.dataset;
    /** @type {HTMLElement | null} */
    const target = pane.querySelector(selector);
    const top = target ? target.offsetTop - pane.offsetTop : 0;
    if (followed === String(top)) continue;
    pane.dataset.followed = String(top);
    pane.scrollTop = top;
  }
};

export default {
  render(/** @type {Place} */ { model, el }) {
    const undraw = view(draw, owed).render({ model, el });
    const stop = playAlong(model);
    const scroll = () => follow(el);
    model.on("change", scroll);
    // The size of a pane follows from the page's width, and from that of the text.
    const sized = new ResizeObserver(scroll);
    sized.observe(el);
    return () => {
      sized.disconnect();
      undraw();
      stop();
      model.off("change", scroll);
    };
  },
};
