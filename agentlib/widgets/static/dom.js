// A widget is drawn as a tree of plain objects, and the page is made to match the tree.
// Whatever is a string in the tree becomes a text node, never markup. Elements stay the same
// from one drawing to the next, so focus, scrolling and the live region survive. An element with
// a `drawn` function is filled by it, not by the tree.

const h = (tag, props, ...children) => ({
  tag,
  props: props ?? {},
  children: children.flat(Infinity).filter((child) => child != null && child !== false),
});

const isText = (tree) => typeof tree !== "object";

const matches = (node, tree) =>
  isText(tree)
    ? node.nodeType === Node.TEXT_NODE
    : node.tree?.tag === tree.tag && node.tree.props.key === tree.props.key;

function make(tree) {
  if (isText(tree)) return document.createTextNode(tree);
  const node = document.createElement(tree.tag);
  return update(node, tree);
}

function update(node, tree) {
  if (isText(tree)) {
    if (node.data !== String(tree)) node.data = tree;
    return node;
  }
  const before = node.tree?.props ?? {};
  for (const name of Object.keys({ ...before, ...tree.props })) {
    if (!["key", "value", "drawn"].includes(name) && before[name] !== tree.props[name])
      setProp(node, name, tree.props[name]);
  }
  node.tree = tree;
  if (tree.props.drawn) tree.props.drawn(node);
  else fill(node, tree.children);
  // A range takes its value last: min and max would clamp it.
  if ("value" in tree.props && node.value !== String(tree.props.value))
    node.value = tree.props.value;
  return node;
}

function setProp(node, name, value) {
  if (name.startsWith("on")) node[name] = value ?? null;
  else if (value == null || value === false) node.removeAttribute(name);
  else node.setAttribute(name, value === true ? "" : value);
}

function fill(parent, trees) {
  trees.forEach((tree, index) => {
    const node = parent.childNodes[index];
    if (!node) parent.append(make(tree));
    else if (matches(node, tree)) update(node, tree);
    else node.replaceWith(make(tree));
  });
  while (parent.childNodes.length > trees.length) parent.lastChild.remove();
}

// How long an answer of the kernel may take, in milliseconds, before the page speaks of it.
const SLOW = 300;
const SILENT = 2000;
const NO_ANSWER = "No answer from the kernel. Wait if it is busy; if it was restarted, run this cell again.";

// What anywidget wants of a module: `draw(model, wait)` returns the tree of one widget.
// `owed(model)` is what the kernel still owes the page: "asked", or "busy" once it has said that it
// is at it, or "". From that comes `wait`: "" where nothing is owed, "moment", then "slow", and
// "silent" where the kernel does not answer, or is no longer the one that was asked.
const view = (draw, owed = () => "") => ({
  render({ model, el }) {
    let debt = "", since, timer;
    const wait = () => {
      const now = owed(model);
      if (now !== debt) [debt, since] = [now, performance.now()];
      clearTimeout(timer);
      if (!debt) return "";
      const left = [SLOW, SILENT].map((end) => since + end - performance.now());
      const next = left.find((ms) => ms > 0);
      if (next) timer = setTimeout(redraw, next);
      const cut = el.closest(".jupyter-widgets-disconnected");
      if (cut || (debt === "asked" && left[1] <= 0)) return "silent";
      return left[0] <= 0 ? "slow" : "moment";
    };
    const redraw = () => {
      const inside = el.contains(document.activeElement);
      fill(el, [draw(model, wait())]);
      // What had the focus may be gone; the keys still belong to this widget.
      if (inside && !el.contains(document.activeElement)) el.querySelector(".al-home")?.focus({ preventScroll: true });
    };
    const events = ["change", "comm_live_update"];
    for (const event of events) model.on(event, redraw);
    redraw();
    return () => {
      clearTimeout(timer);
      for (const event of events) model.off(event, redraw);
    };
  },
});

const set = (model, values) => {
  for (const [name, value] of Object.entries(values)) model.set(name, value);
  model.save_changes();
};
