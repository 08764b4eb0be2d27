"""Make the check of an exercise: a function that tries its rules on the learner's code."""

import os
import re
import sys
from collections.abc import Callable, Mapping
from functools import wraps
from inspect import signature
from typing import Any

from agentlib.tools import Tool

from ...ipython_shell import find_shell
from ...time_limit import show
from ..scene import warm_up
from .blank import is_blank
from .exercise import Exercise
from .restore import save_state
from .result import FAILED, NOT_TRIED, PASSED, Result
from .rule import Miss, Rule, try_rule

KINDS: dict[str, Any] = {"class": type, "function": Callable, "Tool": Tool}
GRADING = "NBGRADER_EXECUTION"  # nbgrader sets it for the kernel that grades or validates
STALE = "Your cell ended with an error, so this is still the version before."


def exercise(**facts: Any) -> Callable[..., Any]:
    """Decorate the function that a learner calls: it becomes the check of an Exercise.

    Its parameters with the default None are the learner's names. It may return a Result; if it
    returns None, the rules in its module are tried. `facts` are fields of the Exercise, whose
    `name` is that of the function, without "check_". The function's attribute `exercise` is it.

    While nbgrader runs the notebook, the function returns nothing: it shows the feedback if all
    rules pass, and otherwise raises an AssertionError with the feedback, because nbgrader gives a
    point for a check that raises nothing. The Exercise's `check`, which `keep()` calls, does
    neither.
    """

    def decorate(function: Callable[..., Result | None]) -> Any:
        above = vars(sys.modules[function.__module__]).values()
        # A rule with several trials has several names there.
        rules = tuple(dict.fromkeys(one for one in above if isinstance(one, Rule)))
        parameters = signature(function).parameters
        subjects = tuple(one for one in parameters if parameters[one].default is None)

        def check_written(*given: Any, **named: Any) -> Result:
            result = function(*given, **named)
            names = dict(zip(parameters, given, strict=False)) | named
            if result is None:
                result = check(made, {one: names.get(one) for one in subjects})
            return result

        def check_cell(*given: Any, **named: Any) -> Result | None:
            if GRADING not in os.environ:
                return check_written(*given, **named)
            names = dict(zip(parameters, given, strict=False)) | named
            # All rules count, whatever the student's `upto` is.
            result = check_written(**{one: names.get(one) for one in subjects})
            if not result.ok:
                raise AssertionError(str(result))
            # The value of the cell would be read as the number of points, so it has none.
            from IPython.display import display  # late, because a terminal needs no IPython

            display(result)
            return None

        in_cells: Any = wraps(function)(check_cell)
        name = function.__name__.removeprefix("check_")
        checked = wraps(function)(check_written)
        made = in_cells.exercise = Exercise(checked, subjects, rules, name, **facts)
        return in_cells

    return decorate


def check(exercise: Exercise, names: Mapping[str, Any]) -> Result:
    """Try every rule on the learner's code in `names`, which the trials receive by name.

    The learner's classes, default arguments and global variables are restored after each trial,
    so that a second check gives the same verdict.
    """
    made = names[exercise.subject]
    aside = STALE if is_stale(exercise) else ""
    if is_blank(made, exercise.needs):
        return Result(exercise, begun=False, aside=aside)
    if isinstance(made, KINDS[exercise.kind]):
        if exercise.kind != "class":
            warm_up()  # what the first request imports does not count as a trial's time
        return Result(exercise, *try_rules(exercise, names), aside=aside)
    kind = type(made).__name__
    note = f"not yet. The check needs a {exercise.kind}, and got an object of type {kind}."
    how_to_pass = exercise.how_to_begin
    if isinstance(made, str):
        how_to_pass = f"Pass `{exercise.subject}` without quotes."
    elif kind == exercise.subject or exercise.kind == "function":
        how_to_pass = f"Pass `{exercise.subject}` without parentheses, which call it."
    return Result(exercise, note=f"{note} {how_to_pass} {aside}".strip())


def explain_upto(exercise: Exercise, upto: Any, most: int) -> Result:
    """Return a result that says what `upto` must be: it is no number."""
    note = f"not tried. `upto` must be a number from 1 to {most}, and it is {show(upto)}."
    return Result(exercise, note=note)


def try_rules(exercise: Exercise, names: Mapping[str, Any]) -> tuple[tuple[str, ...], Miss | None]:
    """Try all rules. Return the state of each, and the first failure.

    After a loop that does not stop, the remaining rules are not tried: it would not stop there.
    """
    restore = save_state(names.values())
    states, first = [NOT_TRIED] * len(exercise.rules), None
    try:
        for number, rule in enumerate(exercise.rules):
            missed = try_rule(rule, names, names[exercise.subject], restore)
            states[number] = FAILED if missed else PASSED
            first = first or missed
            if missed and missed.is_endless:
                break
    finally:  # also after Ctrl-C
        restore()
    return tuple(states), first


def is_stale(exercise: Exercise) -> bool:
    """Return whether the cell that ran last ended with an error, and defines the exercise."""
    last = getattr(find_shell(), "last_execution_result", None)
    if last is None or last.success:
        return False
    defines = rf"(?m)^\s*((class|def) +{exercise.subject}\b|{exercise.subject} *=)"
    return re.search(defines, str(last.info.raw_cell)) is not None
