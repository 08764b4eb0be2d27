#!/usr/bin/env bash
# nbstripout 0.9.1, nbdime 4.0.4. Seen on 1 December 2026.
# A good guess: if two branches delete a cell each, both are gone after the merge.
# One branch deletes a cell, another one deletes another cell, and both are merged. With the ids that
# JupyterLab gives, both cells are gone. nbstripout, as a filter of git, numbers the cells of each
# version anew (0, 1, 2, …), and nbdime, as a merge driver, takes cells with the same id for the same
# cell: it merges without a conflict, and one of the deleted cells is back. If it had a solution or
# a wrong step, it is published. `nbstripout --keep-id` mends it. If a cell is inserted at the top
# and another one is edited, the merge puts one cell into a conflict with another one.
# Seen, exit code and cells after the merge: with --keep-id 0, "todos", "print" / numbered 0,
# "todos", "solution", "print"; inserted and edited: 0, all right / 1, a conflict of "solution"
# and "print"
# Took 362 seconds on a busy machine. Needs Python and git.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The home of the script is its folder, and it has no key of yours.
export HOME="$folder"
unset "${!XDG_@}" $(compgen -e | grep -E 'KEY|TOKEN|SECRET' || true)
command -v git > /dev/null || { echo "this needs git"; exit 1; }
python3 -m venv "$folder"
"$folder/bin/python" -m pip install -q --no-compile "nbstripout==0.9.1" "nbdime==4.0.4"
cd "$folder"
export PATH="$folder/bin:$PATH" GIT_CONFIG_NOSYSTEM=1
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@localhost
export GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@localhost
python - 2> errors <<'PYTHON' || { cat errors >&2; exit 1; }
import copy
import os
import subprocess
import sys

import nbformat
from nbformat.v4 import new_code_cell, new_notebook

CELLS = [
    "imports = 1",
    "todos = ['Count']",
    "def solution():\n    return todos",
    "print(solution())",
]


def git(*command):
    return subprocess.run(["git", *command], stdout=sys.stderr).returncode


def delete(text):
    def change(notebook):
        notebook.cells = [cell for cell in notebook.cells if text not in cell.source]

    return change


def insert(notebook):
    notebook.cells.insert(0, new_code_cell("import json"))


def edit(notebook):
    notebook.cells[-1].source = "print(solution(), 2)"


def merge(name, ours, theirs, *options):
    """Merge two branches in a new repository; return git's exit code and the merged cells."""
    os.mkdir(name)
    os.chdir(name)
    git("init", "-q", "-b", "main")
    subprocess.run(["nbdime", "config-git", "--enable"], check=True, stdout=sys.stderr)
    subprocess.run(["nbstripout", "--install"], check=True)
    if options:
        git("config", "filter.nbstripout.clean", " ".join(["nbstripout", *options]))
    base = new_notebook(cells=[new_code_cell(cell) for cell in CELLS])
    nbformat.write(base, "lesson.ipynb")
    git("add", ".")
    git("commit", "-q", "-m", "base")
    for branch, change in (("theirs", theirs), ("ours", ours)):
        git("checkout", "-q", "-b", branch, "main")
        notebook = copy.deepcopy(base)
        change(notebook)
        nbformat.write(notebook, "lesson.ipynb")
        git("commit", "-q", "-a", "-m", branch)
    code = git("merge", "-q", "-m", "merged", "theirs")
    merged = nbformat.read("lesson.ipynb", 4)
    os.chdir("..")
    return code, [cell.source for cell in merged.cells]


imports, todos, solution, show = CELLS
conflict = f"<<<<<<< local\n{solution}\n=======\nprint(solution(), 2)\n>>>>>>> remote"
deleted = delete("imports"), delete("def solution")
seen = {
    "kept, deleted": merge("a", *deleted, "--keep-id"),
    "numbered, deleted": merge("b", *deleted),
    "kept, inserted": merge("c", insert, edit, "--keep-id"),
    "numbered, inserted": merge("d", insert, edit),
}
expected = {
    "kept, deleted": (0, [todos, show]),
    "numbered, deleted": (0, [todos, solution, show]),
    "kept, inserted": (0, ["import json", imports, todos, solution, "print(solution(), 2)"]),
    "numbered, inserted": (1, ["import json", imports, todos, conflict, show]),
}
if seen != expected:
    sys.exit(f"CHANGED: expected {expected}, got {seen}")
print(seen)
PYTHON
