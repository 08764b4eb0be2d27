"""Warn if the part that is checked is not the one that the learner has just written."""

import ast
from collections.abc import Sequence
from difflib import get_close_matches
from types import FunctionType
from typing import Any, NamedTuple

from exerciselib.feedback import Verdict
from exerciselib.learners_code import is_learners

from ..common.parts import PARTS
from ..program.cells import list_top

NOT_RUN = "The cell of {} was not run: no cell defines {}. Run that cell, then this check again."
NOT_YOURS = "The cell of {} was not run: this {} is {} {}. Run that cell, then this check again."
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
    """Return a sentence if this is another part, which the cell of an exercise replaces, or ""."""
    if not isinstance(part, type | FunctionType):
        return ""
    of_package = not is_learners(part)
    if of_package or (part.__name__ in PARTS and part.__name__ != name):
        whose = "the package's" if of_package else "your"
        return NOT_YOURS.format(exercise, name, whose, part.__name__)
    return ""


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
