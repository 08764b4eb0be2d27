// Run compile.py in Pyodide itself, whose bytecode no other Python writes:
//
//     node compile.mjs FOLDER_OF_PYODIDE FOLDER_OF_WHEELS

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [pyodideFolder, wheels] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodideFolder}/pyodide.mjs`).href);
const pyodide = await loadPyodide({ indexURL: `${pyodideFolder}/` });
pyodide.mountNodeFS("/wheels", wheels);
pyodide.runPython(readFileSync(new URL("compile.py", import.meta.url), "utf8"));
