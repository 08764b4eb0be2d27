#!/usr/bin/env bash
# @jupyterlite/services 0.8.4 (in JupyterLite 0.8.6), pyodide 314.0.6. Seen on 1 December 2026.
# A good guess: a file that is opened with `O_RDONLY | O_NONBLOCK` is only read.
# In JupyterLite, a file that Python opens only to read, with O_NONBLOCK, is written back when it is
# closed, as it was when it was opened: what was written to it meanwhile is lost. The same happens
# with O_NOCTTY and O_SYNC. With JupyterLite's own storage (tried apart from this script), its time
# becomes now, and a file of the site becomes a copy that hides the later versions of the site.
# Seen: RDONLY, CLOEXEC, NOFOLLOW: "new", not saved / NONBLOCK, NOCTTY, SYNC: "old", saved
# Took 83 seconds on a busy machine. Needs Python and Node.js with npm.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The home of the script is its folder, and it has no key of yours.
export HOME="$folder"
unset "${!XDG_@}" $(compgen -e | grep -E 'KEY|TOKEN|SECRET' || true)
cd "$folder"
npm install --loglevel=error --no-audit --no-fund --ignore-scripts --prefix . \
    "@jupyterlite/services@0.8.4" "pyodide@314.0.6" "esbuild@0.25.12"
cat >read.mjs <<'NODE'
import { ContentsAPI, DriveFS } from "@jupyterlite/services/lib/contents/drivefs";
import { loadPyodide } from "pyodide";

const PYTHON = `
import os

def look(name):
    """Read a file, write another one while it is open to be read, and return what this one has."""
    def opener(path, _):
        return os.open(path, os.O_RDONLY | getattr(os, "O_" + name))
    with open(f"/drive/{name}", opener=opener) as file:
        assert file.read() == "old"
    with open(f"/drive/{name}.log", opener=opener), open(f"/drive/{name}.log", "w") as log:
        log.write("new")
    with open(f"/drive/{name}.log") as log:
        return log.read()
`;
const saved = {}; // the files in the browser's storage; each other one is the site's, with "old"
class API extends ContentsAPI {
  request({ method, path, data }) {
    if (method === "put") saved[path] = data.data;
    const file = { content: saved[path] ?? "old", format: "text", size: 3 };
    return { lookup: { ok: true, mode: 0o100666 }, getattr: file, get: file }[method];
  }
}
class Drive extends DriveFS {
  createAPI(options) {
    return new API(options);
  }
}
const pyodide = await loadPyodide();
const { FS, PATH, ERRNO_CODES } = pyodide;
FS.mkdir("/drive");
FS.mount(new Drive({ FS, PATH, ERRNO_CODES, driveName: "", mountpoint: "/drive" }), {}, "/drive");
pyodide.runPython(PYTHON);
const look = pyodide.globals.get("look");
const names = ["RDONLY", "CLOEXEC", "NOFOLLOW", "NONBLOCK", "NOCTTY", "SYNC"];
const seen = names.map((name) => `${look(name)} ${`/${name}` in saved}`).join(", ");
const expected = "new false, new false, new false, old true, old true, old true";
process.exitCode = seen === expected ? 0 : 1;
console.log(seen === expected ? "as described:" : `CHANGED: expected ${expected}, got`, seen);
NODE
node_modules/.bin/esbuild read.mjs --bundle --format=esm --outfile=out.mjs --log-level=warning \
    --external:pyodide --external:@lumino/coreutils
node out.mjs
