"""Warn if the part that is checked is not the one that the learner has just written."""

import ast
from collections.abc import Sequence
from difflib import get_close_matches
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

import agentlib
from exerciselib.feedback import Verdict
from exerciselib.learners_code import is_learners

from ..common.parts import PARTS
from ..common.solutions import IN_AGENTLIB
from ..program.cells import list_top

NOT_RUN = "The cell of {} was not run: no cell defines {}. Run that cell, then this check again."
NOT_YOURS = "The cell of {} was not run: this {} is {} {}. Run that cell, then this check again."
NOT_WRITTEN = (
    "This {0} is agentlib's {1}, and nothing that you have written is tried. {1} is the solution "
    "of {2}: write your own {0}. When it passes, you can compare it with agentlib's."
)
UNCHANGED = (
    "{0} has not changed since its last check. Did you run its cell, and is it still named {0}?"
)
MISNAMED = (
    "This is still the {0} of an earlier cell. The cell that you ran after it defines {1}: "
    "if that is your new {0}, name it {0}, and run its cell again."
)


class Checked(NamedTuple):
    """The last check of a part: its text, the number of its cell, its level, and the feedback."""

    text: str
    cell: int
    level: str
    feedback: str


LAST: dict[str, Checked] = {}  # by the name of a part


def warn_if_not_yours(name: str, part: Any, exercise: str) -> str:
    """Return a sentence if this is another part, or agentlib's, and not what the learner wrote.

    Otherwise return "". The cell of an exercise replaces the other part.
    """
    part = getattr(part, "func", part)  # of a partial
    if not isinstance(part, type | FunctionType):
        return ""
    of_package = not is_learners(part)
    if of_package or (part.__name__ in PARTS and part.__name__ != name):
        whose = "agentlib's" if of_package else "your"
        return NOT_YOURS.format(exercise, name, whose, part.__name__)
    if name in IN_AGENTLIB and adds_nothing(part, getattr(agentlib, IN_AGENTLIB[name])):
        return NOT_WRITTEN.format(name, IN_AGENTLIB[name], exercise)
    return ""


def adds_nothing(part: Any, ours: Any) -> bool:
    """Return whether a part is agentlib's in other words: it extends `ours`, or calls it.

    A class that extends `ours` adds something if one of its methods does more than to call the
    method of the same name.
    """
    functions = [part]
    if isinstance(part, type):
        above = part.__mro__
        own = above[: above.index(ours)] if ours in above else above[:-1]
        values = [value for cls in own if is_learners(cls) for value in vars(cls).values()]
        functions = [value for value in values if isinstance(value, FunctionType)]
        if ours in above and all(map(only_calls_super, functions)):
            return True
    return any(refers_to(function, ours) for function in functions)


def only_calls_super(method: FunctionType) -> bool:
    """Return whether a method only calls the one of the same name in the class that it extends."""
    return {*method.__code__.co_names} <= {"super", method.__name__}


def refers_to(function: FunctionType, ours: Any) -> bool:
    """Return whether the code of a function, or of a helper that it calls, names agentlib's."""
    seen: list[FunctionType] = [function]
    for one in seen:
        names = list_names(one.__code__)
        values = [one.__globals__.get(name) for name in names]
        is_in_module = ours.__name__ in names and (
            any(name.partition(".")[0] == "agentlib" for name in names)  # it imports it
            or any(isinstance(value, ModuleType) and is_agentlib(value) for value in values)
        )
        if is_in_module or any(value is ours for value in values):
            return True
        helpers = [value for value in values if isinstance(value, FunctionType)]
        seen += [helper for helper in helpers if is_learners(helper) and helper not in seen]
    return False


def list_names(code: CodeType) -> list[str]:
    """Return the names of modules, globals and attributes in code, and in functions inside it."""
    inner = [const for const in code.co_consts if isinstance(const, CodeType)]
    return [*code.co_names, *(name for each in inner for name in list_names(each))]


def is_agentlib(module: ModuleType) -> bool:
    return module.__name__.partition(".")[0] == agentlib.__name__


def warn_if_misnamed(name: str, text: str, later: Sequence[str]) -> str:
    """Return a sentence if a cell that ran later looks like this part under another name, or "".

    It does if its class has the same bases, or its function the same parameters, or if the name is
    nearly the same. A helper that the part calls does not count.
    """
    own = next((node for node in list_top(text) if node.name == name), None)
    for cell in reversed(later):
        for node in list_top(cell):
            is_like = get_close_matches(name.lower(), [node.name.lower()], cutoff=0.8)
            is_other = node.name not in PARTS and not (own and node.name in ast.dump(own))
            if is_other and (is_like or (own and has_same_head(node, own))):
                return MISNAMED.format(name, node.name)
    return ""


def has_same_head(node: Any, other: Any) -> bool:
    """Return whether two definitions have the same bases, or else the same parameters."""
    if type(node) is not type(other):
        return False
    if isinstance(node, ast.ClassDef):
        bases, others = (", ".join(map(ast.unparse, each.bases)) for each in (node, other))
        return bases == others != ""
    return ast.unparse(node.args) == ast.unparse(other.args)


def warn_if_unchanged(name: str, text: str, cell: int, level: str, verdict: Verdict) -> str:
    """Return a sentence if this is the very part of the last check, and fails, or "".

    It is the same if its cell, by number, has not run again. It may fail now at a later level. With
    another result at the same level, the list that it extends has changed.
    """
    before, now = LAST.get(name), Checked(text, cell, level, str(verdict))
    LAST[name] = now
    if verdict.ok or not verdict.is_written or before is None:
        return ""
    is_same_cell = (before.text, before.cell) == (text, cell)
    has_changed = before.level == level and before.feedback != now.feedback
    return UNCHANGED.format(name) if is_same_cell and not has_changed else ""
