import { h } from "./dom.js";
import { card, hidden, running, stale, status } from "./parts.js";
import { NO_ANSWER, view } from "./view.js";

// The picture comes from Python as SVG, once for each measuring; the mark is moved here.
const picture = (model) => (node) => {
  const svg = model.get("svg");
  if (node.source !== svg) {
    node.source = svg;
    const image = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
    image.setAttribute("role", "img");
    image.setAttribute(
      "aria-label",
      "Steps done and tokens spent for each threshold. The table has the same numbers.",
    );
    node.replaceChildren(document.importNode(image, true));
  }
  for (const band of node.querySelectorAll("[id^=threshold-]"))
    band.style.display = band.id.split("-")[1] === String(model.get("after")) ? "" : "none";
};

const table = ({ columns, rows, caption }, after) =>
  h(
    "table",
    { class: "al-table" },
    h("caption", {}, hidden(caption)),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        columns.map((name) => h("th", { scope: "col" }, name)),
      ),
    ),
    h(
      "tbody",
      {},
      rows.map(([threshold, ...values]) =>
        h(
          "tr",
          { "aria-current": threshold === after ? "true" : null },
          h("th", { scope: "row" }, threshold === after ? "▸ " : "", `${threshold}`),
          values.map((value) => h("td", {}, value.toLocaleString("en"))),
        ),
      ),
    ),
  );

export default view(
  (model, wait) => {
    const state = model.get("state");
    return card(
      "Chart of thresholds",
      stale(wait),
      h("div", { class: "al-head" }, h("span", { class: "al-title" }, state.title), running(wait)),
      h(
        "div",
        { class: "al-measured al-result" },
        h("div", { class: "al-chart", drawn: picture(model) }),
        table(state.table, model.get("after")),
      ),
      status(wait === "silent" ? NO_ANSWER : state.status),
    );
  },
  (model) => (model.get("busy") ? "busy" : ""),
);
