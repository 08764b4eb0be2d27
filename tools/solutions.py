"""Generate the solved notebooks: run `python tools/solutions.py`, then `make notebooks`.

A solved notebook has the cells of the learner's notebook, except the cells tagged "exercise" (the
solutions) and the cells tagged "solution" (an explanation of each). Edit those two kinds in
notebooks/solutions/, and all other cells in the learner's notebook. A new exercise is copied: write
its solution into the copy. A notebook with no changed cell keeps its outputs.
"""

import re
from pathlib import Path

import nbformat

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
SOLUTIONS = NOTEBOOKS / "solutions"
NAMES = sorted(path.stem for path in SOLUTIONS.glob("*.ipynb"))
LINK = re.compile(r"\]\((?!https?:|#)([^)]+)\)")


def learners(name: str) -> Path:
    return NOTEBOOKS / f"{name}.ipynb"


def solved(name: str) -> Path:
    return SOLUTIONS / f"{name}.ipynb"


def has(cell, tag: str) -> bool:
    return tag in cell.metadata.get("tags", [])


def solve(given, done) -> list:
    """Return the cells of the solved notebook `done` of the learner's `given`, without outputs."""
    solutions = {cell.id: cell.source for cell in done.cells if has(cell, "exercise")}
    explanations, above = {}, None
    for cell in done.cells:
        if has(cell, "solution"):
            explanations.setdefault(above, []).append(cell)
        else:
            above = cell.id
    cells = []
    for cell in given.cells:
        cell = nbformat.from_dict(cell)
        if has(cell, "exercise"):
            cell.source = solutions.get(cell.id, cell.source)
        if cell.cell_type == "markdown":
            cell.source = LINK.sub(lambda link: f"]({one_folder_down(link[1])})", cell.source)
        else:
            cell.outputs, cell.execution_count = [], None
        cells += [cell, *explanations.get(cell.id, [])]
    return cells


def plain(cell) -> tuple:
    """Return what people write of a cell, without its outputs."""
    return cell.id, cell.cell_type, cell.source, cell.metadata.get("tags", [])


def one_folder_down(link: str) -> str:
    """Return a relative link of a learner's notebook as it must be in solutions/."""
    if link.startswith("solutions/"):
        return link.removeprefix("solutions/")
    return link if link.removesuffix(".ipynb") in NAMES else f"../{link}"


def main() -> None:
    for name in NAMES:
        done = nbformat.read(solved(name), as_version=4)
        cells = solve(nbformat.read(learners(name), as_version=4), done)
        if list(map(plain, cells)) == list(map(plain, done.cells)):
            continue
        done.cells = cells
        solved(name).write_text(nbformat.writes(done) + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
