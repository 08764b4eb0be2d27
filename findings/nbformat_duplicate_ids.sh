#!/usr/bin/env bash
# nbformat 5.11.1. Seen on 1 December 2026.
# A good guess: a notebook with two equal cell ids is rejected.
# Cell ids must be unique. A notebook in which two cells have the same id, as after a merge, is
# neither rejected nor read as it is: the second one gets another id, at random, each time that it
# is read, with a warning and no error. What refers to a cell by its id finds another one after
# each reading.
# Seen: first id "a" kept, second one new, and another in the next reading; DuplicateCellId warned
# Took 30 seconds on a busy machine. Needs Python.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The home of the script is its folder, and it has no key of yours.
export HOME="$folder"
unset "${!XDG_@}" $(compgen -e | grep -E 'KEY|TOKEN|SECRET' || true)
python3 -m venv "$folder"
"$folder/bin/python" -m pip install -q --no-compile "nbformat==5.11.1"
cd "$folder"
bin/python - <<'PYTHON'
import json
import sys
import warnings

import nbformat

cell = {"cell_type": "code", "id": "a", "metadata": {}, "source": "1", "outputs": []}
cells = [{**cell, "execution_count": None} for _ in range(2)]
with open("a.ipynb", "w") as file:
    json.dump({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, file)

with warnings.catch_warnings(record=True) as warned:
    warnings.simplefilter("always")
    first, second = ([cell.id for cell in nbformat.read("a.ipynb", 4).cells] for _ in range(2))
names = {one.category.__name__ for one in warned}
seen = [first[0], second[0], len({"a", first[1], second[1]}), "DuplicateCellId" in names]
expected = ["a", "a", 3, True]

if seen != expected:
    sys.exit(f"CHANGED: expected {expected}, got {seen}")
print(seen)
PYTHON
