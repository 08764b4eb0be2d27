"""Try the rules of an exercise on the learner's code."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from inspect import isasyncgenfunction, iscoroutinefunction
from types import FunctionType
from typing import Any

from agentlib.approval import find_shell
from agentlib.nag import Nag
from agentlib.todo import TodoManager
from agentlib.tools import Tool

from .blank import is_blank, list_functions
from .exercise import Exercise
from .result import FAILED, NOT_TRIED, PASSED, Result
from .rule import Miss, try_rule
from .state import State

# A class can also be a function that makes the object.
KINDS: dict[str, Any] = {"class": (type, FunctionType), "Tool": Tool}
STALE = "Your cell ended with an error, so this is still the version before."
# The members of the classes that exercises extend, to notice that a cell has replaced one.
ORIGINAL = {cls: dict(vars(cls)) for cls in (TodoManager, Nag)}


def check(exercise: Exercise, names: Mapping[str, Any]) -> Result:
    """Try every rule on the learner's code in `names`, which the trials receive by name.

    The learner's classes, default arguments and global variables are restored after each trial,
    so that a second check gives the same verdict.
    """
    made = names[exercise.subject]
    aside = STALE if is_stale(exercise) else ""
    changed = find_changed_parents()
    if is_blank(made, exercise.needs) and not changed:
        return Result(exercise, begun=False, aside=aside)
    kinds = KINDS.get(exercise.kind)
    method = find_async(made)
    if changed:
        note = (
            f"A cell has changed {' and '.join(changed)}, which other exercises also use. "
            f"Restart the kernel, and make the change in your own {exercise.kind}."
        )
    elif not (isinstance(made, kinds) if kinds else callable(made)):
        note = (
            f"The check needs the {exercise.kind} itself, and got an object of type "
            f"{type(made).__name__}. Pass its name without quotes and without parentheses. "
            f"{exercise.how_to_begin}"
        )
    elif method:
        note = f"`{method}` must return its value directly: write `def` instead of `async def`."
    else:
        return Result(exercise, *try_rules(exercise, names), aside=aside)
    return Result(exercise, note=f"not yet. {note} {aside}".strip())


def find_async(made: Any) -> str:
    """Return the name of a function, or of a method in a class, that is `async`; else ""."""
    for one in list_functions(made):
        if iscoroutinefunction(one) or isasyncgenfunction(one):
            return str(one.__name__)
    return ""


def find_changed_parents() -> list[str]:
    """Return the attributes of TodoManager and Nag that a cell has replaced: ["Nag.reminder"]."""
    return [
        f"{cls.__name__}.{name}"
        for cls, members in ORIGINAL.items()
        for name, original in members.items()
        if not name.startswith("_") and vars(cls).get(name) is not original
    ]


def try_rules(exercise: Exercise, names: Mapping[str, Any]) -> tuple[tuple[str, ...], Miss | None]:
    """Try all rules. Return the state of each, and the first failure.

    After a timeout the remaining rules are not tried, because they would time out as well.
    """
    made, state = names[exercise.subject], State(names.values())
    states, misses = [NOT_TRIED] * len(exercise.rules), []
    for number, rule in enumerate(exercise.rules):
        missed = try_rule(rule, names, made, state.restore)
        states[number] = FAILED if missed else PASSED
        misses += [missed] if missed else []
        if missed and missed.is_out_of_time:
            break
    state.restore()
    return tuple(states), choose_miss(misses)


def choose_miss(misses: Sequence[Miss]) -> Miss | None:
    """Return the first failure. If all have the same error, leave out the hints of its rule."""
    if not misses:
        return None
    first = misses[0]
    if len(misses) > 1 and all(one.is_error and one.got == first.got for one in misses):
        note = f"{first.note} All rules that fail have this error, so begin with it."
        return replace(first, note=note.strip(), hints=())
    return first


def is_stale(exercise: Exercise) -> bool:
    """Return whether the cell that ran last ended with an error, and contains the exercise."""
    last = getattr(find_shell(), "last_execution_result", None)
    if last is None or last.success:
        return False
    return re.search(rf"\b{exercise.subject}\b", str(last.info.raw_cell)) is not None
