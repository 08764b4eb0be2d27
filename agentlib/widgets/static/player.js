import { h } from "./dom.js";
import { drawMessage, drawShared, isSameMessage } from "./messages.js";
import {
  forward,
  go,
  hasMore,
  lastRow,
  nextDifference,
  nextRow,
  owed,
  playAlong,
  pressed,
  rowShown,
  togglePlaying,
} from "./moves.js";
import { bars, legend, overview, percent } from "./overview.js";
import { button, card, keys, stale, status } from "./parts.js";
import { absence, didIn, listAt, rowCount, rowInWords, sentFor, stateOf, stepIn } from "./run.js";
import { drawSight, sightOf } from "./sight.js";
import { counter, evidence, todoList } from "./todo_list.js";
import { NO_ANSWER, set, view } from "./view.js";

/**
 * @typedef {import("./view.js").Model} Model
 * @typedef {import("./view.js").Wait} Wait
 * @typedef {import("./view.js").Place} Place
 * @typedef {import("./run.js").State} State
 * @typedef {import("./run.js").Run} Run
 * @typedef {import("./run.js").Step} Step
 */

/** @param {Model} model */
const transport = (model) => {
  const row = rowShown(model);
  const { live } = stateOf(model);
  const playing = model.get("playing");
  const asks = live && row === lastRow(model);
  return h(
    "div",
    { class: "al-transport", role: "group", "aria-label": "Steps" },
    button("|◀", () => go(model, 0), { "aria-label": "First step", off: row === 0 }),
    button("◀ Back", () => go(model, row - 1), { off: row === 0 }),
    button(playing ? "❚❚ Stop" : "▶ Play", () => togglePlaying(model), {
      off: !playing && !hasMore(model),
      class: "al-button al-wide",
    }),
    button(asks ? "Ask the model ▶" : "Next ▶", () => forward(model), {
      off: !hasMore(model) || (asks && owed(model) !== ""),
      class: "al-button al-main",
    }),
    button("▶|", () => go(model, lastRow(model)), {
      "aria-label": "Last step",
      off: row === lastRow(model),
    }),
    h("span", { class: "al-jumps", role: "group", "aria-label": "Jump to the next" }, jumps(model)),
  );
};

/** @param {Model} model */
const jumps = (model) => {
  const state = stateOf(model);
  /** @type {[string, number][]} */
  const targets = [
    ["plan", nextRow(model, ({ kind }) => kind === "plan")],
    ["reminder", nextRow(model, ({ reminded }) => reminded)],
    ["error", nextRow(model, ({ failed }) => failed)],
  ];
  if (state.rows) targets.push(["difference", nextDifference(model)]);
  return [
    h("span", { class: "al-jumps-label", "aria-hidden": "true" }, "next"),
    targets.map(([name, row]) =>
      button(name, () => go(model, row), { off: row < 0, "aria-label": `Next ${name}` }),
    ),
  ];
};

/** @type {WeakMap<State, (Step | null)[][]>} */
const alignedCells = new WeakMap();

/**
 * The cells of each run's strip. They stay the same array while the run does.
 * @param {State} state
 */
const cellsOf = (state) => {
  if (!state.rows) return state.runs.map((run) => run.steps);
  const known = alignedCells.get(state);
  if (known) return known;
  const cells = state.runs.map(
    (run, n) => state.rows?.map((row) => run.steps[row[n] ?? -1] ?? null) ?? [],
  );
  alignedCells.set(state, cells);
  return cells;
};

/** @param {Model} model */
const strips = (model) => {
  const state = stateOf(model);
  const row = rowShown(model);
  const cells = cellsOf(state);
  const count = rowCount(state);
  const handle = {
    label: state.rows ? "Rounds of the two runs" : "Rounds",
    words: rowInWords(state, row),
    at: row,
    move: (/** @type {number} */ to) => go(model, to),
  };
  return overview(
    count,
    handle,
    state.runs.map((run, n) => [
      state.rows && h("div", { class: "al-strip-title" }, run.title),
      h("div", { class: "al-strip" }, bars(cells[n]), drawWindow(state, n, row)),
    ]),
    state.differs.length > 0 && drawDifferences(state.differs, count),
  );
};

/**
 * The rounds that the model sees, as a bracket below them; those before are faded.
 * @param {State} state
 * @param {number} index
 * @param {number} row
 */
