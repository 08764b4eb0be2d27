"""What runs in the kernel of a saved notebook, beside the learner's cells."""

import os
import sys
import time
from contextlib import suppress
from itertools import islice
from typing import Any

from agentlib import Call, Nag, TodoManager

from ... import exercises
from ..catalogue import EXERCISES

MEMORY_BYTES = 3 * 2**30
FILE_BYTES = 16 * 2**20


def set_up() -> None:
    """Bound memory and files, drop what is printed, and bring the names that the checks use."""
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
    names |= {name: getattr(exercises, name) for name in exercises.__all__}


def publish(name: str) -> None:
    """Check the exercise of this name, and send the answer out of the kernel."""
    from IPython.display import display

    display({"application/json": answer(name)}, raw=True)


def answer(name: str) -> dict[str, Any]:
    """What came of an exercise, as the notebook's cells have left it."""
    exercise = next(one for one in EXERCISES if one.name == name)
    names = vars(sys.modules["__main__"])
    if exercise.subjects[0] not in names:
        text = f"Its cell does not define {exercise.subjects[0]}." + find_instead(names)
        return {"states": [], "begun": True, "text": text, "problem": text, "miss": ""}
    result = exercise.check(*(names.get(want) for want in exercise.subjects))
    miss = f"{result.rules[result.first].title}: {result.miss.came}" if result.miss else ""
    return {
        "states": list(result.states),
        "begun": result.begun,
        "text": str(result),
        "problem": "",
        "miss": miss,
    }


def find_instead(names: dict[str, Any]) -> str:
    """Which class there is under another name, as a sentence; "" if there is none."""
    own = [name for name, made in names.items() if isinstance(made, type) and is_own(made)]
    return f" It defines {own[-1]}." if own else ""


def is_own(made: type) -> bool:
    """Whether a class was defined in a cell."""
    with suppress(Exception):  # a class may refuse to be looked into
        return made.__module__ == "__main__"
    return False
