// Says in a line what the page waits for, from the first moment on: start.mjs tells.
// And starts Python as soon as it can, while JupyterLab is still opening.

const SHOWN_WHEN_READY_MS = 6000;

const line = document.createElement("div");
line.id = "agentlib-progress";
line.setAttribute("role", "status");
line.textContent = "Opening JupyterLab…";

const style = document.createElement("style");
style.textContent = `
  #agentlib-progress {
    position: fixed; z-index: 2000; bottom: 48px; left: 50%; transform: translateX(-50%);
    max-width: min(90vw, 40em); padding: 0.6em 1.2em; border-radius: 6px;
    font: 15px/1.4 system-ui, sans-serif; text-align: center;
    color: #fff; background: #1f3a5f; box-shadow: 0 2px 10px rgb(0 0 0 / 30%);
  }
  #agentlib-insecure {
    position: fixed; z-index: 2000; inset: 0 0 auto 0; height: 64px; box-sizing: border-box;
    padding: 10px 1.2em; overflow: auto; font: 15px/1.45 system-ui, sans-serif;
    color: #3b2300; background: #ffd98a; border-bottom: 1px solid #b27500;
  }
  .agentlib-has-warning body > #main { inset: 64px 0 0 0; height: auto; }
  #agentlib-progress:empty { display: none; }
  /* A spinner is drawn 60 times a second, by processors that Python could use. */
  .jp-KernelStatus-spinner { animation: none !important; }
`;
document.head.append(style);
document.body.append(line);

// Without https, a browser has no service worker, and without one, JupyterLite gives each notebook
// files of its own: what one notebook writes to my_agent.py, the next one does not find.
if (!isSecureContext) {
  const warning = document.createElement("div");
  warning.id = "agentlib-insecure";
  warning.setAttribute("role", "alert");
  warning.textContent =
    "This address begins with http://, so your my_agent.py gets lost: the next notebook does not find " +
    "it, and uses our solutions in place of your parts. Notebooks are saved. Ask for an address with https://.";
  document.body.append(warning);
  document.documentElement.classList.add("agentlib-has-warning");
}

// On a phone, the list of files would leave a third of the screen for the notebook. JupyterLab opens
// it again when it has opened the notebook, so it is closed from then on until Python is ready.
/** @type {ReturnType<typeof setInterval> | undefined} */
let closing;
if (innerWidth < 600) {
  closing = setInterval(() => {
    // @ts-expect-error: JupyterLite puts it there when the app has started
    if (document.querySelector(".jp-Notebook")) globalThis.jupyterapp.shell.collapseLeft();
  }, 200);
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let hiding;

new BroadcastChannel("agentlib-progress").addEventListener("message", ({ data }) => {
  clearTimeout(hiding);
  line.textContent = data.said;
  if (data.isReady) {
    clearInterval(closing);
    hiding = setTimeout(() => {
      line.textContent = "";
    }, SHOWN_WHEN_READY_MS);
  }
});

// JupyterLite starts its kernel's worker when a notebook is open, seconds later: the first time, it
// gets the one that was started here. That one must wait for the service worker, which JupyterLite
// registers: a worker that is older than it would not get its files from it.

/** @type {Worker | undefined} */
let early;

const startEarly = () => {
  early = new Worker(new URL("../static/pyodide/early.js", import.meta.url), { type: "module" });
  early.onerror = ({ message }) => {
    line.textContent = `Python could not be loaded, so no cell can run: a file below static/pyodide is missing, or the web server does not send it as JavaScript. ${message ?? ""}`;
  };
};

// A page that is isolated from other origins has a kernel of another kind.
if (!crossOriginIsolated && "serviceWorker" in navigator) {
  if (navigator.serviceWorker.controller) startEarly();
  else navigator.serviceWorker.addEventListener("controllerchange", startEarly, { once: true });
}

globalThis.Worker = new Proxy(Worker, {
  construct(Kind, [address, options]) {
    const isKernel = String(address).includes("/comlink.worker.");
    if (!early || !isKernel) return new Kind(address, options);
    const started = early;
    early = undefined;
    return started;
  },
});
