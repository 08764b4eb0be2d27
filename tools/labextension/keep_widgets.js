// Six things that JupyterLab lacks. (1) By default, JupyterLab saves no widgets. With its
// setting "Save Widget State Automatically", it saves those of every notebook, also those of earlier
// runs of a cell, also what was typed into a password field, and after a notebook was opened again it
// deletes those without a kernel. So that setting stays as its user has it, and this saves the
// pictures of the lesson that the outputs show, and what they consist of, and nothing else. It can go
// when ipywidgets' pull request 4015 is released and can choose. (2) Sliders and Play buttons have no
// name for a screen reader. (3) If a kernel has ended, and was not restarted from this page, its
// widgets stay as they were: a slider moves, and the picture that the kernel draws does not. So
// those of the lesson get the mark that ipywidgets gives them after a restart. (4) On a busy machine,
// a kernel can be connected before ipywidgets has read the notebook's widgets: then it writes "model
// not found" in their place, for good. So these outputs are drawn again when all are read. (5) In a
// notebook that two people share (jupyter-collaboration), the server saves, without the signal that
// (1) waits for, and who has not run a cell sees the text of its widget, because JupyterLab trusts
// only one's own cells. So there (1) is done at rest, and the pictures of a live kernel are drawn.
// (6) After Shift+Enter, JupyterLab scrolls to the next cell before the output has grown. On a small
// screen, the head of a check's result is then above the view: so this scrolls back to it.
(() => {
  const NAME = "planning-agent-lesson";
  const STATE = "application/vnd.jupyter.widget-state+json";
  const VIEW = "application/vnd.jupyter.widget-view+json";
  const MANAGER = "@jupyter-widgets/jupyterlab-manager";
  const PICTURE = "lesson-picture"; // the class of a widget of the lesson
  const UNSAVED = "lp-unsaved"; // and that of one with texts that may not be saved
  const statesOf = (widgets) => widgets?.[STATE]?.state ?? {};
  const select = (states, isSelected) =>
    Object.fromEntries(Object.entries(states).filter(([id, one]) => isSelected(id, one)));

  // The states that a text names, and those that they name in turn, such as their layouts.
  const findNamed = (text, states) => {
    const named = select(states, (id) => text.includes(id));
    if (!Object.keys(named).length) return {};
    return { ...named, ...findNamed(JSON.stringify(named), select(states, (id) => !named[id])) };
  };

  const isPicture = (one) => one?.state?._dom_classes?.includes(PICTURE);

  // The pictures of the lesson with their parts: all, or those that a text names.
  const findPictures = (states, text) => {
    const isSaved = (id, one) =>
      isPicture(one) &&
      !one.state._dom_classes.includes(UNSAVED) &&
      (text?.includes(id) ?? true);
    return findNamed(JSON.stringify(Object.keys(select(states, isSaved))), states);
  };

  // A notebook that is saved while Play moves a run does not play by itself when it is opened.
  const atRest = (one) =>
    one.state?.playing ? { ...one, state: { ...one.state, playing: false } } : one;

  // Put the pictures into the metadata of a notebook, and return them. `kept` are those of the last
  // time, and `live` are the states of all widgets that have a kernel.
  const keepPictures = (notebook, kept, live) => {
    const outputs = JSON.stringify([...notebook.cells].map((cell) => cell.toJSON().outputs));
    const current = notebook.getMetadata("widgets");
    const states = { ...statesOf(current), ...kept, ...live };
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

  // A slider that was moved after its kernel had ended goes back to where its picture was drawn: our
  // labels have the value, and the kernel has written them.
  const asDrawn = (one) => {
    const drawn = /\d+/.exec(one.state.description)?.[0];
    const isPin = one.model_name === "IntSliderModel" && drawn;
    return atRest(isPin ? { ...one, state: { ...one.state, value: Number(drawn) } } : one);
  };

  // What is written into a field of a picture without a kernel would reach nothing.
  const closeFields = () => {
    const fields = `.${PICTURE}.jupyter-widgets-disconnected :is(textarea, [type=checkbox])`;
    for (const field of document.querySelectorAll(fields))
      field[field.matches("textarea") ? "readOnly" : "disabled"] = true;
  };

  // A key without Ctrl or the like belongs to the box or the thumb that has the focus:
  // JupyterLab or Notebook 7 would go to another cell, or delete this one at "d d".
  const freeKeys = ({ target, altKey, ctrlKey, metaKey, shiftKey }) => {
    if (target.matches?.(`.${PICTURE} :is(input, .noUi-handle)`))
      target.toggleAttribute(
        "data-lm-suppress-shortcuts",
        !(altKey || ctrlKey || metaKey || shiftKey),
      );
  };

  // In the walk, the arrow keys move the slider also from the button beside it.
  const steer = (event) => {
    const walk = event.target.closest?.(".lp-walk button")?.closest(".lp-walk");
    if (!walk || !/^Arrow(Left|Right)$/.test(event.key)) return;
    const thumb = walk.querySelector("[role=slider]");
    thumb.focus();
    thumb.dispatchEvent(new KeyboardEvent("keydown", event));
    event.preventDefault();
    event.stopPropagation();
  };

  // What is drawn again in these is read aloud: ipywidgets has no such regions.
  const readAloud = () => {
    for (const one of document.querySelectorAll(`.${PICTURE} .lp-said`)) one.role = "status";
  };

  // Draw outputs whose widget was not known yet.
  const drawMissing = (content) => {
    for (const { outputArea } of content.widgets)
      outputArea?.widgets.forEach(({ widgets }, place) => {
        const missing = ({ node }) => /^Error displaying widget: model not/.test(node.textContent);
        widgets?.find(missing)?.renderModel?.(outputArea.model.get(place));
      });
  };

  // Draw in place of its text what another page has run, if it is a picture of this kernel. No cell
  // gets trusted by that: its trust is for all its outputs, also of its next run, and in each page.
  const drawShared = (content, live) => {
    for (const { outputArea } of content.widgets)
      outputArea?.widgets.forEach((panel, place) => {
        const output = outputArea.model.get(place);
        const shown = panel.widgets?.at(-1);
        if (!isPicture(live[output?.data[VIEW]?.model_id]) || shown?.mimeType === VIEW) return;
        shown?.dispose();
        const picture = content.rendermime.createRenderer(VIEW);
        picture.addClass("jp-OutputArea-output");
        panel.addWidget(picture);
        picture.renderModel(output);
      });
  };

  // Scroll to the head of the result of a check that this page has asked for, if it is above the view
  // and the learner has not gone on to another cell.
  const showHead = (content, { msg_id }) => {
    const isAsked = ({ outputArea }) => outputArea?.future?.msg.header.msg_id === msg_id;
    const place = content.widgets.findIndex(isAsked);
    if (place < 0 || ![place, place + 1].includes(content.activeCellIndex)) return;
    const head = content.widgets[place].node.querySelector(".check-result");
    const isAbove = (it) => it.getBoundingClientRect().top < content.node.getBoundingClientRect().top;
    if (head && isAbove(head)) head.scrollIntoView();
  };

  const follow = ({ content }, context) => {
    const { sessionContext } = context;
    let manager, isAsked, kept, rest, isOurs;
    const readLive = () => manager.get_state_sync({ drop_defaults: true }).state;
    const keep = () => {
      kept = keepPictures(context.model, kept, readLive());
    };
    // A second after the last message, a shared notebook has the outputs of all pages. Only the page
    // that has asked for something saves: two that write at once could undo each other's.
    const waitForRest = (_, { content: { execution_state }, parent_header }) => {
      if (execution_state !== "idle") return;
      setTimeout(() => showHead(content, parent_header), 100); // when it is drawn
      if (!context.model.collaborative) return;
      isOurs ||= parent_header.session === sessionContext.session?.kernel?.clientId;
      clearTimeout(rest);
      rest = setTimeout(() => {
        if (context.isDisposed || !manager) return;
        drawShared(content, readLive());
        if (isOurs) keep();
        isOurs = false;
      }, 1000);
    };
    const ask = async () => {
      await context.ready;
      kept ??= statesOf(context.model.getMetadata("widgets"));
      await sessionContext.ready;
      if (isAsked || !sessionContext.session?.kernel) return;
      isAsked = true;
      const { registerWidgetManager } = (await window._JUPYTERLAB[MANAGER].get("./index"))();
      const renderer = {
        set manager(given) {
          manager = given;
          manager.restored.connect(() => drawMissing(content));
          // All may have been read before this is connected, or only now and without that signal.
          for (const seconds of [0, 1, 5, 25])
            setTimeout(() => drawMissing(content), 1000 * seconds);
          // Connected after ipywidgets' own, so that it sees what the setting has saved.
          context.saveState.connect((_, stage) => {
            if (stage === "started") keep();
          });
        },
      };
      registerWidgetManager(context, content.rendermime, [renderer]);
    };
    const endAll = async () => {
      for (const [id, one] of Object.entries(findPictures(manager ? readLive() : {}))) {
        kept[id] = asDrawn(one);
        const { state } = kept[id];
        const model = await manager.get_model(id);
        for (const name of ["value", "playing"]) if (name in state) model.set(name, state[name]);
        model.comm_live = false; // its views get ipywidgets' mark
      }
      closeFields();
    };
    // A kernel that was restarted elsewhere is "starting" again, and one that was culled is "dead".
    const isEnd = (status) => /starting|dead/.test(status);
    sessionContext.statusChanged.connect((_, status) => isEnd(status) && endAll());
    sessionContext.kernelChanged.connect((_, { oldValue }) => (oldValue ? endAll() : ask()));
    sessionContext.iopubMessage.connect(waitForRest);
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

  // The line of the seat that is pressed is read at the side, which may be out of view.
  const showPressed = ({ target }) =>
    target
      .closest?.(".lp-seat .lp-part")
      ?.querySelector(":scope > div")
      ?.scrollIntoView({ block: "nearest" });

  const activate = (app) => {
    const mend = () => [nameHandles, closeFields, readAloud].forEach((one) => one());
    new MutationObserver(mend).observe(document.body, { childList: true, subtree: true });
    document.addEventListener("change", showPressed);
    for (const one of [freeKeys, steer]) window.addEventListener("keydown", one, true); // before JupyterLab's own
    // JupyterLab breaks a printed line that is too long within a word, and this between two.
    const words = document.head.appendChild(document.createElement("style"));
    words.textContent = ".jp-Notebook .jp-OutputArea-output pre { word-break: normal; }";
    app.docRegistry.addWidgetExtension("Notebook", { createNew: follow });
  };
  const plugin = { id: `${NAME}:keep-widgets`, autoStart: true, activate };
  (window._JUPYTERLAB ??= {})[NAME] = { init: () => {}, get: async () => () => plugin };
})();
