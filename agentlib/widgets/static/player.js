import { h } from "./dom.js";
import { button, card, hidden, keys, plural, stale, status } from "./parts.js";
import { counter, todoList } from "./todo_list.js";
import { NO_ANSWER, set, view } from "./view.js";

// Steps that are there already are shown without asking the kernel. Only a step that is still
// to come is asked of it, one at a time, by its number.
const PACE = 900;
const FOLDED = 8;
const PAGE = 10;

const last = (model) => Math.max(...model.get("state").runs.map((run) => run.steps.length)) - 1;

const go = (model, to) => set(model, { at: Math.min(Math.max(to, 0), last(model)) });

const owed = (model) => {
  if (model.get("busy")) return "busy";
  return model.get("state").live && model.get("asked") > last(model) ? "asked" : "";
};

const forward = (model) => {
  if (model.get("at") < last(model)) go(model, model.get("at") + 1);
  else if (model.get("state").live && !owed(model)) set(model, { asked: last(model) + 1 });
};

const more = (model) => model.get("at") < last(model) || model.get("state").live;

const pressed = (model) => (event) => {
  const steps = {
    ArrowLeft: -1,
    ArrowUp: -1,
    ArrowRight: 1,
    ArrowDown: 1,
    PageUp: -PAGE,
    PageDown: PAGE,
  };
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Home") go(model, 0);
  else if (event.key === "End") go(model, last(model));
  else if (steps[event.key] === 1) forward(model);
  else if (steps[event.key]) go(model, model.get("at") + steps[event.key]);
  else return;
  event.preventDefault();
};

const controls = (model) => {
  const at = model.get("at");
  const {
    live,
    differs: [difference],
  } = model.get("state");
  const playing = model.get("playing");
  const ask = live && at === last(model);
  return h(
    "div",
    { class: "al-transport", role: "group", "aria-label": "Steps", onkeydown: pressed(model) },
    button("|◀", () => go(model, 0), { "aria-label": "First step", off: at === 0 }),
    button("◀ Back", () => go(model, at - 1), { off: at === 0 }),
    button(playing ? "❚❚ Stop" : "▶ Play", () => set(model, { playing: !playing }), {
      off: !playing && !more(model),
      class: "al-button al-wide",
    }),
    button(ask ? "Ask the model ▶" : "Next ▶", () => forward(model), {
      off: !more(model) || (ask && owed(model) !== ""),
      class: "al-button al-main",
    }),
    button("▶|", () => go(model, last(model)), {
      "aria-label": "Last step",
      off: at === last(model),
    }),
    difference != null && button("First difference", () => go(model, difference)),
  );
};

const overview = (model, id) => {
  const { runs, differs } = model.get("state");
  const at = model.get("at");
  const several = runs.length > 1;
  return h(
    "div",
    { class: "al-overview" },
    several &&
      h(
        "div",
        { class: "al-round al-round-titles", "aria-hidden": "true" },
        h("span", { class: "al-number" }),
        runs.map(({ title }) => h("span", { class: "al-head-words" }, title)),
        h("span", { class: "al-differs" }),
      ),
    h(
      "div",
      {
        class: "al-rounds al-home",
        role: "listbox",
        tabindex: 0,
        ...keys,
        onkeydown: pressed(model),
        "aria-label": several
          ? `Rounds of ${runs.map(({ title }) => title).join(", and of ")}`
          : "Rounds",
        "aria-activedescendant": `${id}-${at}`,
      },
      Array.from({ length: last(model) + 1 }, (_, n) =>
        h(
          "div",
          {
            role: "option",
            class: "al-round",
            id: `${id}-${n}`,
            "aria-selected": n === at ? "true" : "false",
            onclick: () => go(model, n),
          },
          h("span", { class: "al-number" }, n === 0 ? "" : `${n}`),
          runs.map(({ steps }) =>
            h(
              "span",
              { class: "al-head-words" },
              steps[n]?.head ?? "over",
              steps[n]?.reminded && h("span", { class: "al-reminder" }, "reminder"),
            ),
          ),
          several &&
            h(
              "span",
              { class: "al-differs" },
              differs.includes(n) && [h("span", { "aria-hidden": "true" }, "≠"), hidden("differs")],
            ),
        ),
      ),
    ),
  );
};

const piece = ({ name, text, lines }) =>
  h(
    "div",
    {
      class:
        name === "reminder"
          ? "al-part al-is-reminder"
          : `al-part${lines === 1 ? " al-inline" : ""}`,
    },
    name && h("span", { class: "al-part-name" }, name),
    lines <= FOLDED
      ? h("pre", { class: "al-pre" }, text)
      : h(
          "details",
          { class: "al-fold" },
          h(
            "summary",
            keys,
            h(
              "pre",
              { class: "al-pre al-preview" },
              text
                .split("\n")
                .slice(0, FOLDED - 3)
                .join("\n"),
            ),
            h("span", { class: "al-more-lines" }, `all ${lines} lines`),
          ),
          h("pre", { class: "al-pre" }, text),
        ),
  );

