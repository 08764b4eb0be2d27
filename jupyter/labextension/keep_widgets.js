// Two things that JupyterLab's widgets lack. (1) With the setting "Save Widget State Automatically",
// which overrides.d switches on, JupyterLab saves the widgets of every notebook, also those of earlier
// runs of a cell, and after a notebook was opened again it deletes those without a kernel. This keeps
// what the outputs show. A notebook without a picture of the lesson stays as it was, unless its user
// has chosen the setting. It can go when ipywidgets' pull request 4015 is released. (2) Sliders and
// Play buttons have no name for a screen reader.
(() => {
  const NAME = "planning-agent-lesson";
  const STATE = "application/vnd.jupyter.widget-state+json";
  const MANAGER = "@jupyter-widgets/jupyterlab-manager:plugin";
  const statesOf = (widgets) => widgets?.[STATE]?.state ?? {};

  // The states that a text names, and those that they name in turn, such as their layouts.
  const findNamed = (text, states) => {
    const ids = Object.keys(states).filter((id) => text.includes(id));
    if (!ids.length) return {};
    const named = Object.fromEntries(ids.map((id) => [id, states[id]]));
    const others = Object.fromEntries(Object.entries(states).filter(([id]) => !named[id]));
    return { ...named, ...findNamed(JSON.stringify(named), others) };
  };

  // A notebook that is saved while Play moves a run does not play by itself when it is opened.
  const atRest = (one) =>
    one.state?.playing ? { ...one, state: { ...one.state, playing: false } } : one;

  const written = new WeakMap(); // by notebook, because a change of ours is also reported
  const mend = (notebook, { key, oldValue, newValue }, isChosen) => {
    if (key !== "widgets" || !newValue) return;
    if (JSON.stringify(newValue) === written.get(notebook)) return;
    const outputs = JSON.stringify([...notebook.cells].map((cell) => cell.toJSON().outputs));
    const named = findNamed(outputs, { ...statesOf(oldValue), ...statesOf(newValue) });
    const state = Object.fromEntries(Object.entries(named).map(([id, one]) => [id, atRest(one)]));
    const isOurs = JSON.stringify(state).includes('"lesson-picture"');
    const kept = { [STATE]: { version_major: 2, version_minor: 0, state } };
    const wanted = isOurs || isChosen() ? kept : oldValue;
    written.set(notebook, JSON.stringify(wanted));
    if (wanted) notebook.setMetadata("widgets", wanted);
    else notebook.deleteMetadata("widgets");
  };

  const nameHandles = () => {
    const sliders = ".lesson-picture [role=slider]:not([aria-labelledby])";
    for (const handle of document.querySelectorAll(sliders)) {
      const label = handle.closest(".widget-inline-hbox")?.querySelector(".widget-label");
      if (!label) continue;
      label.id ||= `${NAME}-${crypto.getRandomValues(new Uint32Array(1))[0]}`;
      handle.setAttribute("aria-labelledby", label.id); // so the name follows the label
    }
    const icons = ".lesson-picture .widget-play button:not([aria-label]) > i";
    for (const icon of document.querySelectorAll(icons)) {
      const name = icon.classList.contains("fa-stop") ? "back to the start" : "play or pause";
      icon.parentElement.setAttribute("aria-label", name);
    }
  };

  const activate = async (app) => {
    new MutationObserver(nameHandles).observe(document.body, { childList: true, subtree: true });
    let isChosen = false;
    app.docRegistry.addWidgetExtension("Notebook", {
      createNew: (_, { model }) => {
        model.metadataChanged.connect((_, change) => mend(model, change, () => isChosen));
      },
    });
    const { raw } = await app.serviceManager.settings.fetch(MANAGER);
    isChosen = /"saveState"\s*:\s*true/.test(raw);
  };
  const plugin = { id: `${NAME}:keep-widgets`, autoStart: true, activate };
  (window._JUPYTERLAB ??= {})[NAME] = { init: () => {}, get: async () => () => plugin };
})();
