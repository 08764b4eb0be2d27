"""All exercises, and how far a learner is with each: `progress()`.

To add an exercise, add it to EXERCISES, in the lesson's order: `progress` and the grader go by it.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from .brief import check_brief
from .checking.result import Result
from .checking.rule import Rules
from .kept import check_kept
from .loop_by_hand import check_loop
from .order import check_order
from .own_agent import check_agent
from .own_nag import check_nag_facts
from .own_tool import check_tool
from .priority import check_priority
from .priority_nag import check_nag
from .timed import check_timed
from .todo_rules import check_rules


@dataclass(frozen=True)
class Exercise:
    """An exercise: the tag `name` and the `cell_id` of its cell, and how it is checked.

    `subjects` are what `check` gets, by name; the first is defined by the cell itself, which stands
    on the names that it `needs` from cells above. Exercises with the same `notebook` belong
    together: where one is found, the others are missed.
    """

    name: str
    title: str
    check: Callable[..., Result]
    subjects: tuple[str, ...]
    cell_id: str
    notebook: str = "exercises"
    needs: tuple[str, ...] = ()

    @property
    def rules(self) -> Rules:
        """What is tried: the RULES of the module that the check is in."""
        return sys.modules[self.check.__module__].RULES


S02, S03, FINALE = "s02_tool_use", "s03_todo_write", "your_agent"
EXERCISES = [
    Exercise(
        "loop", "The loop by hand", check_loop, ("agent_loop",), "loop-04", S02, ("call_tool",)
    ),
    Exercise(
        "tool", "A tool of your own", check_tool, ("my_tool",), "tool-04", S02, ("workspace",)
    ),
    Exercise(
        "rules", "A list with eight rules", check_rules, ("MyTodo",), "rules-04", S03, ("Shown",)
    ),
    Exercise("facts", "A nag from three facts", check_nag_facts, ("MyNag",), "facts-04", S03),
    Exercise("order", "The lines of a nag", check_order, ("order",), "order-04"),
    Exercise("priority", "A list with priorities", check_priority, ("PriorityTodo",), "build-05"),
    Exercise(
        "nag", "A nag that names a task", check_nag, ("PriorityNag", "PriorityTodo"), "build-10"
    ),
    Exercise("brief", "A rule of your own", check_brief, ("BriefTodo",), "brief-02"),
    Exercise("kept", "A list that may not shrink", check_kept, ("KeptTodo",), "kept-04"),
    Exercise("timed", "Where the time goes", check_timed, ("TimedTodo",), "stretch-04"),
    Exercise("agent", "An agent from nothing", check_agent, ("agent",), "agent-04", FINALE),
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
    if exercise.subjects[0] not in names:
        return exercise.title, "not in this notebook", False
    result = exercise.check(*(names.get(name) for name in exercise.subjects))
    if not result.begun:
        return exercise.title, "not begun", False
    if not result.states:
        return exercise.title, "cannot be tried yet", False
    return exercise.title, f"{result.held} of {len(result.rules)} rules hold", result.ok
