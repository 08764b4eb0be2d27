// The walk: a recorded run, station by station, or line by line inside a station.

import { button, card, hidden, keys, status } from "./components.js";
import { div, h, span } from "./dom.js";
import { clamp, press } from "./keyboard.js";
import { takesKeys } from "./presentation.js";
import { counter } from "./todo_list.js";
import { focusOn, set, view } from "./view.js";

/**
 * A statement that ran: its function, its lines, the functions that wait for it, what it said and
 * set, and what it changed. An index in `messages` stands for each message.
 * @typedef {{ f: number, a: number, z: number, waits?: [number, number][], said?: string,
 *   error?: string, times: number, values?: string[], count?: number, items?: Entry[],
 *   messages?: number[] }} WalkStep
 * @typedef {[string, string]} Entry a task's text and its status
 * @typedef {{ count: number | null, items: Entry[], messages: number[] }} Now
 *
 * The steps `from` … `to` of a station; the step `key` says most about it.
 * @typedef {{ name: string, title: string, words: string, from: number, to: number,
 *   key: number }} Station
 * @typedef {{ round: number, eager: boolean, start: Now, steps: WalkStep[],
 *   stations: Station[] }} Part
 * @typedef {{ name: string, counter: string, problem: string, lines: number,
 *   parts: Part[] }} Film
 * @typedef {{ at: number, before: number, ask: string, choices: string[], right: number,
 *   why: string }} Question
 * @typedef {{ role: string, mark: string, text: string, look: string,
 *   sent: Entry[] | null }} Drawn
 * @typedef {{ file: string, name: string, inLoop: boolean, lines: [number, string][] }} Code
 * @typedef {{ whose: string, films: Film[], functions: Code[], messages: Drawn[], rules: string[],
 *   titles: string[], after: number, mistake: number, package: number,
 *   questions: Question[] }} Walk
 *
 * What is shown of a film: the steps of the station, the step that is shown, the last step whose
 * effects are shown, and whether the next step waits for an answer.
 * @typedef {{ film: Film, part: Part, from: number, to: number, key: number, last: number,
 *   isLine: boolean, isAsked: boolean }} Shot
 */

const PACE_MS = 2500;
const SHORT = ["request", "called", "checked", "replaced", "counted", "reminder"];

/** @param {Model} model @returns {Walk} */
const walkOf = (model) => model.get("state");

/** @param {Walk} walk */
const placesOf = ({ films }) =>
  films[0].parts.flatMap((part, p) => part.stations.map((station) => ({ part, p, station })));

/** @param {Model} model */
const here = (model) => {
  const places = placesOf(walkOf(model));
  return places[clamp(model.get("at"), 0, places.length - 1)];
};

/** @param {Model} model @param {number} n @returns {number | undefined} */
const answerTo = (model, n) => model.get("answers")[n];

/** Return the number of the question that is open now, or -1. @param {Model} model */
const openQuestion = (model) => {
  const [at, line] = [model.get("at"), model.get("line")];
  const { station } = here(model);
  return walkOf(model).questions.findIndex(
    (one, n) =>
      one.at === at &&
      answerTo(model, n) == null &&
      (line < 0 || station.from + line >= one.before),
  );
};

/** Return the film that is next to the first one: 0 is none. @param {Model} model */
const besideOf = (model) => {
  const { films, mistake } = walkOf(model);
  const { part, station } = here(model);
  const chosen = model.get("beside");
  const beside = chosen >= 0 ? chosen : part.eager && "23".includes(station.name) ? mistake : 0;
  return films[beside]?.parts.some(({ round }) => round === part.round) && station.name
    ? beside
    : 0;
};

/** Go to a station, at its line `line`, or as a whole (-1).
 * @param {Model} model @param {number} at @param {number} [line] */
const go = (model, at, line = -1) =>
  set(model, { at: clamp(at, 0, placesOf(walkOf(model)).length - 1), line });

/** Go on, or back, by a line or by a station; not past a question. @param {Model} model
 * @param {1 | -1} by @returns {boolean} */
