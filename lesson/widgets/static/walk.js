// The walk: a recorded run, station by station, or line by line inside a station.

import { button, card, folded, keys } from "./components.js";
import { b, div, h, h2, h3, li, p, section, span, strong } from "./dom.js";
import { clamp, press, widgetOf } from "./input.js";
import { takesKeys } from "./presentation.js";
import { counter, todoList } from "./todo_list.js";
import { focusOn, movie, set } from "./view.js";

/**
 * A statement that ran: its function, its lines, the functions that wait for it, what it did (each
 * with its look, and as a sentence), and the state after it.
 * @typedef {{ f: number, a: number, z: number, waits: [number, number][],
 *   chips: [string, string][], said: string, now: number }} Step
 *
 * A state: the count, the list, what the model `sent`, and the messages, as numbers in tables. The
 * list may be a new one; the call may have been `rejected`.
 * @typedef {{ count: number, list: number, words: string, sent: number | null, isNew: boolean,
 *   rejected: boolean, messages: number[] }} Now
 *
 * The steps `from` … `to` of a station. The step `key` says most about it, and a question is asked
 * before the step `ask`.
 * @typedef {{ name: string, title: string, words: string, from: number, to: number, key: number,
 *   ask: number }} Station
 * @typedef {{ title: string, eager: boolean, nows: Now[], steps: Step[],
 *   stations: Station[] }} Part
 * @typedef {{ name: string, counter: string, parts: Part[] }} Film
 * @typedef {{ at: number, ask: string, choices: string[], right: number, why: string,
 *   moved?: [number, string][] }} Question
 * @typedef {{ whose: string, films: Film[], questions: Question[],
 *   functions: { file: string, name: string, inLoop: boolean, lines: [number, string][] }[],
 *   lists: Item[][], messages: { text: string, look: string, reminder: boolean }[],
 *   rules: string[], lines: number, after: number, mistake: number, package: number }} Walk
 *
 * What is shown of a film: the step `key`, and the effects of all steps until `last`. A question may
 * be about a line that has `moved`: its number here, and the words that mark it.
 * @typedef {{ film: Film, part: Part, from: number, key: number, last: number,
 *   moved?: [number, string] }} Shot
 */

const PACE_MS = 2500;
const LINES_ABOVE = 2; // of the line that is shown
const MESSAGES = 6; // that are shown, the last ones

/** Return where the reader is. `asked` is the number of the question that is open, or -1.
 * @param {Model} model */
const here = (model) => {
  /** @type {Walk} */
  const walk = model.get("state");
  const places = walk.films[0].parts.flatMap((part) =>
    part.stations.map((station) => ({ part, station })),
  );
  const at = clamp(model.get("at"), 0, places.length - 1);
  const answers = model.get("answers");
  const asked = walk.questions.findIndex((one, n) => one.at === at && answers[n] == null);
  return {
    walk,
    places,
    at,
    asked,
    answers,
    line: asked < 0 ? model.get("line") : -1,
    ...places[at],
  };
};

/** Go on, or back, by a line or by a station; not past a question. Return whether it did.
 * @param {Model} model @param {1 | -1} by */
const step = (model, by) => {
  const { at, line, asked, places, station } = here(model);
  const to = line + by;
  const next = places[at + by]?.station;
  if (by > 0 && asked >= 0) return false;
  if (line >= 0 && to >= 0 && station.from + to < station.to) set(model, { line: to });
  else if (!next) return false;
  else if (line < 0) set(model, { at: at + by, line });
  else set(model, { at: at + by, line: by > 0 ? 0 : next.to - next.from - 1 });
  return true;
};

/** @param {Model} model @param {Event} event */
const stepOrAsk = (model, event) => {
  const widget = widgetOf(event);
  if (!step(model, 1)) focusOn(widget.querySelector(".al-walk-choices button"));
};

/** @param {Model} model @param {number} choice */
const answer = (model, choice) => {
  const { walk, asked, answers } = here(model);
  if (walk.questions[asked]?.choices[choice])
    set(model, { answers: { ...answers, [asked]: choice }, line: -1 });
};

