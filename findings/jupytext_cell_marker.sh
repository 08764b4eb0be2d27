#!/usr/bin/env bash
# jupytext 1.19.6. Seen on 1 December 2026.
# A good guess: a notebook that was written as a Python file comes back with the same cells.
# A notebook is written as a Python file (py:percent) and read again. In a Markdown cell, a line
# `# %%` is escaped and comes back. In a code cell, where such a line is only a comment, it is
# not: one cell comes back as two, without a warning, and the tags and the metadata of nbgrader
# stay with the first half. `# %% [markdown]` makes Markdown of the code that follows.
# Seen: code: 1 cell is 2, with tags and without / in a string: 1 / markdown: 1, unchanged /
# `# %% [markdown]` in a code cell: code, markdown
# Took 74 seconds on a busy machine. Needs Python.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The home of the script is its folder, and it has no key of yours.
export HOME="$folder"
unset "${!XDG_@}" $(compgen -e | grep -E 'KEY|TOKEN|SECRET' || true)
python3 -m venv "$folder"
"$folder/bin/python" -m pip install -q --no-compile "jupytext==1.19.6"
cd "$folder"
bin/python - <<'PYTHON'
import sys

import jupytext
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

GRADED = {"nbgrader": {"grade_id": "one", "points": 1}, "tags": ["exercise"]}


def read_again(cell):
    """Return the cells that one cell becomes, each as its type, its text and its metadata."""
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook = new_notebook(cells=[cell], metadata={"kernelspec": kernel})
    text = jupytext.writes(notebook, "py:percent")
    cells = jupytext.reads(text, "py:percent").cells
    return [(one.cell_type, one.source, sorted({*GRADED} & {*one.metadata})) for one in cells]


seen = {
    "code": read_again(new_code_cell("first = 1\n# %%\nsecond = 2", metadata=GRADED)),
    "string": read_again(new_code_cell('text = """\n# %%\n"""')),
    "markdown": read_again(new_markdown_cell("first\n\n# %%\n\nsecond")),
    "to markdown": read_again(new_code_cell("first = 1\n# %% [markdown]\n# second = 2")),
}
expected = {
    "code": [("code", "first = 1", ["nbgrader", "tags"]), ("code", "second = 2", [])],
    "string": [("code", 'text = """\n# %%\n"""', [])],
    "markdown": [("markdown", "first\n\n# %%\n\nsecond", [])],
    "to markdown": [("code", "first = 1", []), ("markdown", "second = 2", [])],
}
if seen != expected:
    print(f"CHANGED: expected {expected}, got {seen}")
    sys.exit(1)
print("as described:", {name: len(cells) for name, cells in seen.items()})
PYTHON
