"""Make the solved notebooks from the learner's: python tools/solutions.py, make notebooks

All of a solved notebook comes from the learner's, except the cells tagged "exercise" (ours are
the solutions) and the cells tagged "solution" (a word on each). Those live in notebooks/solutions/:
change them there, and everything else in the learner's.
"""

import re
from pathlib import Path

import nbformat

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
SOLUTIONS = NOTEBOOKS / "solutions"
NAMES = ("exercises", "s02_tool_use", "s03_todo_write", "your_agent")
LINK = re.compile(r"\]\((?!https?:|#)([^)]+)\)")


def learners(name: str) -> Path:
    """The notebook that a learner fills in."""
    return NOTEBOOKS / f"{name}.ipynb"


def solved(name: str) -> Path:
    """The same notebook, solved."""
    return SOLUTIONS / f"{name}.ipynb"


def has(cell, tag: str) -> bool:
    return tag in cell.metadata.get("tags", [])


def solve(given, done) -> list:
    """The cells that the solved notebook `done` of the learner's `given` should have, unrun."""
    ours = {cell.id: cell.source for cell in done.cells if has(cell, "exercise")}
    words, above = {}, None
    for cell in done.cells:
        if has(cell, "solution"):
            words.setdefault(above, []).append(cell)
        else:
            above = cell.id
    cells = []
    for cell in given.cells:
        cell = nbformat.from_dict(cell)
        if has(cell, "exercise"):
            cell.source = ours[cell.id]
        if cell.cell_type == "markdown":
            cell.source = LINK.sub(lambda link: f"]({one_folder_down(link[1])})", cell.source)
        else:
            cell.outputs, cell.execution_count = [], None
        cells += [cell, *words.get(cell.id, [])]
    return cells


def one_folder_down(link: str) -> str:
    """What a link in a learner's notebook must be in solutions/."""
    if link.startswith("solutions/"):
        return link.removeprefix("solutions/")
    return link if link.removesuffix(".ipynb") in NAMES else f"../{link}"


def main() -> None:
    for name in NAMES:
        done = nbformat.read(solved(name), as_version=4)
        done.cells = solve(nbformat.read(learners(name), as_version=4), done)
        solved(name).write_text(nbformat.writes(done) + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
