#!/usr/bin/env bash
# nbconvert 7.17.2, read with markdown-it-py 4.0.0. Seen on 1 December 2026.
# A good guess: a notebook as Markdown has the same cells.
# A prompt that tells the model to answer in a fenced block has the line "```" in it. `jupyter nbconvert
# --to markdown` puts such a line before and after each code cell, whatever the cell contains: the
# block ends in the middle of the prompt, the rest of the code is prose, and the text that follows it,
# with its heading, is shown as code until the next fence. `jupytext --to md` takes four backticks.
# Seen, code blocks and headings of a page of code, heading, code: without a fence in the prompt 2 and
# 1, with it 2 and 0, and the heading is in the second block
# Took 58 seconds on a busy machine. Needs Python.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The home of the script is its folder, and it has no key of yours.
export HOME="$folder"
unset "${!XDG_@}" $(compgen -e | grep -E 'KEY|TOKEN|SECRET' || true)
python3 -m venv "$folder"
"$folder/bin/python" -m pip install -q --no-compile "nbconvert==7.17.2" "markdown-it-py==4.0.0"
cd "$folder"
bin/python - 2> errors <<'PYTHON' || { cat errors >&2; exit 1; }
import subprocess
import sys

import nbformat
from markdown_it import MarkdownIt
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

PROMPT = 'prompt = """Answer as\n```json\n{"todos": []}\n```\nand no more."""\nprint(prompt)'


def page(code):
    """Convert a notebook of code, heading, code; return its code blocks and its headings."""
    cells = [new_code_cell(code), new_markdown_cell("## Your task"), new_code_cell("todos = []")]
    notebook = new_notebook(cells=cells)
    notebook.metadata["language_info"] = {"name": "python"}
    nbformat.write(notebook, "lesson.ipynb")
    command = ["bin/jupyter", "nbconvert", "--to", "markdown", "lesson.ipynb"]
    subprocess.run(command, check=True, stdout=sys.stderr)
    with open("lesson.md", encoding="utf-8") as file:
        tokens = MarkdownIt().parse(file.read())
    blocks = [token.content.strip() for token in tokens if token.type == "fence"]
    return blocks, sum(token.type == "heading_open" for token in tokens)


seen = {"no fence": page("prompt = ''"), "fence": page(PROMPT)}
begun = 'prompt = """Answer as\n```json\n{"todos": []}'
expected = {
    "no fence": (["prompt = ''", "todos = []"], 1),
    "fence": ([begun, "## Your task\n\n\n```python\ntodos = []"], 0),
}
if seen != expected:
    sys.exit(f"CHANGED: expected {expected}, got {seen}")
print(seen)
PYTHON
