// Says in a line what the page waits for, from the first moment on: start.mjs tells.

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
  #agentlib-progress:empty { display: none; }
`;
document.head.append(style);
document.body.append(line);

/** @type {ReturnType<typeof setTimeout> | undefined} */
let hiding;

new BroadcastChannel("agentlib-progress").addEventListener("message", ({ data }) => {
  clearTimeout(hiding);
  line.textContent = data.said;
  if (data.isReady) {
    hiding = setTimeout(() => {
      line.textContent = "";
    }, SHOWN_WHEN_READY_MS);
  }
});
