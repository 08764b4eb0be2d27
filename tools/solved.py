"""Write and run the notebooks with the solutions in their exercises: `python tools/solved.py`.

A cell that is tagged `["exercise", NAME]` gets the solution of the part NAME.
The notebooks run one after the other in build/solved, or in the folder that is named, as a learner
runs them: there they also write their my_agent. A check that does not pass is an error.
"""

import os
import shutil
import sys
from pathlib import Path

import nbformat

from lesson.common.solutions import read_solutions
from lesson.program.copy_lesson import copy_lesson
from notebooks import NOTEBOOKS, rebuild

FOLDER = NOTEBOOKS.parent / "build" / "solved"


def has(cell, tag: str) -> bool:
    return tag in cell.metadata.get("tags", [])


def solve(notebook, solutions: dict[str, str]):
    """Put the solutions into the cells of the exercises, in place, and return the notebook."""
    for cell in notebook.cells:
        if has(cell, "exercise"):
            cell.source = solutions.get(cell.metadata.tags[1], cell.source)
    return notebook


def main(folder: Path = FOLDER) -> None:
    """Write the solved notebooks into a new `folder`."""
    os.environ["NBGRADER_EXECUTION"] = "validate"  # then a check that fails raises
    shutil.rmtree(folder, ignore_errors=True)
    copy_lesson(folder)
    for path in sorted(folder.glob("*.ipynb")):
        notebook = solve(nbformat.read(path, as_version=4), read_solutions())
        nbformat.write(notebook, path)
        path.write_text(rebuild(path, folder), encoding="utf-8", newline="\n")
        print(path)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
