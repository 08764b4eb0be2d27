#!/usr/bin/env bash
# jupytext 1.19.6. Seen on 1 December 2026.
# A good guess: a notebook that is paired with a Markdown file keeps its code cells when a word of a
# text is edited.
# A text cell that shows a fenced block, such as a prompt or a model's reply in Markdown, needs a
# fence of four backticks around it. In the formats md and Rmd, jupytext takes this fence for one of
# three: the inner fence ends it, and its own end opens a block that goes on over the next code cell,
# which is then read as text. After one word was edited in the Markdown file, `jupytext --sync` writes
# this into the notebook without a message: the code is no cell any more, and its output and its grade
# of nbgrader are gone. In the formats md:myst and py:percent, all cells stay.
# Seen, cells of a notebook of text, code, text, code after the sync: in md and Rmd one text, which has
# the first three, and the last code, with no output and no grade left; in the others all four
# Took 116 seconds on a busy machine. Needs Python.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The home of the script is its folder, and it has no key of yours.
export HOME="$folder"
unset "${!XDG_@}" $(compgen -e | grep -E 'KEY|TOKEN|SECRET' || true)
python3 -m venv "$folder"
"$folder/bin/python" -m pip install -q --no-compile "jupytext==1.19.6"
cd "$folder"
bin/python - 2> errors <<'PYTHON' || { cat errors >&2; exit 1; }
import os
import subprocess
import sys

import jupytext
import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

SHOWN = "The model answers:\n\n````\n```python\nplan = []\n```\n````"
GRADE = {"grade_id": "plan", "grade": True, "points": 2}


def cells(notebook):
    """Return the kind of each cell, and how many outputs and grades are left."""
    return (
        [cell.cell_type for cell in notebook.cells],
        sum(len(cell.get("outputs", [])) for cell in notebook.cells),
        sum("nbgrader" in cell.metadata for cell in notebook.cells),
    )


def lesson(formats):
    """Make a notebook: a text with a fence, a graded cell with an output, a text, a code cell."""
    printed = [new_output("stream", text="[]\n")]
    graded = new_code_cell("print(plan)", outputs=printed, metadata={"nbgrader": GRADE})
    end = [new_markdown_cell("After it."), new_code_cell("plan.clear()")]
    notebook = new_notebook(cells=[new_markdown_cell(SHOWN), graded, *end])
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "", "language": "python"}
    notebook.metadata["jupytext"] = {"formats": formats}
    return notebook


def synced(name, suffix, formats):
    """Pair a notebook, edit one word of its text file, and return what is in the notebook then."""
    notebook, text = f"{name}.ipynb", f"{name}.{suffix}"
    nbformat.write(lesson(formats), notebook)
    subprocess.run(["bin/jupytext", "--sync", notebook], check=True, stdout=sys.stderr)
    with open(text, encoding="utf-8") as file:
        edited = file.read().replace("After it.", "After that.")
    with open(text, "w", encoding="utf-8") as file:
        file.write(edited)
    os.utime(notebook, (0, 0))
    subprocess.run(["bin/jupytext", "--sync", text], check=True, stdout=sys.stderr)
    return cells(jupytext.read(notebook))


seen = {
    "md": synced("a", "md", "ipynb,md"),
    "Rmd": synced("b", "Rmd", "ipynb,Rmd"),
    "md:myst": synced("c", "md", "ipynb,md:myst"),
    "py:percent": synced("d", "py", "ipynb,py:percent"),
}
lost = ["markdown", "code"], 0, 0
kept = ["markdown", "code", "markdown", "code"], 1, 1
expected = {"md": lost, "Rmd": lost, "md:myst": kept, "py:percent": kept}
if seen != expected:
    sys.exit(f"CHANGED: expected {expected}, got {seen}")
print(seen)
PYTHON
