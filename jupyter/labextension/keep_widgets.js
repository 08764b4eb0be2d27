// Two things that JupyterLab's widgets lack. (1) By default, JupyterLab saves no widgets. With its
// setting "Save Widget State Automatically", it saves those of every notebook, also those of earlier
// runs of a cell, also what was typed into a password field, and after a notebook was opened again it
// deletes those without a kernel. So that setting stays as its user has it, and this saves the
// pictures of the lesson that the outputs show, and what they consist of, and nothing else. It can go
// when ipywidgets' pull request 4015 is released and can choose. (2) Sliders and Play buttons have no
// name for a screen reader.
(() => {
  const NAME = "planning-agent-lesson";
  const STATE = "application/vnd.jupyter.widget-state+json";
  const MANAGER = "@jupyter-widgets/jupyterlab-manager";
  const PICTURE = "lesson-picture"; // the class of a widget of the lesson
  const statesOf = (widgets) => widgets?.[STATE]?.state ?? {};
  const select = (states, isSelected) =>
    Object.fromEntries(Object.entries(states).filter(([id, one]) => isSelected(id, one)));

  // The states that a text names, and those that they name in turn, such as their layouts.
  const findNamed = (text, states) => {
    const named = select(states, (id) => text.includes(id));
    if (!Object.keys(named).length) return {};
    return { ...named, ...findNamed(JSON.stringify(named), select(states, (id) => !named[id])) };
  };

  // The pictures of the lesson with their parts: all, or those that a text names.
  const findPictures = (states, text) => {
    const isPicture = (id, one) =>
      one.state?._dom_classes?.includes(PICTURE) && (text?.includes(id) ?? true);
    return findNamed(JSON.stringify(Object.keys(select(states, isPicture))), states);
  };

  // A notebook that is saved while Play moves a run does not play by itself when it is opened.
  const atRest = (one) =>
    one.state?.playing ? { ...one, state: { ...one.state, playing: false } } : one;

  // Put the pictures into the metadata of a notebook, and return them. `kept` are those of the last
  // time, and `live` are the states of all widgets that have a kernel.
  const keepPictures = (notebook, kept, live) => {
    const outputs = JSON.stringify([...notebook.cells].map((cell) => cell.toJSON().outputs));
    const current = notebook.getMetadata("widgets");
    const states = { ...kept, ...statesOf(current), ...live };
    const shown = findPictures(states, outputs);
    for (const id in shown) shown[id] = atRest(shown[id]);
    const pictures = findPictures(states);
    const others = select(statesOf(current), (id) => !pictures[id]);
    const state = { ...others, ...shown };
    if (JSON.stringify(state) === JSON.stringify(statesOf(current))) return shown;
    if (Object.keys(state).length)
      notebook.setMetadata("widgets", { [STATE]: { version_major: 2, version_minor: 0, state } });
    else notebook.deleteMetadata("widgets");
    return shown;
  };

  const follow = ({ content }, context) => {
    let manager, isAsked, kept;
    const ask = async () => {
      await context.ready;
      kept ??= statesOf(context.model.getMetadata("widgets"));
      await context.sessionContext.ready;
      if (isAsked || !context.sessionContext.session?.kernel) return;
      isAsked = true;
      const { registerWidgetManager } = (await window._JUPYTERLAB[MANAGER].get("./index"))();
      const renderer = {
        set manager(given) {
          manager = given;
          // Connected after ipywidgets' own, so that it sees what the setting has saved.
          context.saveState.connect((_, stage) => {
            if (stage !== "started") return;
            const live = manager.get_state_sync({ drop_defaults: true }).state;
            kept = keepPictures(context.model, kept, live);
          });
        },
      };
      registerWidgetManager(context, content.rendermime, [renderer]);
    };
    context.sessionContext.kernelChanged.connect(ask);
    ask();
  };

  const nameHandles = () => {
    const sliders = `.${PICTURE} [role=slider]:not([aria-labelledby])`;
    for (const handle of document.querySelectorAll(sliders)) {
      const label = handle.closest(".widget-inline-hbox")?.querySelector(".widget-label");
      if (!label) continue;
      label.id ||= `${NAME}-${crypto.getRandomValues(new Uint32Array(1))[0]}`;
      handle.setAttribute("aria-labelledby", label.id); // so the name follows the label
    }
    const icons = `.${PICTURE} .widget-play button:not([aria-label]) > i`;
    for (const icon of document.querySelectorAll(icons)) {
      const name = icon.classList.contains("fa-stop") ? "back to the start" : "play or pause";
      icon.parentElement.setAttribute("aria-label", name);
    }
  };

  const activate = (app) => {
    new MutationObserver(nameHandles).observe(document.body, { childList: true, subtree: true });
    app.docRegistry.addWidgetExtension("Notebook", { createNew: follow });
  };
  const plugin = { id: `${NAME}:keep-widgets`, autoStart: true, activate };
  (window._JUPYTERLAB ??= {})[NAME] = { init: () => {}, get: async () => () => plugin };
})();
