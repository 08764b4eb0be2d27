"""Find the notebooks, and read our solution of each part, which is written there only."""

from functools import cache
from pathlib import Path

from .parts import PARTS, read_cell

PACKAGE = Path(__file__).parents[1]
IN_WHEEL, IN_CHECKOUT = PACKAGE / "notebooks", PACKAGE.parent / "notebooks"
# Never those of the current folder, which are a learner's copy and may be changed.
NOTEBOOKS = IN_WHEEL if IN_WHEEL.is_dir() else IN_CHECKOUT
SOLUTIONS = NOTEBOOKS / "solutions"  # a file for each part, as `check` writes it


@cache
def read_solutions() -> dict[str, str]:
    """Return the cell of each part, by the name of the part."""
    files = {name: SOLUTIONS / f"{part.file}.py" for name, part in PARTS.items()}
    return {name: read_cell(file.read_text(encoding="utf-8")) for name, file in files.items()}
