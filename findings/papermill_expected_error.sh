#!/usr/bin/env bash
# papermill 2.7.0, nbclient 0.11.0. Seen on 1 December 2026.
# A good guess: papermill accepts a cell that is tagged raises-exception, as nbclient does.
# The tag raises-exception says that a cell is meant to raise. nbclient runs such a notebook
# without an error. papermill, which uses nbclient, runs it to the end too, and then fails: exit
# code 1, and a red heading above all cells that says that the notebook has an error, although
# the cell after the tagged one has run. The tag skip-execution has its effect in both.
# Seen: nbclient: no error / papermill: exit code 1, 'An Exception was encountered', and the last
# cell has printed
# Took 65 seconds on a busy machine. Needs Python.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The home of the script is its folder, and it has no key of yours.
export HOME="$folder"
unset "${!XDG_@}" $(compgen -e | grep -E 'KEY|TOKEN|SECRET' || true)
python3 -m venv "$folder"
"$folder/bin/python" -m pip install -q --no-compile "papermill==2.7.0" \
  "nbclient==0.11.0" \
  "ipykernel==7.4.0"
cd "$folder"
bin/python - 2> errors <<'PYTHON' || { cat errors >&2; exit 1; }
import subprocess
import sys

import nbformat
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

cells = [new_code_cell("print(1)"), new_code_cell("1 / 0"), new_code_cell("print(3)")]
cells[0].metadata.tags = ["skip-execution"]
cells[1].metadata.tags = ["raises-exception"]
kernel = {"name": "python3", "display_name": "Python 3"}
notebook = new_notebook(cells=cells, metadata={"kernelspec": kernel})
nbformat.write(notebook, "given.ipynb")
NotebookClient(notebook, timeout=120).execute()  # it raises, if a cell fails

command = [sys.executable, "-m", "papermill", "given.ipynb", "run.ipynb"]
code = subprocess.run(command, capture_output=True).returncode
run = nbformat.read("run.ipynb", as_version=4).cells
code_cells = [cell for cell in run if cell.cell_type == "code"]
seen = {
    "exit code": code,
    "heading": run[0].cell_type == "markdown" and "An Exception was encountered" in run[0].source,
    "outputs": [[one.get("text", one.output_type) for one in cell.outputs] for cell in code_cells],
}
expected = {"exit code": 1, "heading": True, "outputs": [[], ["error"], ["3\n"]]}
if seen != expected:
    print(f"CHANGED: expected {expected}, got {seen}")
    sys.exit(1)
print("as described: nbclient ends without an error, and papermill with", seen)
PYTHON