const message = ({ role, blocks, json }, key) =>
  h(
    "div",
    { class: `al-message al-role-${role}`, key },
    h("div", { class: "al-role" }, role),
    blocks.map(({ type, note, parts }) =>
      h(
        "div",
        { class: `al-block al-type-${type}` },
        h("div", { class: "al-type" }, h("code", {}, type), note && h("strong", {}, note)),
        parts.map(piece),
      ),
    ),
    h(
      "details",
      { class: "al-json" },
      h("summary", keys, "as JSON"),
      h(
        "pre",
        {
          class: "al-pre",
          tabindex: 0,
          "aria-label": "The message as JSON",
          role: "region",
          ...keys,
        },
        json,
      ),
    ),
  );

const messages = (model, { steps }) => {
  const at = model.get("at");
  const turns = steps[at]?.turns ?? [];
  const none =
    at >= steps.length
      ? `This run is over: it took ${plural(steps.length - 1, "round")}.`
      : at === 0
        ? "The prompt was not given to this player."
        : "This step added no message.";
  return h(
    "div",
    { class: "al-messages" },
    turns.length > 0
      ? turns.map((turn, n) => message(turn, `${at}.${n}`))
      : h("p", { class: "al-empty" }, none),
  );
};

const run = (model, each, several) => {
  const { title, steps, listed } = each;
  const at = model.get("at");
  const step = steps[Math.min(at, steps.length - 1)];
  const list = several ? { ...step.plan, title } : step.plan;
  return h(
    "div",
    { class: "al-run", ...(several && { role: "group", "aria-label": title }) },
    listed &&
      h("div", { class: "al-side" }, todoList(list), at < steps.length && counter(step.counter)),
    several && !listed && h("div", { class: "al-title al-side" }, title),
    messages(model, each),
  );
};

const outcome = (model, { title, steps, listed }, several) => {
  const step = steps[model.get("at")];
  const lead = several ? `${title}: ` : "";
  if (!step) return `${lead}over.`;
  return `${lead}${step.did}${step.reminded ? ", then a reminder" : ""}.${listed ? ` List: ${step.status}.` : ""}`;
};

const words = (model, wait) => {
  const { runs, said, live } = model.get("state");
  const several = runs.length > 1;
  const at = model.get("at");
  const end = last(model);
  if (wait === "silent") return NO_ANSWER;
  if (wait === "slow" && at === end) return "Asking the model, and doing what it asks for…";
  if (end === 0 && !live) return ["This run has no rounds.", said].filter(Boolean).join(" ");
  const spent = several
    ? 0
    : runs[0].steps.slice(0, at + 1).reduce((sum, step) => sum + step.spent, 0);
  return [
    ...(at === 0
      ? ["Before the first round."]
      : [
          `Round ${at}${live ? "" : ` of ${end}`}${several ? "." : ":"}`,
          ...runs.map((each) => outcome(model, each, several)),
        ]),
    spent ? `${spent.toLocaleString("en")} tokens so far.` : "",
    said,
  ]
    .filter(Boolean)
    .join(" ");
};

const draw = (model, wait, id) => {
  const { runs } = model.get("state");
  const several = runs.length > 1;
  return card(
    several ? "Two runs" : runs[0].title,
    { class: "al-player" },
    controls(model),
    status(words(model, wait)),
    h(
      "div",
      { class: several ? "al-two" : "al-one" },
      overview(model, id),
      h(
        "div",
        { class: "al-runs", "aria-busy": stale(wait)["aria-busy"] },
        runs.map((each) => run(model, each, several)),
      ),
    ),
  );
};

// Takes a step now and then while it is played. A view that is gone takes none; and where there
// are two views of one player, the second finds the step already taken.
const player = (model) => {
  let timer;
  const play = () => {
    clearTimeout(timer);
    if (!model.get("playing")) return;
    if (!more(model)) return set(model, { playing: false });
    const at = model.get("at");
    timer = setTimeout(() => {
      if (model.get("at") === at) forward(model);
      play();
    }, PACE);
  };
  model.on("change:playing", play);
  play();
  return () => {
    clearTimeout(timer);
    model.off("change:playing", play);
  };
};

const showChosen = (el) => {
  const list = el.querySelector(".al-rounds");
  const chosen = list.querySelector("[aria-selected=true]");
  list.scrollTop = chosen.offsetTop - (list.clientHeight - chosen.offsetHeight) / 2;
};

export default {
  render({ model, el }) {
    const id = `agentlib-${Math.random().toString(36).slice(2)}`;
    const clean = view((model, wait) => draw(model, wait, id), owed).render({ model, el });
    const stop = player(model);
    const follow = () => showChosen(el);
    model.on("change", follow);
    requestAnimationFrame(follow);
    // Who goes into a message wants to read it.
    const read = ({ target }) => {
      if (model.get("playing") && target.closest(".al-messages")) set(model, { playing: false });
    };
    el.addEventListener("focusin", read);
    return () => {
      clean();
      stop();
      model.off("change", follow);
      el.removeEventListener("focusin", read);
    };
  },
};
