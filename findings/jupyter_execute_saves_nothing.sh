#!/usr/bin/env bash
# nbclient 0.11.0. Seen on 1 December 2026.
# A good guess: `jupyter execute` saves the outputs.
# `jupyter execute notebook.ipynb` runs the notebook and ends with 0, and nothing of it is left:
# the file is unchanged, byte for byte, and what the cells print is shown nowhere. The outputs are
# saved only with --inplace or --output.
# Seen: exit code 0, file unchanged; with --inplace: the output is in the file
# Took 143 seconds on a busy machine. Needs Python.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The home of the script is its folder, and it has no key of yours.
export HOME="$folder"
unset "${!XDG_@}" $(compgen -e | grep -E 'KEY|TOKEN|SECRET' || true)
python3 -m venv "$folder"
"$folder/bin/python" -m pip install -q --no-compile "nbclient==0.11.0" \
  "ipykernel==7.4.0"
cd "$folder"
bin/python -c '
import nbformat
from nbformat.v4 import new_code_cell, new_notebook

kernel = {"name": "python3", "display_name": "Python 3"}
cells = [new_code_cell("print(6 * 7)")]
nbformat.write(new_notebook(cells=cells, metadata={"kernelspec": kernel}), "a.ipynb")'
cp a.ipynb before.ipynb
printed=$(PATH="$folder/bin:$PATH" bin/jupyter execute a.ipynb 2>&1)
cmp -s a.ipynb before.ipynb || { echo "CHANGED: the file was written"; exit 1; }
[[ "$printed" != *42* ]] || { echo "CHANGED: the output is printed"; exit 1; }
PATH="$folder/bin:$PATH" bin/jupyter execute --inplace a.ipynb 2> errors || { cat errors >&2; exit 1; }
grep -q 42 a.ipynb || { echo "CHANGED: --inplace does not save the output"; exit 1; }
echo "unchanged, and with --inplace the output is in the file"
