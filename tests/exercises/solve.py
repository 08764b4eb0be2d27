"""Make the solved notebook from the learner's: python tests/exercises/solve.py, then make notebooks

All of it comes from notebooks/exercises.ipynb, but for the cells tagged "exercise" (ours are the
solutions) and the cells tagged "solution" (a word on each). Those live in
notebooks/solutions/exercises.ipynb: change them there, and everything else in the learner's.
"""

from pathlib import Path

import nbformat

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
LEARNERS = NOTEBOOKS / "exercises.ipynb"
SOLVED = NOTEBOOKS / "solutions" / "exercises.ipynb"


def has(cell, tag: str) -> bool:
    return tag in cell.metadata.get("tags", [])


def solve(learners, solved) -> list:
    """The cells that the solved notebook should have, outputs left out."""
    ours = {cell.id: cell.source for cell in solved.cells if has(cell, "exercise")}
    words, above = {}, None
    for cell in solved.cells:
        if has(cell, "solution"):
            words.setdefault(above, []).append(cell)
        else:
            above = cell.id
    cells = []
    for cell in learners.cells:
        cell = nbformat.from_dict(cell)
        if has(cell, "exercise"):
            cell.source = ours[cell.id]
        # One folder further down, the same link leads elsewhere.
        cell.source = cell.source.replace("(solutions/exercises.ipynb)", "(exercises.ipynb)")
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
        cells += [cell, *words.get(cell.id, [])]
    return cells


def main() -> None:
    solved = nbformat.read(SOLVED, as_version=4)
    solved.cells = solve(nbformat.read(LEARNERS, as_version=4), solved)
    SOLVED.write_text(nbformat.writes(solved) + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
