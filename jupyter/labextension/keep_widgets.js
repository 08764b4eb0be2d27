// This extension saves the lesson's widgets in the notebook: those that an output shows, as the reader
// left them, and no others. JupyterLab itself saves widgets only if its user has switched that on, then
// also those of earlier runs of a cell, and after a notebook was opened again it deletes those that have
// no kernel. It also says what to run below a NameError, because after a restart nothing of the lesson
// is in the kernel that could say so. Nothing here acts on a notebook without a widget of the lesson, or
// without an import of it. It uses public names of JupyterLab and of its widget manager only, and
// JupyterLab loads this file as it is.

/** Saved widgets by their ids, as the widget manager writes them.
 * @typedef {Record<string, object>} States
 *
 * What this file uses of a notebook's model, of its context and of its widget manager.
 * @typedef {{ connect: (slot: (_: any, change: any) => void) => void }} Signal
 * @typedef {{ cells: Iterable<{ toJSON: () => any }>, getMetadata: (key: string) => any,
 *   setMetadata: (key: string, value: any) => void, metadataChanged: Signal, dirty: boolean }} Notebook
 * @typedef {{ model: Notebook, saveState: Signal }} Context
 * @typedef {{ context: Context | null, get_state: (options: object) => Promise<{ state: States }>,
 *   get_state_sync: (options: object) => { state: States } }} Manager
 *
 * A cell on the page, and a message of the kernel.
 * @typedef {{ model: { type: string, sharedModel: { getSource: () => string } }, outputArea?:
 *   { future?: { msg: { header: { msg_id: string } } }, model: { add: (output: object) => void } }
 *   }} PageCell
 * @typedef {{ header: { msg_type: string }, parent_header: { msg_id: string }, content: any }} KernelMessage
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

  /** The manager of each notebook that has shown a widget of the lesson.
   * @type {WeakMap<Notebook, Manager>} */
  const managers = new WeakMap();

  /** The notebooks that `save` is writing to.
   * @type {WeakSet<Notebook>} */
  const writing = new WeakSet();

  /** The notebooks with an answer that is in no file, because no save has begun since it was given.
   * @type {WeakSet<Notebook>} */
  const unsaved = new WeakSet();

  /** Write into a notebook what its outputs show of the widgets that it had and of those `now`. Return
   * whether this changed the notebook.
   * @param {Notebook} notebook @param {States} before @param {States} now */
  const save = (notebook, before, now) => {
    const outputs = JSON.stringify([...notebook.cells].map((cell) => cell.toJSON().outputs));
    const state = findNamed(outputs, { ...before, ...now });
    const saved = notebook.getMetadata("widgets")?.[KIND]?.state;
    if (JSON.stringify(state) === JSON.stringify(saved)) return false;
    const widgets = { version_major: 2, version_minor: 0, state };
    writing.add(notebook);
    notebook.setMetadata("widgets", { [KIND]: widgets });
    writing.delete(notebook);
    return true;
  };

  /** @param {any} metadata @returns {States} */
  const statesOf = (metadata) => metadata?.[KIND]?.state ?? {};

  /** Return whether a widget of the lesson is among these. @param {States} states */
  const hasOurs = (states) => JSON.stringify(states).includes('"_anywidget_id":"lesson.');

  /** @type {WeakSet<Manager>} */
  const waiting = new WeakSet();

  /** Save the widgets of a notebook, those without a kernel among them, once in a second.
   * @param {Manager} manager */
  const write = async (manager) => {
    const notebook = manager.context?.model;
    if (!notebook || waiting.has(manager)) return;
    managers.set(notebook, manager);
    waiting.add(manager);
    await new Promise((done) => setTimeout(done, 1000));
    waiting.delete(manager);
    const { state } = await manager.get_state({ drop_defaults: true });
    const isChanged = save(notebook, statesOf(notebook.getMetadata("widgets")), state);
    if (isChanged) unsaved.add(notebook);
  };

  /** Save what has changed in the last second before JupyterLab writes the file.
   * @param {Notebook} notebook */
  const writeAtOnce = (notebook) => {
    const manager = managers.get(notebook);
    if (!manager) return;
    const { state } = manager.get_state_sync({ drop_defaults: true }); // those with a kernel
    save(notebook, statesOf(notebook.getMetadata("widgets")), state);
  };

  /** Mend what JupyterLab has written, if its user lets it save the widgets of every notebook.
   * @param {Notebook} notebook @param {{ key: string, oldValue?: any, newValue?: any }} change */
  const mend = (notebook, { key, oldValue, newValue }) => {
    if (key !== "widgets" || writing.has(notebook)) return;
    if (!hasOurs({ ...statesOf(oldValue), ...statesOf(newValue) })) return;
    save(notebook, statesOf(oldValue), statesOf(newValue));
  };

  /** Say what to run below a NameError for a name that is in a cell above.
   * @param {readonly PageCell[]} cells @param {KernelMessage} message */
  const explainNameError = (cells, { header, parent_header: request, content }) => {
    if (header.msg_type !== "error" || content.ename !== "NameError") return;
    const name = /^name '(\w+)' is not defined/.exec(content.evalue)?.[1];
    const place = cells.findIndex(
      (cell) => cell.outputArea?.future?.msg.header.msg_id === request.msg_id,
    );
    /** @param {readonly PageCell[]} some @param {RegExp} words */
    const contain = (some, words) =>
      some.some(({ model }) => model.type === "code" && words.test(model.sharedModel.getSource()));
    if (!contain(cells, /(from|import) lesson\b/)) return;
    if (!contain(cells.slice(0, Math.max(place, 0)), new RegExp(`\\b${name}\\b`))) return;
    const text =
      `A cell above defines ${name}. Run that cell first, and then this one again. After a restart, ` +
      "choose Run › Run All Above Selected Cell in the menu.\n";
    cells[place].outputArea?.model.add({ output_type: "stream", name: "stdout", text });
  };

  const plugin = {
    id: `${NAME}:keep-widgets`,
    autoStart: true,
    activate: (/** @type {any} */ app) => {
      app.docRegistry.addWidgetExtension("Notebook", {
        createNew: (/** @type {any} */ panel, /** @type {Context} */ { model, saveState }) => {
          panel.sessionContext.iopubMessage.connect(
            (/** @type {any} */ _, /** @type {KernelMessage} */ it) =>
              explainNameError(panel.content.widgets, it),
          );
          saveState.connect((_, state) => {
            if (state === "started") {
              writeAtOnce(model);
              unsaved.delete(model);
            }
            // JupyterLab now takes the notebook for saved, also if an answer was given meanwhile.
            if (state === "completed" && unsaved.has(model)) model.dirty = true;
          });
          model.metadataChanged.connect((_, change) => mend(model, change));
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