/** @param {Model} model */
const restart = (model) => set(model, { at: 0, line: -1 });

/** @param {Model} model */
const togglePlaying = (model) => {
  const { at, places } = here(model);
  const isPlaying = model.get("playing");
  if (!isPlaying && at === places.length - 1) restart(model);
  set(model, { playing: !isPlaying });
};

/** Return what is shown: of the first film, and of the one beside it if there is one.
 * @param {Model} model @returns {Shot[]} */
const shotsOf = (model) => {
  const { walk, part, station, line, asked } = here(model);
  const chosen = model.get("beside");
  const moved = walk.questions[asked]?.moved;
  const isMistake = moved || (chosen < 0 && asked < 0 && part.eager && station.name === "2");
  const beside = walk.films[isMistake ? walk.mistake : Math.max(chosen, 0)];
  return [...new Set([walk.films[0], beside])].flatMap((film, n) => {
    const its = film.parts.find(({ title }) => title === part.title);
    const same = its?.stations.find(({ name }) => name === station.name);
    if (!its || !same) return [];
    const { from, to } = same;
    const ask = { key: same.ask, last: same.ask - 1, moved: moved?.[n] };
    if (asked >= 0) return { film, part: its, from, ...ask };
    const key = line < 0 ? same.key : Math.min(from + line, to - 1);
    return { film, part: its, from, key, last: line < 0 ? to - 1 : key };
  });
};

// The code

const WORDS =
  "False None True and as assert break case class continue def elif else except finally for from if " +
  "import in is lambda match not or pass raise return try while with yield";
const TOKEN = new RegExp(
  `(#.*$)|((?:\\b[bfru]{1,2})?(?:"[^"]*"|'[^']*'))|(\\b(?:${WORDS.replaceAll(" ", "|")})\\b)`,
);

/** Return a line of Python in colours. @param {string} text */
const colour = (text) =>
  text.split(TOKEN).map((part, n) => part && (n % 4 ? span(`al-code-${n % 4}`, part) : part));

/** Draw the function that runs, and those that wait for it.
 * @param {Walk} walk @param {Shot} shot @param {boolean} isWhole the whole station is shown */
