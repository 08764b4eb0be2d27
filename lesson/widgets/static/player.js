// The player: a run to step through, forward and back, or two runs side by side.

import { card, keys, status } from "./components.js";
import { transport } from "./player_buttons.js";
import { judge, lastRow, owed, playAlong, pressed, rowShown } from "./player_keys.js";
import { oneRun, twoRuns } from "./player_panes.js";
import { timeline } from "./player_timeline.js";
import { takesKeys } from "./presentation.js";
import { describeRow, stateOf, stepsIn } from "./run.js";
import { NO_ANSWER, set, view } from "./view.js";

/** @param {Model} model @param {Wait} wait */
const words = (model, wait) => {
  const state = stateOf(model);
  const row = rowShown(model);
  const end = lastRow(model);
  if (wait === "silent") return NO_ANSWER;
  if (wait === "slow" && row === end) return "Asking the model, and doing what it asks for…";
  if (end === 0 && !state.live) return joined("This run has no rounds.", state.said);
  return joined(describeRow(state, row), judge(model, row), state.said);
};

/** @param {...string} sentences */
const joined = (...sentences) => sentences.filter(Boolean).join(" ");

/** @param {Model} model @param {Wait} wait */
const draw = (model, wait) => {
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
    status(words(model, wait), { quiet: isQuiet(model) }),
    areTwo ? twoRuns(model) : oneRun(model),
  );
};

/** While a run is played, announce only reminders and its end. @param {Model} model */
const isQuiet = (model) => {
  if (!model.get("playing")) return false;
  const row = rowShown(model);
  const isReminded = stepsIn(stateOf(model), row).some(({ reminded }) => reminded);
  return !isReminded && row < lastRow(model);
};

/** Scroll the panes: to the end of a growing list, to the edge of the window, to the item in
 * progress, or to the start of new content. A pane whose content has not changed does not scroll.
 * @param {HTMLElement} el */
const follow = (el) => {
  for (const pane of /** @type {NodeListOf<HTMLElement>} */ (
    el.querySelectorAll("[data-follow]")
  )) {
    const { follow: what = "", followed } = pane.dataset;
    /** @type {HTMLElement | null} */
    const target = pane.querySelector(TARGETS[what] ?? "none");
    const wanted = `${what} ${pane.scrollHeight} ${pane.clientHeight} ${target?.offsetTop}`;
    if (followed === wanted) continue;
    pane.dataset.followed = wanted;
    const top = target ? target.offsetTop - pane.offsetTop : 0;
    pane.scrollTop = what === "end" ? pane.scrollHeight : top;
    const end = pane.getBoundingClientRect().bottom;
    const below = [...pane.querySelectorAll(".al-item")].filter(
      (item) => item.getBoundingClientRect().top > end - 4,
    );
    pane.toggleAttribute("data-more", below.length > 0);
    if (below.length > 0) pane.dataset.more = `${below.length} more below`;
  }
};

/** What a pane scrolls to. @type {Record<string, string>} */
const TARGETS = {
  edge: ".al-place-ghost, .al-edge",
  item: ".al-in_progress, .al-item:last-child:not(.al-pending)",
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
    // A reader who moves into a message wants to read it.
    const read = (/** @type {FocusEvent} */ { target }) => {
      const isReading = target instanceof Element && target.closest(".al-messages");
      if (model.get("playing") && isReading) set(model, { playing: false });
    };
    el.addEventListener("focusin", read);
    return () => {
      sized.disconnect();
      undraw();
      stop();
      model.off("change", scroll);
      el.removeEventListener("focusin", read);
    };
  },
};
