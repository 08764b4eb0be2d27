"""Try the rules of an exercise on the learner's code."""

from collections.abc import Mapping
from inspect import iscoroutinefunction
from types import FunctionType
from typing import Any

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
# The members of the classes that exercises extend, to notice that a cell has replaced one.
ORIGINAL = {cls: dict(vars(cls)) for cls in (TodoManager, Nag)}


def check(exercise: Exercise, names: Mapping[str, Any]) -> Result:
    """Try every rule on the learner's code in `names`, which the trials receive by name.

    The learner's classes, default arguments and global variables are restored after each trial,
    so that a second check gives the same verdict.
    """
    made = names[exercise.subject]
    changed = find_changed_parents()
    if is_blank(made, exercise.needs) and not changed:
        return Result(exercise, begun=False)
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
        return Result(exercise, *try_rules(exercise, names))
    return Result(exercise, note=f"not yet. {note}")


def find_async(made: Any) -> str:
    """Return the name of a function, or of a method in a class, that is `async`; else ""."""
    functions = list_functions(made)
    return next((one.__name__ for one in functions if iscoroutinefunction(one)), "")


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
    states, first = [NOT_TRIED] * len(exercise.rules), None
    for number, rule in enumerate(exercise.rules):
        missed = try_rule(rule, names, made, state.restore, exercise.seconds)
        states[number] = FAILED if missed else PASSED
        first = first or missed
        if missed and missed.is_out_of_time:
            break
    state.restore()
    return tuple(states), first
