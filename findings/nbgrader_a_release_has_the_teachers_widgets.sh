#!/usr/bin/env bash
# nbgrader 0.9.6, nbconvert 7.17.2, nb-clean 5.0.0, nbstripout 0.9.1, ipywidgets 8.1.9. Seen on 1
# December 2026.
# A good guess: a release for students, with its solutions and outputs removed, has nothing of what
# the teacher ran.
# The teacher has run the solution of an exercise, and what it printed stands in an Output widget.
# `nbgrader generate_assignment` replaces the solution and clears the outputs, and the state of the
# widgets stays in the notebook's metadata: the release has the right answer in it, and what was
# typed into a text field. So does a notebook after `jupyter nbconvert --clear-output`, whose
# preprocessor nbgrader uses, and after `nb-clean clean`. nbstripout removes it.
# Seen, of solution, outputs, answer, typed: the release has the answer and what was typed; after
# nbconvert and nb-clean, they are there beside the solution; after nbstripout, the solution only
# Took 258 seconds on a busy machine. Needs Python.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The home of the script is its folder, and it has no key of yours.
export HOME="$folder"
unset "${!XDG_@}" $(compgen -e | grep -E 'KEY|TOKEN|SECRET' || true)
python3 -m venv "$folder"
"$folder/bin/python" -m pip install -q --no-compile "nbgrader==0.9.6" "nbconvert==7.17.2" \
  "nb-clean==5.0.0" "nbstripout==0.9.1" "ipywidgets==8.1.9" ipykernel
cd "$folder"
export PATH="$folder/bin:$PATH" IPYTHONDIR="$folder" JUPYTER_CONFIG_DIR="$folder"
mkdir -p source/ps1
python - 2> errors <<'PYTHON' || { cat errors >&2; exit 1; }
import json
import shutil
import subprocess
import sys

import nbclient
import nbformat
from nbformat.v4 import new_code_cell, new_notebook

CODE = """import ipywidgets

name = ipywidgets.Text(value="typed by the teacher")
page = ipywidgets.Output()
### BEGIN SOLUTION
with page:
    print("sum:", 41 + 1)
### END SOLUTION
ipywidgets.VBox([name, page])"""
grader = {"grade": False, "grade_id": "sum", "locked": False, "schema_version": 3}
grader |= {"solution": True, "task": False, "cell_type": "code"}
kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
made = new_notebook(
    cells=[new_code_cell(CODE, metadata={"nbgrader": grader})], metadata={"kernelspec": kernel}
)
nbclient.NotebookClient(made).execute()
nbformat.write(made, "source/ps1/made.ipynb")


def look(path):
    """Return what of the teacher's work is in the notebook."""
    with open(path, encoding="utf-8") as file:
        notebook = json.load(file)
    (cell,) = notebook["cells"]
    text = json.dumps(notebook["metadata"])
    found = {
        "solution": "41 + 1" in "".join(cell["source"]),
        "outputs": bool(cell["outputs"]),
        "answer": "sum: 42" in text,
        "typed": "typed by the teacher" in text,
    }
    return [name for name, is_there in found.items() if is_there]


def clean(*command):
    shutil.copy("source/ps1/made.ipynb", "copy.ipynb")
    subprocess.run([*command, "copy.ipynb"], check=True, stdout=sys.stderr)
    return look("copy.ipynb")


subprocess.run(["nbgrader", "generate_assignment", "ps1", "--create"], check=True)
seen = {
    "source": look("source/ps1/made.ipynb"),
    "release": look("release/ps1/made.ipynb"),
    "nbconvert": clean("jupyter", "nbconvert", "--clear-output", "--inplace"),
    "nb-clean": clean("nb-clean", "clean"),
    "nbstripout": clean("nbstripout"),
}
expected = {
    "source": ["solution", "outputs", "answer", "typed"],
    "release": ["answer", "typed"],
    "nbconvert": ["solution", "answer", "typed"],
    "nb-clean": ["solution", "answer", "typed"],
    "nbstripout": ["solution"],
}
if seen != expected:
    sys.exit(f"CHANGED: expected {expected}, got {seen}")
print(seen)
PYTHON
