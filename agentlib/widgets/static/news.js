// A live run sends each step once. Here it is added to the run that the page already has.

import { stateOf } from "./run.js";

/** @import { Model } from "./view.js" */

/**
 * Add the steps that came since the run was sent. Where some are missing, ask for all.
 * @param {Model} model
 */
export const takeNews = (model) => {
  const news = model.get("news");
  if (!news?.steps) return;
  const state = stateOf(model);
  const [run] = state.runs;
  const known = run.steps.length;
  if (news.from + news.steps.length > known && news.from !== known) {
    model.send({ missing: known });
    return;
  }
  if (news.from === known) run.steps.push(...news.steps);
  if (news.from + news.steps.length !== run.steps.length) return;
  run.listed = news.listed;
  run.planning = news.planning;
  run.request = news.request ?? run.request;
  state.live = news.live;
  state.said = news.said;
};
