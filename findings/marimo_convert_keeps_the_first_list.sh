#!/usr/bin/env bash
# marimo 0.25.2, nbclient 0.11.0. Seen on 1 December 2026.
# A good guess: if two cells assign the same list, the converted notebook says so, because marimo
# allows one definition.
# Two cells may assign the same name in Jupyter, and not in marimo. `marimo convert` therefore
# renames the second one, without a message, and functions keep the first one: a tool that returns
# the list `todos` returns the old list after a cell has replaced it. If a function replaces the
# list with `global todos`, its assignment is renamed and its `global` is not, so the new list is
# lost, and the next cell that prints it raises a NameError.
# Seen: Jupyter: ['plan'], ['plan', 'stock'] / converted: ['plan'], ['plan'], exit code 0;
# with `global`, Jupyter: ['plan', 'stock'] / converted: NameError: name 'todos_1' is not defined
# Took 93 seconds on a busy machine. Needs Python.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The home of the script is its folder, and it has no key of yours.
export HOME="$folder"
unset "${!XDG_@}" $(compgen -e | grep -E 'KEY|TOKEN|SECRET' || true)
python3 -m venv "$folder"
"$folder/bin/python" -m pip install -q --no-compile "marimo==0.25.2" \
  "nbclient==0.11.0" \
  "ipykernel==7.4.0"
cd "$folder"
bin/python - 2> errors <<'PYTHON' || { cat errors >&2; exit 1; }
import subprocess
import sys

import nbformat
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

SHOW = "def show():\n    return todos"
REPLACE = "def replace(new):\n    global todos\n    todos = new"
NOTEBOOKS = {
    "a cell": [
        "todos = ['plan']",
        SHOW,
        "print(show())",
        "todos = ['plan', 'stock']",
        "print(show())",
    ],
    "a function": ["todos = ['plan']", REPLACE, "replace(['plan', 'stock'])", "print(todos)"],
}


def run_jupyter(sources):
    notebook = new_notebook(cells=[new_code_cell(source) for source in sources])
    nbformat.write(notebook, "given.ipynb")
    NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    outputs = [one.text for cell in notebook.cells for one in cell.outputs]
    return "".join(outputs).splitlines()


def run_converted():
    convert = [sys.executable, "-m", "marimo", "convert", "given.ipynb", "-o", "converted.py"]
    subprocess.run(convert, check=True, capture_output=True)
    done = subprocess.run([sys.executable, "converted.py"], capture_output=True, text=True)
    errors = [line for line in done.stderr.splitlines() if line.startswith("NameError")]
    return done.stdout.splitlines(), done.returncode, [one.partition(". Did")[0] for one in errors]


seen = {by: (run_jupyter(sources), *run_converted()) for by, sources in NOTEBOOKS.items()}
both = "['plan', 'stock']"
expected = {
    "a cell": (["['plan']", both], ["['plan']", "['plan']"], 0, []),
    "a function": ([both], [], 1, ["NameError: name 'todos_1' is not defined"]),
}
if seen != expected:
    print(f"CHANGED: expected {expected}, got {seen}")
    sys.exit(1)
for by, (jupyter, converted, code, errors) in seen.items():
    print(f"replaced by {by}: Jupyter {jupyter}, converted {converted}, exit code {code} {errors}")
PYTHON
