#!/usr/bin/env bash
# nbval 0.11.0. Seen on 1 December 2026.
# A good guess: without stored outputs, a cell that prints fails; with its error stored, one that
# raises passes.
# `pytest --nbval` compares each cell's stored outputs with new ones. A notebook whose outputs
# were cleared, as by nbstripout, passes, whatever its cells print: there is nothing to compare
# with, and this is not an error. And a cell that raises fails, although exactly this error is
# stored: without the tag raises-exception, no stored output makes it right.
# Seen: cleared: 1 passed / the same error stored: 1 failed
# Took 111 seconds on a busy machine. Needs Python.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The home of the script is its folder, and it has no key of yours.
export HOME="$folder"
unset "${!XDG_@}" $(compgen -e | grep -E 'KEY|TOKEN|SECRET' || true)
python3 -m venv "$folder"
"$folder/bin/python" -m pip install -q --no-compile "nbval==0.11.0" \
  "ipykernel==7.4.0"
cd "$folder"
bin/python - <<'PYTHON'
import nbformat
from nbformat.v4 import new_code_cell, new_notebook, new_output

nbformat.write(new_notebook(cells=[new_code_cell("print(1)")]), "cleared.ipynb")
error = {"ename": "ZeroDivisionError", "evalue": "division by zero", "traceback": []}
cell = new_code_cell("1/0", execution_count=1, outputs=[new_output("error", **error)])
nbformat.write(new_notebook(cells=[cell]), "stored.ipynb")
PYTHON
try() { bin/python -m pytest -q --nbval --nbval-current-env "$1" 2>&1 | tail -1 || true; }
cleared=$(try cleared.ipynb)
stored=$(try stored.ipynb)
[[ "$cleared" == "1 passed"* ]] || { echo "CHANGED: cleared outputs: $cleared"; exit 1; }
[[ "$stored" == "1 failed"* ]] || { echo "CHANGED: the stored error: $stored"; exit 1; }
echo "cleared: $cleared / the same error stored: $stored"