const step = (model, by) => {
  const [at, line, places] = [model.get("at"), model.get("line"), placesOf(walkOf(model))];
  const { station } = here(model);
  if (by > 0 && openQuestion(model) >= 0) return false;
  const to = line + by;
  const next = places[at + by]?.station;
  if (line >= 0 && to >= 0 && station.from + to < station.to) go(model, at, to);
  else if (!next) return false;
  else if (line < 0) go(model, at + by);
  else go(model, at + by, by > 0 ? 0 : next.to - next.from - 1);
  return true;
};

/** @param {Model} model @param {number} choice */
const answer = (model, choice) => {
  const n = openQuestion(model);
  if (n >= 0 && choice < walkOf(model).questions[n].choices.length)
    set(model, { answers: { ...model.get("answers"), [n]: choice } });
};

/** @param {Model} model @param {Event} event */
const stepOrAsk = (model, event) => {
  if (step(model, 1)) return;
  const widget = /** @type {HTMLElement} */ (event.currentTarget).closest(".agentlib");
  focusOn(widget?.querySelector(".al-walk-choices button") ?? null);
};

/** Return what is shown of the first film. @param {Model} model @returns {Shot} */
const mainShot = (model) => {
  const { films, questions } = walkOf(model);
  const { part, station } = here(model);
  const [line, open] = [model.get("line"), openQuestion(model)];
  const isAsked = open >= 0;
  const key = isAsked ? questions[open].before : line < 0 ? station.key : station.from + line;
  const last = isAsked ? key - 1 : line < 0 ? station.to - 1 : key;
  return {
    film: films[0],
    part,
    from: station.from,
    to: station.to,
    key,
    last,
    isLine: line >= 0,
    isAsked,
  };
};

/** Return what is shown of the film beside it: the same station, and what it has before the next.
 * @param {Model} model @param {Shot} main @param {number} beside @returns {Shot} */
const besideShot = (model, main, beside) => {
  const film = walkOf(model).films[beside];
  const { station } = here(model);
  const part = film.parts.find(({ round }) => round === main.part.round) ?? film.parts[0];
  const next = main.part.stations.find(({ name }) => name > station.name);
  const mine = part.stations.filter(
    ({ name }) => name >= station.name && (!next || name < next.name),
  );
  const [from, to] = [mine[0]?.from ?? 0, mine.at(-1)?.to ?? part.steps.length];
  const at = clamp(from + main.key - main.from, from, to - 1);
  const key = main.isAsked || main.isLine ? at : (mine.at(-1)?.key ?? at);
  const last = main.isAsked ? key - 1 : main.isLine ? key : to - 1;
  return { ...main, film, part, from, to, key, last };
};

/** Return the count, the list and the messages after a step. @param {Part} part @param {number} last */
const nowAt = ({ start, steps }, last) =>
  steps.slice(0, last + 1).reduce(
    (now, { count = now.count, items = now.items, messages = now.messages }) => ({
      count,
      items,
      messages,
    }),
    start,
  );

// The code

const WORDS =
  "False None True and as assert break case class continue def elif else except finally for from if " +
  "import in is lambda match not or pass raise return try while with yield";
const TOKEN = new RegExp(
  [
    "(?<note>#.*$)",
    "(?<string>(?:\\b[bfru]{1,2})?(?:\"(?:[^\"\\\\]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)*'))",
    `(?<word>\\b(?:${WORDS.replaceAll(" ", "|")})\\b)`,
    "(?<name>(?<=\\b(?:def|class) )\\w+)",
    "(?<number>\\b\\d[\\w.]*)",
  ].join("|"),
  "g",
);

/** Return a line of Python in colours. @param {string} text @returns {Child[]} */
const colour = (text) => {
  /** @type {Child[]} */
  const parts = [];
  let done = 0;
  for (const found of text.matchAll(TOKEN)) {
    const kind = Object.entries(found.groups ?? {}).find(([, value]) => value != null);
    parts.push(text.slice(done, found.index), span(`al-code-${kind?.[0]}`, found[0]));
    done = found.index + found[0].length;
  }
  return [...parts, text.slice(done)];
};

