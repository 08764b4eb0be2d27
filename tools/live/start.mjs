// Pyodide as JupyterLite's kernel loads it, which says what it is doing: progress.js shows it.
//
// It starts as soon as this module is imported, and progress.js sees to it that this is early.

// @ts-expect-error: the build puts it there
import { loadPyodide as load } from "./pyodide.mjs";

const HERE = new URL("./", import.meta.url).href;
const RUNTIME = `${HERE}pyodide.asm.wasm`;
const page = new BroadcastChannel("agentlib-progress");
const ask = globalThis.fetch;

/** @param {string} said */
const say = (said, isReady = false) => {
  if (!hasFailed) page.postMessage({ said, isReady });
};
let hasFailed = false;

/**
 * Ask for Python itself. A browser compiles only what is called WebAssembly, and not every web server
 * calls it so. Without this file, Pyodide would wait for ever.
 */
async function fetchRuntime() {
  const { ok, status, body } = await ask(RUNTIME);
  if (!ok) throw new Error(`${RUNTIME}: ${status}`);
  return new Response(body, { headers: { "Content-Type": "application/wasm" } });
}

/**
 * Ask for every package now, as Pyodide does not until its own start, and say how many are there.
 * @param {{file_name: string}[]} packages
 * @param {Promise<Response>} runtime
 */
function fetchPackages(packages, runtime) {
  let count = 0;
  const answers = new Map([[RUNTIME, runtime]]);
  for (const { file_name } of packages) {
    const answer = ask(HERE + file_name, { priority: "low" }).then((whole) => {
      count += 1;
      say(`Fetching Python and its packages: ${count} of ${packages.length} files`);
      return whole;
    });
    answer.catch(() => {}); // Pyodide says it, when it wants the package
    answers.set(HERE + file_name, answer);
  }
  globalThis.fetch = (address, options) => answers.get(String(address)) ?? ask(address, options);
}

const SIGALRM = 14;

/**
 * Give Python an alarm. It has no signals here, but asks a buffer for them while it runs.
 * @param {{setInterruptBuffer: (buffer: object) => void}} pyodide
 * @returns {(seconds: number, interval: number) => number[]} `signal.setitimer`, as in Python
 */
function makeAlarm(pyodide) {
  let due = Number.POSITIVE_INFINITY;
  let interval = 0;
  pyodide.setInterruptBuffer({
    get 0() {
      const now = performance.now();
      if (now < due) return 0;
      due = interval ? now + interval : Number.POSITIVE_INFINITY;
      return SIGALRM;
    },
    set 0(_) {}, // Python clears the signal that it has read
  });
  return (seconds, again) => {
    const now = performance.now();
    const left = due < Number.POSITIVE_INFINITY ? Math.max(due - now, 1) / 1000 : 0;
    const before = [left, interval / 1000];
    due = seconds ? now + seconds * 1000 : Number.POSITIVE_INFINITY;
    interval = again * 1000;
    return before;
  };
}

async function start() {
  // These two keep their names when the lesson changes: a browser asks whether its own are the newest.
  const [lock, work] = await Promise.all([
    ask(`${HERE}pyodide-lock.json`, { cache: "no-cache" }).then((answer) => answer.json()),
    ask(`${HERE}start.py`, { cache: "no-cache" }).then((answer) => answer.text()),
  ]);
  const runtime = fetchRuntime();
  fetchPackages(Object.values(lock.packages), runtime);
  const loading = load({
    indexURL: HERE,
    lockFileContents: lock,
    packageBaseUrl: HERE,
    packages: Object.keys(lock.packages),
    convertNullToNone: true,
  });
  const [pyodide] = await Promise.all([loading, runtime]);
  globalThis.fetch = ask;
  say("Starting Python: a few seconds more");
  pyodide.registerJsModule("page_alarm", { set: makeAlarm(pyodide) });
  await pyodide.runPythonAsync(work);
  return pyodide;
}

const started = start();
started.catch((problem) => {
  say(`Python did not start. Reload the page to try again. (${problem})`);
  hasFailed = true; // files that arrive later are no news
});

/**
 * What JupyterLite calls. The build has told it the same packages.
 * @param {{stdout: (text: string) => void, stderr: (text: string) => void}} options
 */
export async function loadPyodide(options) {
  const pyodide = await started;
  pyodide.setStdout({ batched: options.stdout });
  pyodide.setStderr({ batched: options.stderr });
  say("Ready. What you change is kept in this browser.", true);
  return pyodide;
}
