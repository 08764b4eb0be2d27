#!/usr/bin/env bash
# nbval 0.11.0, nbclient 0.11.0, ipywidgets 8.1.9. Seen on 1 December 2026.
# A good guess: a notebook with text in an Output widget, which nbclient has just stored, passes
# nbval.
# A cell prints inside `with Output():`. What runs the notebook decides where the text is:
# nbclient stores it in the widget. nbval takes the text for an output of the cell, so a notebook
# that nbclient has just stored fails. An error in the function of `interact` is stored in the
# widget too: nbclient raises nothing, and nbval fails.
# Seen: cell: Output() / widget: hello / nbval: 1 failed, Unexpected output fields: stdout /
# an error in interact: nbclient: no error, nbval: 1 failed
# Took 260 seconds on a busy machine. Needs Python.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The home of the script is its folder, and it has no key of yours.
export HOME="$folder"
unset "${!XDG_@}" $(compgen -e | grep -E 'KEY|TOKEN|SECRET' || true)
python3 -m venv "$folder"
"$folder/bin/python" -m pip install -q --no-compile "nbval==0.11.0" \
  "nbclient==0.11.0" \
  "ipywidgets==8.1.9" \
  "ipykernel==7.4.0"
cd "$folder"
bin/python - 2> errors <<'PYTHON' || { cat errors >&2; exit 1; }
import subprocess
import sys

import nbformat
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

OUTPUT = """\
from ipywidgets import Output
out = Output()
display(out)
with out:
    print("hello")"""
INTERACT = """\
from ipywidgets import interact
def divide(x):
    return 1 / x
interact(divide, x=[0, 1]);"""


def store(source, name):
    """Run a notebook with nbclient, which raises if a cell fails, store it, and test it."""
    kernel = {"name": "python3", "display_name": "Python 3"}
    notebook = new_notebook(cells=[new_code_cell(source)], metadata={"kernelspec": kernel})
    NotebookClient(notebook, timeout=120).execute()
    nbformat.write(notebook, name)
    command = [sys.executable, "-m", "pytest", "-q", "--nbval", "--nbval-current-env", name]
    tested = subprocess.run(command, capture_output=True, text=True).stdout
    saved = notebook.metadata.widgets["application/vnd.jupyter.widget-state+json"]["state"]
    (shown,) = [one["state"]["outputs"] for one in saved.values() if "outputs" in one["state"]]
    return notebook.cells[0].outputs, shown, tested


cell, widget, tested = store(OUTPUT, "output.ipynb")
in_cell = [one.data["text/plain"] for one in cell if "data" in one]
in_widget = [one.get("text", "").strip() for one in widget]
seen = [len(cell), in_cell, in_widget, "Unexpected output fields" in tested, "1 failed" in tested]
_, raised, failed = store(INTERACT, "interact.ipynb")
seen += [[one.get("ename") for one in raised], "1 failed" in failed]
expected = [1, ["Output()"], ["hello"], True, True, ["ZeroDivisionError"], True]
if seen != expected:
    print(f"CHANGED: expected {expected}, got {seen}")
    sys.exit(1)
print("as described: nbclient stores both without an error, and nbval fails both")
PYTHON
