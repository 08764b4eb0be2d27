// What a widget needs of a kernel, without one: a model whose values it reads and sets.

/** @param {Record<string, unknown>} values */
const standIn = (values) => {
  /** @type {Map<string, Set<() => void>>} */
  const listeners = new Map();
  const fire = (/** @type {string} */ event) => {
    for (const listener of listeners.get(event) ?? []) listener();
  };
  return {
    get: (/** @type {string} */ name) => values[name],
    set: (/** @type {string} */ name, /** @type {unknown} */ value) => {
      if (values[name] === value) return;
      values[name] = value;
      fire(`change:${name}`);
      fire("change");
    },
    on: (/** @type {string} */ event, /** @type {() => void} */ listener) => {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener));
    },
    off: (/** @type {string} */ event, /** @type {() => void} */ listener) => {
      listeners.get(event)?.delete(listener);
    },
    save_changes: () => {},
    send: () => {},
  };
};

const data = document.getElementById("widgets")?.textContent ?? "[]";
const places = document.querySelectorAll(".widget");
for (const [place, { script, style, values }] of JSON.parse(data).entries()) {
  const sheet = document.createElement("style");
  sheet.textContent = style;
  document.head.append(sheet);
  const url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  const { default: widget } = await import(url);
  const el = places[place];
  if (el) widget.render({ model: standIn(values), el });
}

export {};