/** Draw what a step said and changed, after its line. @param {Shot} shot @param {number} place */
const chips = ({ film, part }, place) => {
  const { said, error, times, values = [], count, items, messages } = part.steps[place];
  const before = nowAt(part, place - 1);
  return [
    times > 1 && span("al-chip", `${times} times`),
    said && span("al-chip", said),
    count != null &&
      film.counter &&
      span("al-chip al-chip-count", `${film.counter} ${before.count} → ${count}`),
    items && span("al-chip al-chip-list", "self.items changes"),
    messages &&
      span(
        "al-chip al-chip-messages",
        messages.length > before.messages.length
          ? `messages ${before.messages.length} → ${messages.length}`
          : `message ${messages.length} changes`,
      ),
    error
      ? span("al-chip al-chip-error", error)
      : !count && !items && !messages && values.map((value) => span("al-chip", value)),
  ];
};

/** Draw the function that runs, and those that wait for it.
 * @param {Walk} walk @param {Shot} shot */
const drawCode = ({ functions }, shot) => {
  const { film, part, from, to, key, last, isLine, isAsked } = shot;
  const { steps } = part;
  const { f, waits = [] } = steps[key];
  const { file, name, lines, inLoop } = functions[f];
  /** @type {Map<number, number>} the last step of each line */
  const ran = new Map();
  steps.forEach((one, n) => {
    if (n <= last && one.f === f) ran.set(one.a, n);
  });
  const isIn = (/** @type {WalkStep} */ one, /** @type {number} */ number) =>
    one.f === f && number >= one.a && number <= one.z;
  const failed = steps.findLast((one, n) => n <= last && one.f === f && one.error);
  const drawLine = (/** @type {[number, string]} */ [number, text]) => {
    const place = ran.get(number);
    const isNote = /^\s*#/.test(text);
    const isNow =
      !isNote &&
      steps.some(
        (one, n) =>
          isIn(one, number) && (isLine || isAsked ? n === key : n >= from && n < to && n <= last),
      );
    const isLost =
      failed &&
      !inLoop &&
      number > failed.z &&
      /^\s*[^#\s]/.test(text) &&
      !steps.some((one) => isIn(one, number));
    const look = isNow ? "al-now" : place != null ? "al-ran" : isLost ? "al-never" : "";
    return div(
      `al-line ${look} ${isNow && place != null && steps[place].error ? "al-fails" : ""}`,
      h("i", { "aria-hidden": "true" }, `${number}`),
      h(
        "code",
        { style: `--in: ${text.search(/\S|$/)}` },
        isNow && isLine && hidden("this line: "),
        h(isLost ? "s" : "span", {}, colour(text.trim())),
        place != null && (!isAsked || !isNow) && chips(shot, place),
        isLost && span("al-chip al-chip-error", "not reached"),
      ),
    );
  };
  return div(
    "al-walk-code",
    h(
      "ol",
      { class: "al-walk-callers", "aria-label": "The functions that wait" },
      waits.map(([one, line]) =>
        h(
          "li",
          { class: "al-one-line" },
          h("b", {}, functions[one].name),
          ` ${line}  ${functions[one].lines.find(([number]) => number === line)?.[1].trim()}`,
        ),
      ),
      h("li", { class: "al-one-line al-walk-here" }, h("b", {}, `${name}()`), `  ${file}`),
    ),
    h(
      "div",
      {
        class: "al-walk-lines al-scroll",
        tabindex: 0,
        role: "region",
        "aria-label": `${name}, of ${film.name}`,
        "data-to": `${part.round} ${f} ${key} ${last}`,
        ...keys,
      },
      lines.map(drawLine),
    ),
  );
};

// What changes

/** @type {Record<string, [string, string]>} */
const MARKS = { completed: ["claimed", "✓"], in_progress: ["current", "▸"], pending: ["open", ""] };

/** @param {Entry | undefined} entry @param {string} [more] */
const mark = (entry, more = "") => {
  const [look, sign] = MARKS[entry?.[1] ?? ""] ?? ["open", entry ? "?" : ""];
  return h(
    "span",
    { class: `al-mark al-${look} ${more}`, title: entry?.join(": ") },
    sign,
    hidden(entry?.[1].replace("_", " ") ?? ""),
  );
};

/** @param {Walk} walk @param {Shot} shot @param {boolean} isNarrow */
const drawNow = (walk, shot, isNarrow) => {
  const { film, part, from, last } = shot;
  const now = nowAt(part, last);
  const before = nowAt(part, Math.min(from - 1, last));
  const result = walk.messages[now.messages.at(-1) ?? 0];
  const sent = walk.messages[now.messages.at(-2) ?? 0]?.sent;
  const isRejected =
    result?.look === "failed" || part.steps.some((one, n) => n <= last && one.error);
  const isNew = JSON.stringify(now.items) !== JSON.stringify(part.start.items);
  const isLost = isNew && isRejected;
  const words = isLost
    ? "the old list is lost"
    : isNew
      ? "the new list"
      : sent && isRejected
        ? "the old list, unchanged"
        : "the old list";
  const shows = sent && !isNew;
  const changed = now.count !== before.count;
  return div(
    "al-walk-now",
    film.counter &&
      div(
        changed ? "al-walk-count al-changed" : "al-walk-count",
        h("code", {}, `${film.counter} = ${now.count}`),
        counter({ waited: now.count ?? 0, after: walk.after, reminded: false }),
      ),
    div("al-head", span("al-title", h("code", {}, "self.items"), `: ${words}`)),
    isNarrow
      ? [
          div(
            "al-walk-marks",
            now.items.map((one) => mark(one)),
          ),
          div(
            "al-note",
            shows
              ? isRejected
                ? "sent by the model, and rejected:"
                : "sent by the model:"
              : "\u00a0",
          ),
          div(
            "al-walk-marks",
            shows
              ? sent.map((one) =>
                  mark(one, isRejected ? "al-walk-sent al-walk-bad" : "al-walk-sent"),
                )
              : span("al-mark al-walk-none"),
          ),
        ]
      : [
          div(
            "al-note",
            shows
              ? `in the last column, what the model sent${isRejected ? ", and was rejected" : ""}`
              : "\u00a0",
          ),
          h(
            "ol",
            {},
            now.items.map((one, n) =>
              h(
                "li",
                { class: `al-walk-item al-${one[1]}` },
                mark(one),
                span("al-one-line", one[0]),
                shows && mark(sent[n], isRejected ? "al-walk-sent al-walk-bad" : "al-walk-sent"),
              ),
            ),
          ),
        ],
    // In two films they are equal, and only take space.
    !isNarrow && drawMessages(walk, now, before),
  );
};

/** @param {Walk} walk @param {Now} now @param {Now} before */
const drawMessages = (walk, now, before) => {
  const first = Math.max(0, now.messages.length - 6);
  return [
    div(
      "al-head",
      span("al-title", `${now.messages.length} messages`),
      span("al-note", "the last ones"),
    ),
    h(
      "ol",
      { class: "al-walk-messages" },
      now.messages.slice(first).map((id, n) => {
        const { role, mark: sign, text, look } = walk.messages[id];
        const isChanged = before.messages[first + n] !== id;
        return h(
          "li",
          {
            key: `${first + n} ${id}`,
            class: `al-walk-message al-is-${role} al-is-${look} ${isChanged ? "al-changed" : ""} ${sign === "≡" ? "al-is-plan" : ""}`,
          },
          h("i", {}, `${first + n + 1}`),
          span("al-one-line", `${role}: ${text}`),
          sign === "▼" && h("b", {}, "reminder"),
        );
      }),
    ),
  ];
};

/** @param {Walk} walk @param {Shot} shot @param {boolean} areTwo */
const lane = (walk, shot, areTwo) =>
  h(
    "section",
    { class: "al-walk-lane", "aria-label": shot.film.name },
    areTwo && h("h3", {}, shot.film.name),
    drawCode(walk, shot),
    drawNow(walk, shot, areTwo),
  );

// Above the code: the track, the buttons, the words

/** @param {Model} model */
const track = (model) => {
  const walk = walkOf(model);
  const places = placesOf(walk);
  return h(
    "div",
    { class: "al-walk-track", role: "group", "aria-label": "Stations" },
    walk.titles.map((title, p) =>
      h(
        "div",
        {
          class: "al-walk-part",
          style: `flex-grow: ${places.filter((one) => one.p === p).length}`,
        },
        span("al-one-line", title),
        div(
          "al-walk-stations",
          places.map(
            (one, at) =>
              one.p === p &&
              button(
                [
                  h("b", {}, one.station.name),
                  at === model.get("at") && span("", SHORT[Number(one.station.name)]),
                ],
                () => go(model, at),
                {
                  class: `al-walk-station al-station-${one.station.name} ${at < model.get("at") ? "al-past" : ""}`,
                  "aria-current": at === model.get("at") ? "step" : null,
                  "aria-label": `${title}: ${one.station.name} ${one.station.title}`,
                  title: one.station.title,
                },
              ),
          ),
        ),
      ),
    ),
  );
};

/** @param {Model} model */
const buttons = (model) => {
  const walk = walkOf(model);
  const { station } = here(model);
  const [at, line, isAsked] = [model.get("at"), model.get("line"), openQuestion(model) >= 0];
  const count = placesOf(walk).length;
  const isEnd = at === count - 1 && (line < 0 || line === station.to - station.from - 1);
  const beside = besideOf(model);
  const choose = (/** @type {string} */ words, /** @type {number} */ film) =>
    film > 0 &&
    button(words, () => set(model, { beside: beside === film ? 0 : film }), {
      "aria-pressed": String(beside === film),
    });
  return h(
    "div",
    { class: "al-transport", role: "group", "aria-label": "Steps" },
    button("◀", () => step(model, -1), { "aria-label": "Back", off: at === 0 && line < 1 }),
    button(model.get("playing") ? "❚❚ Pause" : "▶ Play", () => togglePlaying(model), {
      class: "al-button al-wide",
    }),
    button(
      isAsked ? "Answer first" : line < 0 ? "Next station ▶" : "Next line ▶",
      (event) => stepOrAsk(model, event),
      {
        class: "al-button al-main al-home",
        off: isEnd && !isAsked,
      },
    ),
    button(line < 0 ? "↓ Line by line" : "↑ Whole station", () => go(model, at, line < 0 ? 0 : -1)),
    span(
      "al-count",
      line < 0 ? `${at + 1} of ${count}` : `line ${line + 1} of ${station.to - station.from}`,
    ),
    span("al-walk-space"),
    here(model).part.eager && choose("With one mistake", walk.mistake),
    choose("The package", walk.package),
  );
};

/** @param {Model} model */
const togglePlaying = (model) => {
  const isEnd = model.get("at") === placesOf(walkOf(model)).length - 1;
  if (isEnd && !model.get("playing")) go(model, 0);
  set(model, { playing: !model.get("playing") });
};

/** Return what a step does, in one sentence. @param {Walk} walk @param {Shot} shot */
const sayLine = ({ functions }, { part, film, key }) => {
  const { f, a, said, error, count, items, messages } = part.steps[key];
  const changes = [
    count != null && film.counter && `${film.counter} is now ${count}`,
    items && "self.items changes",
    messages && `message ${messages.length} is new or changes`,
    error && `it raises ${error}`,
    said && `it says ${said}`,
  ].filter(Boolean);
  return `Line ${a} of ${functions[f].name}() has run${changes.length ? `: ${changes.join(", ")}` : ""}.`;
};

/** @param {Model} model @param {Shot} shot */
const words = (model, shot) => {
  const walk = walkOf(model);
  const { station } = here(model);
  const open = openQuestion(model);
  const verdicts = walk.questions.flatMap(({ at, choices, right, why }, n) => {
    const said = answerTo(model, n);
    if (at !== model.get("at") || said == null || shot.isLine) return [];
    return h(
      "p",
      {},
      said === right
        ? h("strong", { class: "al-good" }, "Right. ")
        : [
            h("strong", { class: "al-bad" }, `You said: ${choices[said]}. `),
            `It is: ${choices[right]}. `,
          ],
      why,
    );
  });
  const asked = walk.questions[open];
  return div(
    asked ? "al-walk-say al-walk-asks" : "al-walk-say",
    h(
      "div",
      { role: "status" },
      verdicts.length === 0 && h("h2", {}, `${station.name} ${station.title}`),
      verdicts,
      asked
        ? h("p", {}, h("strong", {}, `Before it runs: ${asked.ask}`))
        : (shot.isLine || verdicts.length === 0) &&
            h("p", {}, shot.isLine ? sayLine(walk, shot) : station.words),
    ),
    asked &&
      h(
        "div",
        { class: "al-walk-choices", role: "group", "aria-label": "Your answer" },
        asked.choices.map((choice, n) =>
          button(choice, () => answer(model, n), { class: "al-button al-one-line" }),
        ),
      ),
  );
};

/** @param {Model} model */
const pressed = (model) => (/** @type {KeyboardEvent} */ event) => {
  const target = /** @type {Element} */ (event.target);
  const at = model.get("at");
  press({
    ArrowRight: () => stepOrAsk(model, event),
    ArrowLeft: () => step(model, -1),
    ArrowDown: () => model.get("line") < 0 && go(model, at, 0),
    ArrowUp: () => go(model, at),
    ...Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => [n, () => answer(model, n - 1)])),
    ...(target.closest("button, summary") ? {} : { " ": () => togglePlaying(model) }),
  })(event);
};

