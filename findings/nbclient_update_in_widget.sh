#!/usr/bin/env bash
# nbclient 0.11.0, ipywidgets 8.1.9. Seen on 1 December 2026.
# A good guess: a stored notebook has the last state of an updated display.
# A display with an id is shown twice, in a cell and in an Output widget, and then updated. The
# stored notebook has the new text in the cell and the first text in the widget, without a warning.
# Seen: in the cell: 'last' / in the widget: 'first'
# Took 74 seconds on a busy machine. Needs Python.
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

SHOWN = """\
from ipywidgets import Output
out = Output()
display(out)
in_cell = display("first", display_id=True)
with out:
    in_widget = display("first", display_id=True)"""
UPDATED = """\
in_cell.update("last")
in_widget.update("last")"""

cells = [new_code_cell(SHOWN), new_code_cell(UPDATED)]
kernel = {"name": "python3", "display_name": "Python 3"}
notebook = new_notebook(cells=cells, metadata={"kernelspec": kernel})
NotebookClient(notebook, timeout=120).execute()
saved = notebook.metadata.widgets["application/vnd.jupyter.widget-state+json"]["state"]
(widget,) = [one["state"]["outputs"] for one in saved.values() if "outputs" in one["state"]]
seen = {
    "cell": [one.data["text/plain"] for one in notebook.cells[0].outputs[1:]],
    "widget": [one["data"]["text/plain"] for one in widget],
}
expected = {"cell": ["'last'"], "widget": ["'first'"]}
if seen != expected:
    print(f"CHANGED: expected {expected}, got {seen}")
    sys.exit(1)
print("as described:", seen)
PYTHON