const drawWindow = (state, index, row) => {
  const run = state.runs[index];
  const at = stepIn(state, index, row);
  if (run.attention === null || !at) return null;
  const { firstStep } = sightOf(run, at);
  const count = rowCount(state);
  const from = state.rows ? state.rows.findIndex((steps) => steps[index] === firstStep) : firstStep;
  const span = (
    /** @type {string} */ kind,
    /** @type {number} */ start,
    /** @type {number} */ end,
  ) =>
    h("span", {
      class: kind,
      style: `left: ${percent(start, count)}; width: ${percent(end - start, count)}`,
    });
  // The task is always in sight.
  return from > 1
    ? [span("al-in-sight", 0, 1), span("al-out-of-sight", 1, from), span("al-in-sight", from, row)]
    : span("al-in-sight", 0, row);
};

/** @param {number[]} rows @param {number} count */
const drawDifferences = (rows, count) =>
  h(
    "svg",
    {
      class: "al-differences",
      viewBox: `0 0 ${count} 1`,
      preserveAspectRatio: "none",
      "aria-hidden": "true",
    },
    h("path", { d: rows.map((row) => `M${row + 0.14} 0h.72v1h-.72z`).join("") }),
  );

/** @param {Model} model @param {Wait} wait */
const words = (model, wait) => {
  const state = stateOf(model);
  const row = rowShown(model);
  const end = lastRow(model);
  if (wait === "silent") return NO_ANSWER;
  if (wait === "slow" && row === end) return "Asking the model, and doing what it asks for…";
  if (end === 0 && !state.live) return joined("This run has no rounds.", state.said);
  if (state.rows) return twoRunsInWords(state, row);
  const spent = state.runs[0].steps.slice(0, row + 1).reduce((sum, step) => sum + step.spent, 0);
  const cost = spent ? `${spent.toLocaleString("en")} tokens so far.` : "";
  return joined(rowInWords(state, row), cost, state.said);
};

/** @param {...string} sentences */
const joined = (...sentences) => sentences.filter(Boolean).join(" ");

/** @param {State} state @param {number} row */
const twoRunsInWords = (state, row) => {
  if (row === 0) return joined("Before the first round.", state.said);
  const sign = state.differs.includes(row) ? "≠ " : "= ";
  return state.runs.map((run, n) =>
    h(
      "span",
      { class: "al-said-line" },
      `${n === 0 ? sign : ""}${run.title}: ${didIn(state, n, row)} `,
    ),
  );
};

/** @param {Run} run @param {number} at */
const side = (run, at) => {
  const list = listAt(run, at);
  if (!run.listed || !list) return h("div", { class: "al-side" });
  const label = `${list.title} of ${run.title}`;
  return h(
    "div",
    { class: "al-side" },
    todoList(list, { class: "al-items al-scroll", tabindex: 0, "aria-label": label }),
    counter(run.steps[Math.min(at, run.steps.length - 1)].counter),
    list.steps && evidence({ steps: list.steps, items: list.items }),
  );
};

/**
 * The messages that a step added, or the whole request that was sent for it.
 * @param {Model} model
 * @param {number} index
 */
const messages = (model, index) => {
  const state = stateOf(model);
  const run = state.runs[index];
  const row = rowShown(model);
  const at = stepIn(state, index, row);
  const isRequest = model.get("request_shown") === true;
  const place = state.rows ? `${run.title} · ${titleOf(at).toLowerCase()}` : titleOf(at);
  const title = isRequest ? "The request as it was sent" : place;
  const none =
    at === 0 ? "The prompt was not given to this player." : "This step added no message.";
  const added = at === null ? [] : run.steps[at].messages;
  const content = () => {
    if (at === null) return h("p", { class: "al-empty" }, absence(state, index, row));
    if (isRequest) return h("pre", { class: "al-pre", key: "request" }, requestFor(run, at));
    if (added.length === 0) return h("p", { class: "al-empty" }, none);
    const others = othersIn(state, index, row);
    return added.map((message, n) =>
      others && isSameMessage(message, others[n])
        ? drawShared(message, `${at}.${n}=`)
        : drawMessage(message, `${at}.${n}`, others?.[n]),
    );
  };
  return h(
    "div",
    { class: "al-messages" },
    h(
      "div",
      { class: "al-pane-title" },
      title,
      button("request", () => model.set("request_shown", !isRequest), {
        class: "al-button al-switch",
        "aria-pressed": isRequest ? "true" : "false",
        "aria-label": "Show the request as it was sent",
      }),
    ),
    h(
      "div",
      {
        class: "al-messages-inside al-scroll",
        role: "region",
        tabindex: 0,
        "aria-label": title,
        "data-follow": `start ${at} ${isRequest}`,
        ...keys,
      },
      content(),
    ),
  );
};

/**
 * The messages that the other run has in a row where the two differ; elsewhere, nothing.
 * @param {State} state
 * @param {number} index
 * @param {number} row
 */
const othersIn = (state, index, row) => {
  if (!state.differs.includes(row)) return null;
  const other = stepIn(state, 1 - index, row);
  return other === null ? null : state.runs[1 - index].steps[other].messages;
};