/** @param {Model} model */
const draw = (model) => {
  const walk = walkOf(model);
  const [film] = walk.films;
  if (film.parts.length === 0)
    return card(
      "One reminder, line by line",
      { class: "al-walk" },
      status(`${walk.whose} ${film.problem}`),
    );
  const main = mainShot(model);
  const beside = besideOf(model);
  const shots = beside ? [main, besideShot(model, main, beside)] : [main];
  const shown = film.parts.reduce((sum, { steps }) => sum + steps.length, 0);
  return card(
    "One reminder, line by line",
    { model, class: "al-walk", tabindex: -1, ...keys, ...takesKeys, onkeydown: pressed(model) },
    h(
      "p",
      { class: "al-note" },
      walk.whose,
      film.problem && h("strong", { class: "al-bad" }, ` ${film.problem}`),
    ),
    track(model),
    words(model, main),
    buttons(model),
    div(
      beside ? "al-walk-stage al-walk-two" : "al-walk-stage",
      shots.map((shot) => lane(walk, shot, beside > 0)),
    ),
    h(
      "details",
      { class: "al-note" },
      h(
        "summary",
        keys,
        `${shown} steps of ${film.lines.toLocaleString("en")} lines that ran: which are left out`,
      ),
      walk.rules.map((rule) => h("p", {}, rule)),
    ),
  );
};

