"""Find the lesson's folder from a terminal that is in the folder above it."""

import os
import sys
from pathlib import Path

from safetylib.guard.escape import for_print

NAME = "my_lesson"
PROGRAM = "my_agent"  # the folder in it with the learner's program
NO_PROGRAM = (
    f"There is no program {{}} here, nor in a folder {NAME}. Type `cd` and the folder of your "
    "notebooks first."
)


def find_in_lesson(path: Path) -> Path:
    """Return a path, or if there is nothing at it, the same one in the lesson's folder.

    Print which one it is then. The folder is that of `planning-agent lab`, or `my_lesson`.
    """
    if os.path.lexists(path) or path.is_absolute():
        return path
    for folder in filter(None, [os.environ.get("LESSON_FOLDER"), NAME]):
        if os.path.lexists(inside := Path(folder, path)):
            print(for_print(f"This is {inside}."), file=sys.stderr, flush=True)
            return inside
    return path
