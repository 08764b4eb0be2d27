"""Try a part of the lesson by its rules, which its module registers."""

import re
from importlib import import_module
from typing import Any

from exerciselib import engine, try_it
from exerciselib.engine import Rule
from exerciselib.feedback import Verdict
from lesson.common.parts import PARTS

# Likely causes in any part of the lesson, by what an exception says.
CAUSES = (
    (
        "^KeyError: '(id|text|status|priority|activeForm)'$",
        "A model may leave this field out: use `item.get(…)`.",
    ),
    ("'(Call|Tool)' .*subscriptable", 'This is not a dict: write `.name`, not `["name"]`.'),
    (r"'\w*Clock'", "It is a clock: call it, with `()` after its name."),
)


# What a class that extends a list, or a nag, of the package may define anew.
HOOKS = ("fields", "items", "line", "render", "tool", "update")


def name_module(part: str) -> str:
    """Return the name of the module with the rules of a part."""
    return f"lesson.exercises.{re.sub('(?<=[a-z])(?=[A-Z])', '_', part).lower()}"


def load_levels(name: str) -> dict[str, str]:
    """Register the rules of a part. Return its levels, each with its exercise, such as "E2".

    Raise LookupError, with the names of all parts, for any other name.
    """
    if name not in PARTS:
        parts = ", ".join(PARTS)
        raise LookupError(f"{name!r} is not a part of the program. The parts are: {parts}.")
    import_module(name_module(name))
    return {level.name: level.exercise for level in PARTS[name].levels}


def load_rules(name: str, level: str | None = None) -> list[Rule]:
    """Return the rules of a part up to this level, by default those of the first one."""
    load_levels(name)
    return engine.list_rules(name, level)


def try_part(name: str, part: Any, level: str | None = None) -> Verdict:
    """Try the rules of the part `name` on `part`: see `try_it.try_rules`."""
    course = engine.Course(load_levels(name), CAUSES, HOOKS)
    return try_it.try_rules(name, part, level, course)


def count_levels(name: str, part: Any) -> int:
    """Return how many levels of the part `name` pass, counted from the first."""
    for number, level in enumerate(load_levels(name)):
        if not try_part(name, part, level).ok:
            return number
    return len(PARTS[name].levels)
