"""Write and run the notebooks with the solutions in their exercises: `python tools/solved.py`.

A cell that is tagged `["exercise", NAME]` gets the solution of the part NAME.
The notebooks run one after the other in build/solved, or in the folder that is named, as a learner
runs them: there they also write their my_agent. A check that does not pass is an error.
"""

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


def list_failed(notebook) -> list[str]:
    """Return the ids of the checks that do not say that the part passes."""
    checks = [cell for cell in notebook.cells if has(cell, "check")]
    said = {cell.id: "".join(one.get("text", "") for one in cell.outputs) for cell in checks}
    return [cell.id for cell in checks if f"{cell.metadata.tags[1]} passes " not in said[cell.id]]


def main(folder: Path = FOLDER) -> None:
    """Write the solved notebooks into a new `folder`."""
    shutil.rmtree(folder, ignore_errors=True)
    copy_lesson(folder)
    for path in sorted(folder.glob("*.ipynb")):
        notebook = solve(nbformat.read(path, as_version=4), read_solutions())
        nbformat.write(notebook, path)
        text = rebuild(path, folder)
        path.write_text(text, encoding="utf-8", newline="\n")
        if failed := list_failed(nbformat.reads(text, as_version=4)):
            raise SystemExit(f"{path}: these checks do not pass: {', '.join(failed)}")
        print(path)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
