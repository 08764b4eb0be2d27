"""Find the notebooks, and read our solution of each part, which is in the finished program only."""

import re
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parents[1]
IN_WHEEL, IN_CHECKOUT = PACKAGE / "notebooks", PACKAGE.parent / "notebooks"
# Never those of the current folder, which are a learner's copy and may be changed.
NOTEBOOKS = IN_WHEEL if IN_WHEEL.is_dir() else IN_CHECKOUT
SOLUTIONS = NOTEBOOKS / "solutions" / "my_agent.py"  # the finished program
# Above a section of a program. The digits are missing if they were deleted by hand.
MARK = re.compile(r"(?m)^# --- (\w+) ---(?: ([0-9a-f]+))?[ \t]*$\n?")


@cache
def read_solutions() -> dict[str, str]:
    """Return the text of each section in the finished program, by its name."""
    _, *found = MARK.split(SOLUTIONS.read_text(encoding="utf-8"))
    return dict(zip(found[::3], map(str.rstrip, found[2::3]), strict=True))
