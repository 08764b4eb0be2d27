// Pyodide as the kernel loads it, which tells the page what it is doing: see progress.js.

import { loadPyodide as load } from "./pyodide.mjs";

const page = new BroadcastChannel("agentlib-progress");

/** @param {any} options */
export async function loadPyodide(options) {
  const from = options.indexURL;
  const start = fetch(`${from}start.py`).then((answer) => answer.text());
  page.postMessage("Fetching Python and the lesson’s packages");
  const pyodide = await load({ ...options, convertNullToNone: true });
  page.postMessage("Starting Python");
  await pyodide.runPythonAsync(await start);
  page.postMessage("Ready");
  return pyodide;
}
