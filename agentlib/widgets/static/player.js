// Steps that are there already are shown without asking the kernel. Only a step that is still
// to come is asked of it, one at a time.
const PACE = 900;
const FOLDED = 8;

const last = (model) => Math.max(...model.get("state").runs.map((run) => run.steps.length)) - 1;

const go = (model, to) => set(model, { at: Math.min(Math.max(to, 0), last(model)) });

const forward = (model) => {
  if (model.get("at") < last(model)) go(model, model.get("at") + 1);
  else if (model.get("state").live && !model.get("busy")) model.send({ ask: "next" });
};

const more = (model) => model.get("at") < last(model) || model.get("state").live;

const pressed = (model) => (event) => {
  const steps = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Home") go(model, 0);
  else if (event.key === "End") go(model, last(model));
  else if (steps[event.key] === 1) forward(model);
  else if (steps[event.key] === -1) go(model, model.get("at") - 1);
  else return;
  event.preventDefault();
};

const controls = (model) => {
  const at = model.get("at");
  const { live, differs: [difference], runs } = model.get("state");
  const playing = model.get("playing");
  return h("div", { class: "al-transport", role: "toolbar", "aria-label": "Steps", onkeydown: pressed(model) },
    button("|◀", () => go(model, 0), { "aria-label": "First step", off: at === 0 }),
    button("◀ Back", () => go(model, at - 1), { off: at === 0 }),
    button(playing ? "❚❚ Stop" : "▶ Play", () => set(model, { playing: !playing }), { off: !playing && !more(model), class: "al-button al-wide" }),
    button(live && at === last(model) ? "Ask the model ▶" : "Next ▶", () => forward(model), { off: !more(model), class: "al-button al-main" }),
    button("▶|", () => go(model, last(model)), { "aria-label": "Last step", off: at === last(model) }),
    runs.length > 1 && button("First difference", () => go(model, difference ?? 0), { off: difference == null }),
    running(model.get("busy")));
};

const overview = (model, id) => {
  const { runs, differs } = model.get("state");
  const at = model.get("at");
  return h("div", {
    class: "al-rounds", role: "listbox", tabindex: 0, "aria-label": "Rounds", ...keys,
    "aria-activedescendant": `${id}-${at}`, onkeydown: pressed(model),
  }, Array.from({ length: last(model) + 1 }, (_, n) =>
    h("div", {
      role: "option", class: "al-round", id: `${id}-${n}`,
      "aria-selected": n === at ? "true" : "false", onclick: () => go(model, n),
    },
    h("span", { class: "al-number" }, n === 0 ? "" : `${n}`),
    runs.map(({ steps }) => h("span", { class: "al-head-words" }, steps[n]?.head ?? "over",
      steps[n]?.reminded && h("span", { class: "al-reminder" }, "reminder"))),
    runs.length > 1 && h("span", { class: "al-differs" },
      differs.includes(n) && [h("span", { "aria-hidden": "true" }, "≠"), hidden("differs")]))));
};

const piece = ({ name, text, lines }) =>
  h("div", { class: name === "reminder" ? "al-part al-is-reminder" : `al-part${lines === 1 ? " al-inline" : ""}` },
    name && h("span", { class: "al-part-name" }, name),
    lines <= FOLDED
      ? h("pre", { class: "al-pre" }, text)
      : h("details", { class: "al-fold" },
          h("summary", keys,
            h("pre", { class: "al-pre al-preview" }, text.split("\n").slice(0, FOLDED - 3).join("\n")),
            h("span", { class: "al-more-lines" }, `all ${lines} lines`)),
          h("pre", { class: "al-pre" }, text)));

const message = ({ role, blocks, json }, key) =>
  h("div", { class: `al-message al-role-${role}`, key },
    h("div", { class: "al-role" }, role),
    blocks.map(({ type, note, parts }) =>
      h("div", { class: `al-block al-type-${type}` },
        h("div", { class: "al-type" }, h("code", {}, type), note && h("strong", {}, note)),
        parts.map(piece))),
    h("details", { class: "al-json" },
      h("summary", keys, "as JSON"),
      h("pre", { class: "al-pre", tabindex: 0, "aria-label": "The message as JSON", role: "region", ...keys }, json)));

const run = ({ title, steps }, at, several) => {
  const step = steps[Math.min(at, steps.length - 1)];
  return h("div", { class: "al-run" },
    several && h("h3", { class: "al-run-title" }, title, at >= steps.length && " (over)"),
    h("div", { class: "al-stage" },
      h("div", { class: "al-messages" },
        step.turns.length > 0
          ? step.turns.map((turn, n) => message(turn, `${at}.${n}`))
          : h("p", { class: "al-empty" }, "This step added no message.")),
      h("div", { class: "al-side" }, plan(step.plan), counter(step.counter))));
};

const words = (model) => {
  const { runs, said } = model.get("state");
  const at = model.get("at");
  const each = runs.map(({ title, steps }) => {
    const step = steps[at];
    const lead = runs.length > 1 ? `${title}: ` : "";
    return step ? `${lead}${step.head}${step.reminded ? ", then a reminder" : ""}; ${step.status}.` : `${lead}over.`;
  });
  const spent = runs.length === 1 ? runs[0].steps.slice(0, at + 1).reduce((sum, step) => sum + step.spent, 0) : 0;
  return [
    ...(at === 0 ? ["Before the first round."] : [`Round ${at} of ${last(model)}.`, ...each]),
    spent ? `${spent.toLocaleString("en")} tokens so far.` : "", said,
  ].filter(Boolean).join(" ");
};

const draw = (model, id) => {
  const { runs } = model.get("state");
  return card(runs.length > 1 ? "Two runs" : runs[0].title, { class: "al-player" },
    controls(model), status(words(model)),
    h("div", { class: runs.length > 1 ? "al-two" : "al-one" },
      overview(model, id),
      h("div", { class: "al-runs" }, runs.map((each) => run(each, model.get("at"), runs.length > 1)))));
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
  return () => { clearTimeout(timer); model.off("change:playing", play); };
};

const showChosen = (el) => {
  const list = el.querySelector(".al-rounds");
  const chosen = list.querySelector("[aria-selected=true]");
  list.scrollTop = chosen.offsetTop - list.clientHeight / 2;
};

export default {
  render({ model, el }) {
    const id = `agentlib-${Math.random().toString(36).slice(2)}`;
    const clean = view((model) => draw(model, id)).render({ model, el });
    const stop = player(model);
    const follow = () => showChosen(el);
    model.on("change", follow);
    requestAnimationFrame(follow);
    return () => { clean(); stop(); model.off("change", follow); };
  },
};
