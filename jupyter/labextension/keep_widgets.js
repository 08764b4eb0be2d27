// JupyterLab saves the widgets of a running kernel and no others. So the first save after a notebook
// was opened again would delete all widgets that it had, and JupyterLab saves without being asked.
// This extension keeps each widget that an output still shows, as the reader left it. It uses public
// names of JupyterLab only, and JupyterLab loads this file as it is. It also adds a style.

/** The saved widgets of a notebook by their ids, as the ipywidgets manager writes them.
 * @typedef {Record<string, object>} States
 *
 * What this file uses of a notebook's model and of its widget manager.
 * @typedef {{ oldValue?: any, newValue?: any, key: string, type: string }} Change
 * @typedef {{ cells: Iterable<{ toJSON: () => any }>, setMetadata: (key: string, value: any) => void,
 *   metadataChanged: { connect: (slot: (_: any, change: Change) => void) => void } }} Notebook
 * @typedef {{ context: { model: Notebook } | null, get_state: (options: object) => any }} Manager
 */

(() => {
  const NAME = "planning-agent-lesson";
  const KIND = "application/vnd.jupyter.widget-state+json";

  /** Return the widgets that a text names, and those that these name in turn, such as a widget's layout.
   * @param {string} text @param {States} states @returns {States} */
  const findNamed = (text, states) => {
    const all = Object.entries(states);
    const named = Object.fromEntries(all.filter(([id]) => text.includes(id)));
    if (Object.keys(named).length === 0) return {};
    const others = Object.fromEntries(all.filter(([id]) => !(id in named)));
    return { ...named, ...findNamed(JSON.stringify(named), others) };
  };

  /** Put back the widgets that a save has just removed although an output shows them.
   * @param {Notebook} notebook @param {Change} change */
  const putBack = (notebook, { key, type, oldValue, newValue }) => {
    if (key !== "widgets" || type !== "change") return;
    /** @type {States[]} */
    const [before, now] = [oldValue, newValue].map((value) => value?.[KIND]?.state ?? {});
    const lost = Object.fromEntries(Object.entries(before).filter(([id]) => !(id in now)));
    const outputs = JSON.stringify([...notebook.cells].map((cell) => cell.toJSON().outputs));
    const shown = findNamed(outputs, lost);
    if (Object.keys(shown).length === 0) return;
    const saved = { ...(newValue?.[KIND] ?? oldValue[KIND]), state: { ...now, ...shown } };
    notebook.setMetadata("widgets", { ...newValue, [KIND]: saved });
  };

  /** @type {WeakSet<Manager>} */
  const waiting = new WeakSet();

  /** Write all widgets into the notebook, those without a kernel among them, once in a second.
   * @param {Manager} manager */
  const write = async (manager) => {
    if (waiting.has(manager)) return;
    waiting.add(manager);
    await new Promise((done) => setTimeout(done, 1000));
    waiting.delete(manager);
    const states = await manager.get_state({ drop_defaults: true });
    manager.context?.model.setMetadata("widgets", { [KIND]: states });
  };

  const plugin = {
    id: `${NAME}:keep-widgets`,
    autoStart: true,
    activate: (/** @type {any} */ app) => {
      app.docRegistry.addWidgetExtension("Notebook", {
        createNew: (/** @type {any} */ _panel, /** @type {{ model: Notebook }} */ { model }) => {
          model.metadataChanged.connect((_, change) => putBack(model, change));
        },
      });
      // Each widget of the lesson says so when it is made and when it changes: see view.js.
      document.addEventListener("agentlib-changed", (event) => {
        write(/** @type {CustomEvent<Manager>} */ (event).detail).catch(console.warn);
      });
      // JupyterLab leaves no space below an answer that is closed: the text below looked like its own.
      const style = document.head.appendChild(document.createElement("style"));
      style.textContent = ".jp-MarkdownOutput details:not(:last-child) { margin-bottom: 1em; }";
    },
  };

  const page = /** @type {any} */ (window);
  page._JUPYTERLAB = page._JUPYTERLAB ?? {};
  page._JUPYTERLAB[NAME] = { init: () => {}, get: async () => () => plugin };
})();
