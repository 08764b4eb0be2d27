// A widget is drawn as a tree of plain objects, and the page is made to match the tree.
// Every string in the tree becomes a text node, never markup. Elements stay the same
// from one drawing to the next, so focus, scrolling and the live region survive.

/** A tree: its tag, its props, and its children. What is null, undefined or a boolean is left out, also
 * in a list of classes.
 * @param {string} tag
 * @param {Record<string, any>} [props]
 * @param {...Child} children
 * @returns {Tree} */
export const h = (tag, { class: look, ...props } = {}, ...children) => ({
  tag,
  props: { ...props, class: [look].flat(2).filter(Boolean).join(" ") || null },
  children: /** @type {any} */ (children)
    .flat(Number.POSITIVE_INFINITY)
    .filter((/** @type {Child} */ child) => child != null && typeof child !== "boolean"),
});

/** Return a function that makes elements of this tag. Most have classes and nothing else: they may be
 * given in place of the props. @param {string} tag */
const element =
  (tag) =>
  (/** @type {string | Record<string, any>} */ look, /** @type {Child[]} */ ...children) =>
    h(tag, typeof look === "string" || Array.isArray(look) ? { class: look } : look, ...children);

export const div = element("div");
export const span = element("span");
export const p = element("p");
export const li = element("li");
export const section = element("section");

/** Return a function that makes elements of this tag, which have content only. @param {string} tag */
const plain =
  (tag) =>
  (/** @type {Child[]} */ ...children) =>
    h(tag, {}, ...children);

export const b = plain("b");
export const h2 = plain("h2");
export const h3 = plain("h3");
export const strong = plain("strong");

/** Return a function that makes lists of this tag, with an `li` for each item. @param {string} tag */
const list = (tag) => (/** @type {string} */ look, /** @type {readonly Child[]} */ items) =>
  h(
    tag,
    { class: look },
    items.map((item) => li("", item)),
  );

export const ol = list("ol");
export const ul = list("ul");

/** A drawing that fills its element. Screen readers skip it: the same is said in words.
 * @param {string} look @param {(string | number)[]} viewBox @param {...Child} children */
export const svg = (look, viewBox, ...children) =>
  h(
    "svg",
    {
      class: look,
      viewBox: viewBox.join(" "),
      preserveAspectRatio: "none",
      "aria-hidden": "true",
    },
    children,
  );

const SVG = "http://www.w3.org/2000/svg";
const HANDLED = ["key", "drawn"];

/** Make the children of `parent` match the trees.
 * @param {Element} parent @param {(Tree | string | number)[]} trees */
export function fill(parent, trees) {
  trees.forEach((tree, index) => {
    const node = parent.childNodes[index];
    if (!node) parent.append(make(tree, parent));
    else if (matches(node, tree)) update(node, tree);
    else node.replaceWith(make(tree, parent));
  });
  while (parent.childNodes.length > trees.length) parent.lastChild?.remove();
}

/** @param {Node} node @param {Tree | string | number} tree */
function matches(node, tree) {
  if (typeof tree !== "object") return node.nodeType === Node.TEXT_NODE;
  const drawn = /** @type {Drawn} */ (node).tree;
  return drawn?.tag === tree.tag && drawn.props.key === tree.props.key;
}

/** @param {Tree | string | number} tree @param {Element} parent */
function make(tree, parent) {
  if (typeof tree !== "object") return document.createTextNode(String(tree));
  const isDrawing = tree.tag === "svg" || parent.namespaceURI === SVG;
  const node = isDrawing
    ? document.createElementNS(SVG, tree.tag)
    : document.createElement(tree.tag);
  return update(node, tree);
}

/** @template {Node} N
 * @param {N} node
 * @param {Tree | string | number} tree
 * @returns {N} */
function update(node, tree) {
  if (typeof tree !== "object") {
    if (node.textContent !== String(tree)) node.textContent = String(tree);
    return node;
  }
  const element = /** @type {N & Drawn} */ (node);
  const before = element.tree?.props ?? {};
  for (const name of Object.keys({ ...before, ...tree.props })) {
    if (!HANDLED.includes(name) && before[name] !== tree.props[name])
      setProp(element, name, tree.props[name]);
  }
  element.tree = tree;
  if (tree.props.drawn) tree.props.drawn(element);
  else fill(element, tree.children);
  return node;
}

/** @param {Element} node @param {string} name @param {any} value */
function setProp(node, name, value) {
  if (name.startsWith("on")) /** @type {any} */ (node)[name] = value ?? null;
  else if (value == null || value === false) node.removeAttribute(name);
  else node.setAttribute(name, value === true ? "" : String(value));
}