/** @param {number | null} at */
const titleOf = (at) => {
  if (at === null) return "No round here";
  return at === 0 ? "The prompt" : `Round ${at}`;
};

const LONGEST_REQUEST = 200_000; // characters that a page can lay out in a moment

/** @param {Run} run @param {number} at */
const requestFor = (run, at) => {
  if (at === 0) return "Nothing was sent before the first round.";
  const whole = { ...run.request, messages: sentFor(run, at).map(({ message }) => message) };
  const text = JSON.stringify(whole, null, 2);
  const note = run.request ? "" : "// Only the messages of this run are known.\n";
  if (text.length <= LONGEST_REQUEST) return note + text;
  const left = (text.length - LONGEST_REQUEST).toLocaleString("en");
  return `${note}${text.slice(0, LONGEST_REQUEST)}\n… (${left} more characters)`;
};

/** @param {Model} model @param {Wait} wait */
const oneRun = (model, wait) => {
  const [run] = stateOf(model).runs;
  const row = rowShown(model);
  return h(
    "div",
    { class: "al-one", "aria-busy": stale(wait)["aria-busy"] },
    run.listed && side(run, row),
    drawSight(run, row),
    messages(model, 0),
  );
};

/** @param {Model} model @param {Wait} wait */
const twoRuns = (model, wait) => {
  const state = stateOf(model);
  const row = rowShown(model);
  return h(
    "div",
    { class: "al-two", "aria-busy": stale(wait)["aria-busy"] },
    state.runs.map((run, n) =>
      h(
        "div",
        { class: "al-run", role: "group", "aria-label": run.title },
        messages(model, n),
        side(run, latestStep(state, n, row)),
      ),
    ),
  );
};

/**
 * The last step of a run up to a row: where the run stands while the other goes on.
 * @param {State} state
 * @param {number} index
 * @param {number} row
 */
const latestStep = (state, index, row) => {
  for (let place = row; place > 0; place -= 1) {
    const at = stepIn(state, index, place);
    if (at !== null) return at;
  }
  return 0;
};

/** @param {Model} model @param {Wait} wait */
const draw = (model, wait) => {
  const { runs, rows } = stateOf(model);
  return card(
    rows ? "Two runs" : runs[0].title,
    { class: "al-player", tabindex: -1, ...keys, onkeydown: pressed(model) },
    transport(model),
    strips(model),
    legend(),
    status(words(model, wait), { quiet: isQuiet(model) }),
    rows ? twoRuns(model, wait) : oneRun(model, wait),
  );
};

/**
 * While a run is played, only a reminder and the end are worth a word.
 * @param {Model} model
 */
const isQuiet = (model) => {
  if (!model.get("playing")) return false;
  const state = stateOf(model);
  const row = rowShown(model);
  const isReminded = state.runs.some((run, n) => run.steps[stepIn(state, n, row) ?? -1]?.reminded);
  return !isReminded && row < lastRow(model);
};

/**
 * Add the steps that came since the run was sent. Where some are missing, ask for all.
 * @param {Model} model
 */
const takeNews = (model) => {
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
  run.request = news.request ?? run.request;
  state.live = news.live;
  state.said = news.said;
};

/**
 * Show the end of what grows, and the beginning of what is new.
 * @param {HTMLElement} el
 */
const follow = (el) => {
  for (const pane of /** @type {NodeListOf<HTMLElement>} */ (
    el.querySelectorAll("[data-follow]")
  )) {
    const wanted = `${pane.dataset.follow} ${pane.scrollHeight} ${pane.clientHeight}`;
    if (pane.dataset.followed === wanted) continue;
    pane.dataset.followed = wanted;
    pane.scrollTop = pane.dataset.follow === "end" ? pane.scrollHeight : 0;
  }
};

export default {
  render(/** @type {Place} */ { model, el }) {
    const news = () => takeNews(model);
    news();
    model.on("change:news", news);
    const undraw = view(draw, owed).render({ model, el });
    const stop = playAlong(model);
    const scroll = () => follow(el);
    model.on("change", scroll);
    // The size of a pane follows from the page's width, and from that of the text.
    const sized = new ResizeObserver(scroll);
    sized.observe(el);
    // Who goes into a message wants to read it.
    const read = (/** @type {FocusEvent} */ { target }) => {
      const isReading = target instanceof Element && target.closest(".al-messages");
      if (model.get("playing") && isReading) set(model, { playing: false });
    };
    el.addEventListener("focusin", read);
    return () => {
      sized.disconnect();
      undraw();
      stop();
      model.off("change:news", news);
      model.off("change", scroll);
      el.removeEventListener("focusin", read);
    };
  },
};
