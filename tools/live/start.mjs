// Pyodide as JupyterLite's kernel loads it, which says what it is doing: progress.js shows it.

// @ts-expect-error: the build puts it there
import { loadPyodide as load } from "./pyodide.mjs";

const page = new BroadcastChannel("agentlib-progress");

/** @param {string} said */
const say = (said, isReady = false) => page.postMessage({ said, isReady });

/**
 * Count what is fetched, in files; `total` is about how many there are.
 * @param {number} total
 */
function countFetched(total) {
  const ask = globalThis.fetch;
  let count = 0;
  globalThis.fetch = async (...request) => {
    const answer = await ask(...request);
    count += 1;
    say(`Fetching Python and its packages: ${Math.min(count, total)} of ${total} files`);
    return answer;
  };
  return () => {
    globalThis.fetch = ask;
  };
}

/**
 * @param {{indexURL: string, packages: string[]}} options
 */
export async function loadPyodide(options) {
  const stop = countFetched(options.packages.length);
  try {
    const start = fetch(`${options.indexURL}start.py`).then((answer) => answer.text());
    const pyodide = await load({ ...options, convertNullToNone: true });
    stop();
    say("Starting Python: a few seconds more");
    await pyodide.runPythonAsync(await start);
    say("Ready. What you change is kept in this browser.", true);
    return pyodide;
  } catch (problem) {
    say(`Python did not start. Reload the page to try again. (${problem})`);
    throw problem;
  }
}
