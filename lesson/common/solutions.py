"""Find the notebooks, and read what is written there only: given cells and our solutions."""

import json
import re
from functools import cache
from pathlib import Path

from .parts import PARTS, read_cell

PACKAGE = Path(__file__).parents[1]
IN_WHEEL, IN_CHECKOUT = PACKAGE / "notebooks", PACKAGE.parent / "notebooks"
# Never those of the current folder, which are a learner's copy and may be changed.
NOTEBOOKS = IN_WHEEL if IN_WHEEL.is_dir() else IN_CHECKOUT
SOLUTIONS = NOTEBOOKS / "solutions"  # the whole program: also what is around the parts
FILES = {name: SOLUTIONS / f"{part.file}.py" for name, part in PARTS.items()}  # as `check` writes


@cache
def read_solutions() -> dict[str, str]:
    """Return the cell of each part, by the name of the part."""
    return {name: read_cell(file.read_text(encoding="utf-8")) for name, file in FILES.items()}


def read_first_loop() -> str:
    """Return our solution of the loop's first exercise: the finished loop without its reminder."""
    text = read_solutions()["agent_loop"]
    text = re.sub(r"(?m)^# .*\n", "", text)  # which says where the reminder goes
    return re.sub(r"(?s) {8}# Remind:.*?(?= {8}# Answer)", "", text)


@cache
def read_given(part: str, level: int = 0) -> str:
    """Return the cell in which a learner begins to write a part, or to go on with a later level."""
    notebook = f"{PARTS[part].levels[level].notebook}.ipynb"
    cells = json.loads((NOTEBOOKS / notebook).read_text(encoding="utf-8"))["cells"]
    tags = ["exercise", part]
    texts = ("".join(cell["source"]) for cell in cells if cell["metadata"].get("tags") == tags)
    return next(texts, "")
