"""All exercises, and how far a learner is with each: `progress()`.

To add an exercise, add its line to EXERCISES: the grader and `progress` go by it.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from . import order, priority, priority_nag, timed
from .checking.result import Result
from .checking.rule import Rule


@dataclass(frozen=True)
class Exercise:
    """An exercise: the tag `name` and the `cell_id` of its cell, and how it is checked.

    `wants` are the names that `check` gets, the first defined by the cell itself.
    """

    name: str
    title: str
    check: Callable[..., Result]
    wants: tuple[str, ...]
    rules: Sequence[Rule]
    cell_id: str


EXERCISES = [
    Exercise("order", "The lines of a nag", order.check_order, ("order",), order.RULES, "order-04"),
    Exercise(
        "priority",
        "A list with priorities",
        priority.check_priority,
        ("PriorityTodo",),
        priority.RULES,
        "build-05",
    ),
    Exercise(
        "nag",
        "A reminder that names a task",
        priority_nag.check_nag,
        ("PriorityNag", "PriorityTodo"),
        priority_nag.RULES,
        "build-10",
    ),
    Exercise(
        "timed",
        "Where does the time go?",
        timed.check_timed,
        ("TimedTodo",),
        timed.RULES,
        "stretch-04",
    ),
]


class Progress:
    """How far each exercise is, one line each. Print it, or let a notebook show it."""

    def __init__(self, rows: Sequence[tuple[str, str, bool]]) -> None:
        """`rows` have an exercise's title, how far it is, and whether it is done."""
        self.rows = rows

    @property
    def headline(self) -> str:
        """How many exercises are done."""
        return f"{sum(done for *_, done in self.rows)} of {len(self.rows)} exercises are done."

    def __str__(self) -> str:
        width = max(len(title) for title, *_ in self.rows)
        lines = [
            f"  [{'x' if done else ' '}] {title:{width}}  {far}" for title, far, done in self.rows
        ]
        return "\n".join([self.headline, *lines])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        cells = [("✓" if done else "·", title, far) for title, far, done in self.rows]
        rows = ["".join(f"<td>{escape(text)}</td>" for text in row) for row in cells]
        table = "</tr><tr>".join(rows)
        return f"<p><strong>{self.headline}</strong></p><table><tr>{table}</tr></table>"


def progress(names: Mapping[str, Any] | None = None) -> Progress:
    """Check every exercise with what this notebook has defined: all of them at a glance.

    `names` stand in place of the notebook's own.
    """
    known = vars(sys.modules["__main__"]) if names is None else names
    return Progress([describe(exercise, known) for exercise in EXERCISES])


def describe(exercise: Exercise, names: Mapping[str, Any]) -> tuple[str, str, bool]:
    """An exercise's title, how far it is, and whether it is done."""
    if exercise.wants[0] not in names:
        return exercise.title, "not in this notebook", False
    result = exercise.check(*(names.get(name) for name in exercise.wants))
    if not result.begun:
        return exercise.title, "not begun", False
    if not result.states:
        return exercise.title, "cannot be tried yet", False
    return exercise.title, f"{result.held} of {len(result.rules)} rules hold", result.ok
