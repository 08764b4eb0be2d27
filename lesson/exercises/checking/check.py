"""Try the rules of an exercise on the learner's code."""

import re
from collections.abc import Mapping
from types import FunctionType
from typing import Any

from agentlib.safety.approval import find_shell
from agentlib.tools import Tool

from .blank import is_blank
from .exercise import Exercise
from .result import FAILED, NOT_TRIED, PASSED, Result
from .rule import Miss, try_rule
from .state import save_state

# A class can also be a function that makes the object.
KINDS: dict[str, Any] = {"class": (type, FunctionType), "Tool": Tool}
STALE = "Your cell ended with an error, so this is still the version before."


def check(exercise: Exercise, names: Mapping[str, Any]) -> Result:
    """Try every rule on the learner's code in `names`, which the trials receive by name.

    The learner's classes, default arguments and global variables are restored after each trial,
    so that a second check gives the same verdict.
    """
    made = names[exercise.subject]
    aside = STALE if is_stale(exercise) else ""
    if is_blank(made, exercise.needs):
        return Result(exercise, begun=False, aside=aside)
    kinds = KINDS.get(exercise.kind)
    if isinstance(made, kinds) if kinds else callable(made):
        return Result(exercise, *try_rules(exercise, names), aside=aside)
    note = (
        f"not yet. The check needs the {exercise.kind} itself, and got an object of type "
        f"{type(made).__name__}. Pass its name without quotes and without parentheses. "
        f"{exercise.how_to_begin} {aside}"
    )
    return Result(exercise, note=note.strip())


def try_rules(exercise: Exercise, names: Mapping[str, Any]) -> tuple[tuple[str, ...], Miss | None]:
    """Try all rules. Return the state of each, and the first failure.

    After a timeout the remaining rules are not tried, because they would time out as well.
    """
    restore = save_state(names.values())
    states, first = [NOT_TRIED] * len(exercise.rules), None
    for number, rule in enumerate(exercise.rules):
        missed = try_rule(rule, names, names[exercise.subject], restore)
        states[number] = FAILED if missed else PASSED
        first = first or missed
        if missed and missed.is_out_of_time:
            break
    restore()
    return tuple(states), first


def is_stale(exercise: Exercise) -> bool:
    """Return whether the cell that ran last ended with an error, and contains the exercise."""
    last = getattr(find_shell(), "last_execution_result", None)
    if last is None or last.success:
        return False
    return re.search(rf"\b{exercise.subject}\b", str(last.info.raw_cell)) is not None
