#!/usr/bin/env bash
# marimo 0.25.2. Seen on 1 December 2026.
# A good guess: a text that shows a function with its docstring is the same after the conversion,
# and after the way back.
# A text cell that shows a function has a backslash before each quote of its docstring after `marimo
# convert`: `"""` is replaced as for a common string, but the string is a raw one, which keeps the
# backslashes. The page shows them in a block of code, so that what a learner copies is a SyntaxError,
# and `marimo export ipynb` writes them into the notebook. The two spaces that end a line in Markdown
# are gone as well, so that two lines are one. With ''', the code stays as it was.
# Seen, for the shown code, whether it is Python in the notebook, on marimo's page and in the notebook
# that was converted back: with """ yes, no, no; with ''' yes, yes, yes; the two spaces are left in none
# Took 84 seconds on a busy machine. Needs Python.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The home of the script is its folder, and it has no key of yours.
export HOME="$folder"
unset "${!XDG_@}" $(compgen -e | grep -E 'KEY|TOKEN|SECRET' || true)
python3 -m venv "$folder"
"$folder/bin/python" -m pip install -q --no-compile "marimo==0.25.2" "nbformat==5.11.0"
cd "$folder"
bin/python - 2> errors <<'PYTHON' || { cat errors >&2; exit 1; }
import ast
import html
import re
import subprocess
import sys

import marimo
import nbformat
from nbformat.v4 import new_markdown_cell, new_notebook

SHOWN = "Write this,  \nplease:\n\n```python\ndef plan():\n    QQQReturn the list.QQQ\n```"


def is_python(code):
    """Return whether the code can be compiled."""
    try:
        compile(code, "shown", "exec")
    except SyntaxError:
        return False
    return True


def block(text):
    """Return the code that a text shows in a fence."""
    return re.search("```python\n(.*)```", text, re.DOTALL)[1]


def converted(name, quotes):
    """Convert a notebook and back; return where its code is Python, and the two spaces left."""
    text = SHOWN.replace("QQQ", quotes)
    nbformat.write(new_notebook(cells=[new_markdown_cell(text)]), f"{name}.ipynb")
    convert = ["bin/marimo", "convert", f"{name}.ipynb", "-o", f"{name}.py"]
    subprocess.run(convert, check=True, stdout=sys.stderr)
    export = ["bin/marimo", "export", "ipynb", f"{name}.py", "-o", f"{name}-back.ipynb"]
    subprocess.run(export, check=True, stdout=sys.stderr)
    with open(f"{name}.py", encoding="utf-8") as file:
        calls = [node for node in ast.walk(ast.parse(file.read())) if isinstance(node, ast.Call)]
    (argument,) = [call.args[0] for call in calls if ast.unparse(call.func) == "mo.md"]
    page = marimo.md(ast.literal_eval(argument)).text
    code = re.search("<code.*?>(.*)</code>", page, re.DOTALL)[1]
    shown = html.unescape(re.sub("<[^>]*>", "", code))
    cells = nbformat.read(f"{name}-back.ipynb", 4).cells
    (back,) = [cell.source for cell in cells if cell.cell_type == "markdown"]
    return [is_python(one) for one in (block(text), shown, block(back))], back.count("  \n")


seen = {"double": converted("double", '"""'), "single": converted("single", "'''")}
expected = {"double": ([True, False, False], 0), "single": ([True, True, True], 0)}
if seen != expected:
    sys.exit(f"CHANGED: expected {expected}, got {seen}")
print(seen)
PYTHON
