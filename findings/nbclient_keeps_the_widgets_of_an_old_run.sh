#!/usr/bin/env bash
# nbclient 0.11.0, ipywidgets 8.1.9. Seen on 1 December 2026.
# A good guess: a notebook that is run again has the widgets of this run.
# A notebook with a widget is run and stored. Then its author takes the widget out, and it is run
# again: the cell has no output, and the notebook still has the state of the widget, with what was in
# it. If one other widget is left in the notebook, the second run replaces the old state.
# Seen, values in the stored state: no widget any more: 'my first draft' / another widget: 'new'
# Took 88 seconds on a busy machine. Needs Python.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The home of the script is its folder, and it has no key of yours.
export HOME="$folder"
unset "${!XDG_@}" $(compgen -e | grep -E 'KEY|TOKEN|SECRET' || true)
python3 -m venv "$folder"
"$folder/bin/python" -m pip install -q --no-compile "nbclient==0.11.0" \
  "ipywidgets==8.1.9" \
  "ipykernel==7.4.0"
cd "$folder"
bin/python - 2> errors <<'PYTHON' || { cat errors >&2; exit 1; }
import sys

from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

FORMAT = "application/vnd.jupyter.widget-state+json"
WIDGET = "from ipywidgets import Text\nText({!r})"


def run_twice(second):
    """Run a notebook with a widget, then with another cell; return outputs and stored values."""
    notebook = new_notebook(cells=[new_code_cell(WIDGET.format("my first draft"))])
    NotebookClient(notebook).execute()
    notebook.cells[0].source = second
    NotebookClient(notebook).execute()
    states = notebook.metadata.get("widgets", {}).get(FORMAT, {}).get("state", {})
    values = [one["state"]["value"] for one in states.values() if one["model_name"] == "TextModel"]
    return len(notebook.cells[0].outputs), values


seen = {
    "no widget any more": run_twice("x = 1"),
    "another widget": run_twice(WIDGET.format("new")),
}
expected = {"no widget any more": (0, ["my first draft"]), "another widget": (1, ["new"])}
if seen != expected:
    sys.exit(f"CHANGED: expected {expected}, got {seen}")
print(seen)
PYTHON
