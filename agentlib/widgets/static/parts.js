// The parts that several widgets share. Each takes plain data and returns a tree.

// The notebook has shortcuts of its own for arrows, Enter and letters; these keep the keys here.
const keys = { "data-lm-suppress-shortcuts": "true" };

const card = (label, props, ...children) =>
  h("div", { role: "group", "aria-label": label, ...props, class: `agentlib ${props?.class ?? ""}` }, children);

const hidden = (...words) => h("span", { class: "al-hidden" }, words);

const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

// One line that says what has just happened, to everybody: it is also the live region.
const status = (words) => h("p", { class: "al-status", role: "status" }, words);

const running = (wait) =>
  h("span", { class: "al-busy", "aria-hidden": "true", hidden: wait !== "slow" }, "running…");

// What is shown while the kernel works it out anew. A region that is busy says nothing to a screen
// reader, so where nobody is at work it must not be.
const stale = (wait) => ({
  "aria-busy": ["moment", "slow"].includes(wait) ? "true" : null,
  class: ["slow", "silent"].includes(wait) ? "al-stale" : "",
});

const button = (label, action, { off = false, ...props } = {}) =>
  h("button", {
    type: "button", class: "al-button", ...keys, ...props,
    "aria-disabled": off ? "true" : null,
    onclick: off ? null : action,
  }, label);

const MARKS = { completed: "✓", in_progress: "▸", pending: "" };
const WORDS = { completed: "completed", in_progress: "in progress", pending: "pending" };

const mark = (state) => [
  h("span", { class: `al-mark al-${state}`, "aria-hidden": "true" }, MARKS[state] ?? "?"),
  hidden(`${WORDS[state] ?? state}: `),
];

const item = ({ id, text, status, active, more }) =>
  h("li", { class: `al-item al-${status}` },
    mark(status),
    h("span", { class: "al-number" }, `#${id}`),
    h("span", { class: "al-text" }, text,
      more.length > 0 && h("span", { class: "al-more" }, more.map((field) =>
        h("span", { class: "al-field" }, field))),
      active && h("span", { class: "al-active" }, active)));

const bar = (done, total) =>
  h("div", { class: "al-bar", "aria-hidden": "true" },
    h("div", { class: "al-bar-done", style: `width: ${total ? (100 * done) / total : 0}%` }));

const plan = ({ title, items, done, empty }) =>
  h("div", { class: "al-plan" },
    h("div", { class: "al-head" },
      h("span", { class: "al-title" }, title),
      items.length > 0 && h("span", { class: "al-count" }, `${done} of ${items.length} completed`)),
    bar(done, items.length),
    items.length > 0
      ? h("ol", { class: "al-items" }, items.map(item))
      : h("p", { class: "al-empty" }, empty));

// Rounds without a todo call, as pips: as many as there may be before the reminder comes.
const counter = ({ waited, after, reminded }) =>
  after == null ? null :
  h("div", { class: "al-counter" },
    h("span", { class: "al-pips", "aria-hidden": "true" },
      Array.from({ length: after }, (_, n) =>
        h("span", { class: n < waited ? "al-pip al-on" : "al-pip" }))),
    h("span", {}, `${waited} of ${plural(after, "round")} without a todo call`),
    reminded && h("span", { class: "al-reminder" }, "reminder sent"));