/** Scroll each function to its first line of this step. @param {HTMLElement} el */
const follow = (el) => {
  for (const pane of /** @type {NodeListOf<HTMLElement>} */ (
    el.querySelectorAll(".al-walk-lines")
  )) {
    if (pane.dataset.to === pane.dataset.followed) continue;
    pane.dataset.followed = pane.dataset.to;
    const all = /** @type {NodeListOf<HTMLElement>} */ (pane.querySelectorAll(".al-now"));
    const line = pane.querySelector(".al-fails") ? all[all.length - 1] : all[0];
    pane.scrollTop = line ? line.offsetTop - pane.offsetTop - pane.clientHeight * 0.35 : 0;
  }
};

export default {
  render(/** @type {Place} */ { model, el }) {
    const undraw = view(draw).render({ model, el });
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    const play = () => {
      clearTimeout(timer);
      if (!model.get("playing")) return;
      timer = setTimeout(() => {
        if (step(model, 1)) play();
        else set(model, { playing: false });
      }, PACE_MS);
    };
    const scroll = () => follow(el);
    model.on("change", scroll);
    model.on("change:playing", play);
    const sized = new ResizeObserver(scroll);
    sized.observe(el);
    return () => {
      clearTimeout(timer);
      sized.disconnect();
      undraw();
      model.off("change", scroll);
      model.off("change:playing", play);
    };
  },
};