const drawCode = ({ functions }, shot, isWhole) => {
  const { film, part, from, key, last, moved } = shot;
  const { steps, title } = part;
  const { f, waits } = steps[key];
  const { file, name, lines, inLoop } = functions[f];
  const done = steps.slice(0, last + 1).filter((one) => one.f === f);
  const shown = isWhole ? steps.slice(from, last + 1) : [steps[key]];
  const hasFailed = (/** @type {Step} */ { chips }) => chips.some(([look]) => look === "error");
  const failed = inLoop ? undefined : done.findLast(hasFailed);
  const drawLine = (/** @type {[number, string]} */ [number, text]) => {
    const isIn = (/** @type {Step} */ one) => one.f === f && one.a <= number && number <= one.z;
    const isCode = /^\s*[^#\s]/.test(text);
    const ran = done.findLast(({ a }) => a === number);
    const isNow = moved ? number === moved[0] : isCode && shown.some(isIn);
    const isLost = failed && number > failed.z && isCode && !steps.some(isIn);
    const look = isNow ? "al-now" : ran && "al-ran";
    return div(
      ["al-line", look, isNow && ran && hasFailed(ran) && "al-fails"],
      h("i", { "aria-hidden": "true" }, number),
      h(
        "code",
        { style: `--in: ${text.search(/\S|$/)}` },
        h(isLost ? "s" : "span", {}, colour(text.trim())),
        ran?.chips.map(([of, words]) => span(`al-chip al-chip-${of}`, words)),
        isLost && span("al-chip al-chip-error", "not reached"),
        moved && isNow && span("al-chip al-chip-list", moved[1]),
      ),
    );
  };
  const line = lines.findIndex(([number]) => number >= (moved ? moved[0] : steps[key].a));
  return div(
    "al-walk-code",
    h(
      "ol",
      { class: "al-walk-callers", "aria-label": "The functions that wait" },
      waits.map(([one, number]) =>
        li(
          "al-one-line",
          b(functions[one].name),
          ` ${number}  ${functions[one].lines.find((it) => it[0] === number)?.[1].trim()}`,
        ),
      ),
      li("al-one-line al-walk-here", b(`${name}()`), `  ${file}`),
    ),
    div(
      {
        ...keys,
        key: `${title} ${f}`,
        class: "al-walk-lines al-scroll",
        tabindex: 0,
        role: "region",
        "aria-label": `${name}, of ${film.name}`,
        "data-follow": `.al-line:nth-child(${Math.max(1, line + 1 - LINES_ABOVE)})`,
      },
      lines.map(drawLine),
    ),
  );
};

/** Draw what changes: the count, the list beside the one that was sent, and the messages.
 * @param {Walk} walk @param {Shot} shot */
const drawNow = (walk, { film, part: { steps, nows }, from, last }) => {
  const [now, before] = [last, Math.min(from - 1, last)].map((n) => nows[steps[n]?.now ?? 0]);
  const first = Math.max(0, now.messages.length - MESSAGES);
  return div(
    "al-walk-now",
    film.counter &&
      div(
        ["al-walk-count", now.count !== before.count && "al-changed"],
        h("code", {}, `${film.counter} = ${now.count}`),
        counter({ waited: now.count, after: walk.after, reminded: false }),
      ),
    todoList({ title: `self.items: ${now.words}`, items: walk.lists[now.list] }),
    div(
      ["al-walk-sent", now.rejected && "al-walk-bad"],
      now.sent !== null &&
        !now.isNew &&
        todoList({
          title: `sent by the model${now.rejected ? ", and rejected" : ""}`,
          items: walk.lists[now.sent],
        }),
    ),
    h(
      "ol",
      { class: "al-walk-messages", "aria-label": `The last of ${now.messages.length} messages` },
      now.messages.slice(first).map((id, n) => {
        const { text, look, reminder } = walk.messages[id];
        const isNew = before.messages[first + n] !== id;
        return li(
          { key: id, class: [`al-is-${look}`, isNew && "al-changed"] },
          h("i", {}, first + n + 1),
          span("al-one-line", text),
          reminder && span("al-chip al-chip-count", "reminder"),
        );
      }),
    ),
  );
};

// Above the code: the track, the words, the buttons

/** @param {Model} model */
const track = (model) => {
  const { walk, at, places } = here(model);
  return div(
    { class: "al-walk-track", role: "group", "aria-label": "Stations" },
    walk.films[0].parts.map((part) =>
      div(
        "al-walk-part",
        span("al-title", part.title),
        div(
          "al-transport",
          places.map(
            ({ part: its, station: { name, title } }, n) =>
              its === part &&
              button(name || "·", () => set(model, { at: n, line: -1 }), {
                class: `al-walk-station al-station-${name}`,
                "aria-current": n === at ? "step" : null,
                "aria-label": `${part.title}: ${name} ${title}`,
                title,
              }),
          ),
        ),
      ),
    ),
  );
};

/** Draw what happens, or the question, or what the answers say. @param {Model} model */
const words = (model) => {
  const { walk, at, line, asked, answers, station, part } = here(model);
  const question = walk.questions[asked];
  const verdicts = walk.questions.flatMap(({ at: its, choices, right, why }, n) => {
    const said = answers[n];
    if (its !== at || said == null || line >= 0) return [];
    const wrong = `You said “${choices[said]}”. `;
    const isRight = said === right;
    return p(
      "",
      h("strong", { class: isRight ? "al-good" : "al-bad" }, isRight ? "Right. " : wrong),
      isRight ? why : `It is “${choices[right]}”. ${why}`,
    );
  });
  const says = line < 0 ? station.words : part.steps[station.from + line].said;
  return div(
    ["al-walk-say", question && "al-walk-asks"],
    div(
      { role: "status" },
      verdicts.length ? verdicts : h2(`${station.name} ${station.title}`),
      question && p("", strong(`Before it runs: ${question.ask}`)),
      !question && !verdicts.length && p("", says),
    ),
    question &&
      div(
        { class: "al-transport al-walk-choices", role: "group", "aria-label": "Your answer" },
        question.choices.map((choice, n) =>
          button(choice, () => answer(model, n), { class: "al-one-line" }),
        ),
      ),
  );
};

/** @param {Model} model @param {Shot[]} shots */
const buttons = (model, shots) => {
  const { walk, places, at, line, asked, station, part } = here(model);
  const [count, lines] = [places.length, station.to - station.from];
  const isEnd = asked < 0 && at === count - 1 && (line < 0 || line === lines - 1);
  const next = line < 0 ? "Next station ▶" : "Next line ▶";
  const onward = asked < 0 ? next : "Answer first";
  const choose = (/** @type {string} */ label, /** @type {number} */ film) => {
    const isShown = shots[1]?.film === walk.films[film];
    return button(label, () => set(model, { beside: isShown ? 0 : film }), {
      "aria-pressed": String(isShown),
    });
  };
  return div(
    { class: "al-transport", role: "group", "aria-label": "Steps" },
    button("◀", () => step(model, -1), { "aria-label": "Back", off: at === 0 && line < 1 }),
    button(model.get("playing") ? "❚❚ Pause" : "▶ Play", () => togglePlaying(model), {
      class: "al-wide",
    }),
    button(
      isEnd ? "From the start" : onward,
      (event) => (isEnd ? restart(model) : stepOrAsk(model, event)),
      { class: "al-main al-home" },
    ),
    button(
      line < 0 ? "↓ Line by line" : "Whole station",
      () => set(model, { line: line < 0 ? 0 : -1 }),
      { off: asked >= 0 },
    ),
    span("al-count", line < 0 ? `${at + 1} of ${count}` : `line ${line + 1} of ${lines}`),
    part.eager && walk.mistake > 0 && choose("With one mistake", walk.mistake),
    walk.package > 0 && choose("The package", walk.package),
  );
};

/** @param {Model} model */
const pressed = (model) => {
  const { line, asked } = here(model);
  const onward = (/** @type {Event} */ event) => stepOrAsk(model, event);
  return press({
    ArrowRight: onward,
    ArrowLeft: () => step(model, -1),
    ArrowDown: line < 0 && asked < 0 ? () => set(model, { line: 0 }) : onward,
    ArrowUp: () => (line > 0 ? step(model, -1) : set(model, { line: -1 })),
    ...Object.fromEntries(Array.from("123456789", (n) => [n, () => answer(model, Number(n) - 1)])),
    " ": () => togglePlaying(model),
  });
};

/** @param {Model} model */
const draw = (model) => {
  const { walk, line, asked } = here(model);
  const label = "One reminder, line by line";
  const shots = shotsOf(model);
  const areTwo = shots.length > 1;
  const count = walk.films[0].parts.reduce((sum, { steps }) => sum + steps.length, 0);
  return card(
    label,
    { model, class: "al-walk", tabindex: -1, ...keys, ...takesKeys, onkeydown: pressed(model) },
    p("al-note", walk.whose),
    track(model),
    words(model),
    buttons(model, shots),
    div(
      ["al-walk-stage", areTwo && "al-walk-two"],
      shots.map((shot) =>
        section(
          { class: "al-walk-lane", "aria-label": shot.film.name },
          areTwo && h3(shot.film.name),
          drawCode(walk, shot, line < 0 && asked < 0),
          drawNow(walk, shot),
        ),
      ),
    ),
    div(
      "al-note",
      folded(
        `${count} steps of ${walk.lines.toLocaleString("en")} lines that ran: which are left out`,
        walk.rules.map((rule) => p("", rule)),
      ),
    ),
  );
};

export default movie(draw, (model) => step(model, 1), PACE_MS);
