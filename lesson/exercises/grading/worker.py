"""What runs in the kernel of a saved notebook, next to the learner's cells."""

import os
import sys
import time
from contextlib import suppress
from dataclasses import asdict
from itertools import islice
from typing import Any

import lesson
from agentlib import Call, Nag, TodoManager

from ..catalogue import EXERCISES

MEMORY_BYTES = 3 * 2**30
FILE_BYTES = 16 * 2**20


def set_up() -> None:
    """Limit memory and file sizes, drop all output, and define the names that the checks use."""
    with suppress(ImportError, ValueError, OSError):  # not every system has these limits
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_BYTES, FILE_BYTES))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    from IPython import get_ipython

    get_ipython().ast_node_interactivity = "none"
    sys.stdout = sys.stderr = open(os.devnull, "w")
    names = vars(sys.modules["__main__"])
    names |= {"time": time, "islice": islice, "Call": Call, "Nag": Nag, "TodoManager": TodoManager}
    ours = [name for name, home in lesson.HOME.items() if home.startswith("exercises")]
    names |= {name: getattr(lesson, name) for name in ours}


def publish(name: str) -> None:
    """Check the exercise of this name, and send the answer to the grader."""
    from IPython.display import display

    display({"application/json": check_exercise(name)}, raw=True)


def check_exercise(name: str) -> dict[str, Any]:
    """Return an Answer about an exercise, for the names that the notebook's cells have defined."""
    exercise = next(one for one in EXERCISES if one.name == name)
    names = vars(sys.modules["__main__"])
    if exercise.subject not in names:
        return {"problem": f"Its cell does not define {exercise.subject}."}
    result = exercise.check(*(names.get(want) for want in exercise.subjects))
    sent = ("states", "note", "aside", "begun")
    answer = {name: getattr(result, name) for name in sent}
    return answer | {"miss": asdict(result.miss) if result.miss else None}
