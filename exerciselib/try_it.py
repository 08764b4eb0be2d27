"""Try each rule on a part, within a limit of time, and restore what a trial has changed.

`try_rules` tries a part, and calls `explain` of why.py once, for the first rule that fails.
"""

from dataclasses import replace
from functools import partial
from typing import Any

from . import engine
from .engine import Course, list_rules
from .feedback import Verdict
from .learners_code import OutOfTimeError, Raised, attempt
from .restore import save_state, watch_shared
from .show_value import show
from .why import explain

RULE_SECONDS = 3.0  # limit of the thread's processor time; right solutions need up to 0.2
TOO_SLOW = (
    "To find the cause has taken too long: is a value of this notebook very large, or slow to show?"
)
NOT_FOUND = "No cause was found, because looking for it has ended in another error: {}"
NO_RULES = (
    "There are no rules with this name, only for: {}. Is the name misspelled, or the module of its "
    "page not imported?"
)


def try_rules(
    name: str,
    part: Any,
    level: str | None = None,
    course: Course | None = None,
) -> Verdict:
    """Return the verdict on a part of this name: the rules that pass, and why the next one fails.

    The rules are those of `level` and of the levels before it; without one, of the first level.
    Raises LookupError if there is no such part or level. What a trial changes in the learner's
    classes and functions is restored after it.
    """
    rules, course = list_rules(name, level), course or Course()
    verdict = Verdict(name, level or "", 0, len(rules), rules=tuple(rule.text for rule in rules))
    should_be_class = name[0].isupper()
    if isinstance(part, type) != should_be_class or not callable(part):
        return replace(verdict, cause=describe_kind(name))
    restore = save_state([part])
    for number, rule in enumerate(rules):
        find_changed = watch_shared(part)
        try:
            got, printed = attempt(partial(rule.function, part), RULE_SECONDS)
            changed = find_changed() if isinstance(got, Raised) else ""
        finally:  # even after Ctrl-C
            restore()
        if isinstance(got, Raised):
            verdict = replace(verdict, passed=number, printed=printed)
            why = partial(explain, verdict, rules, part, got.problem, changed, course)
            told, _ = attempt(why, RULE_SECONDS)  # it reads the cell, and shows its values
            if isinstance(told, Raised):
                is_slow = isinstance(told.problem, OutOfTimeError)
                cause = TOO_SLOW if is_slow else NOT_FOUND.format(show(told))
                verdict = replace(verdict, rule=rule.name, title=rule.text, cause=cause)
            return verdict if isinstance(told, Raised) else told
    return replace(verdict, passed=len(rules))


def check_object(part: Any, level: str | None = None) -> Verdict:
    """Return which rules a learner's function or class passes, and why the first one fails.

    As the last value of a notebook's cell, the result is shown as HTML. The module of the part's
    page must be imported before. Raise LookupError if the part has no such level.
    """
    names = [part, getattr(part, "__name__", ""), type(part).__name__]
    name = next((one for one in names if isinstance(one, str) and one in engine.RULES), None)
    if name is None:
        cause = NO_RULES.format(", ".join(f"`{one}`" for one in engine.RULES) or "none")
        return Verdict(getattr(part, "__name__", repr(part)), level or "", 0, 0, cause=cause)
    return try_rules(name, part, level)


def describe_kind(name: str) -> str:
    """Return what is wrong with an object that cannot be this part at all."""
    written = f"class {name}" if name[0].isupper() else f"def {name}"
    return (
        f"The check needs what you have defined by `{written}`. Pass `{name}` without quotes, and "
        "without parentheses, which call it."
    )
