"""An exercise: what a learner writes, the rules for it, and what is told after passing."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from .rule import Rule

ADVICE = (
    "Write {name} in its cell, run the cell, then run this check again. If you have written it: "
    "is it called {name}, and did you run its cell?"
)


@dataclass(frozen=True)
class Further:
    """A `question` for a learner who has passed, with its `answer`."""

    question: str
    answer: str


@dataclass(frozen=True)
class Exercise:
    """An exercise, registered once: its place in the lesson, its check and its rules.

    `order` sorts the exercises; any number. `name` is the tag of its cell in the `notebook` of
    this name. `check` takes the learner's `subjects`, which are names in the notebook, and returns
    a Result; the cell defines the first one and uses the names in `needs` from cells above.
    `kind` is what the learner writes, "class", "def" or "Tool". `advice` says how to begin.
    After passing, the learner reads `after` and the `further` question. The feedback begins with
    `label`, or the first subject.
    """

    order: float
    name: str
    title: str
    check: Callable[..., Any]
    subjects: tuple[str, ...]
    rules: Sequence[Rule]
    notebook: str = "s04_exercises"
    after: str = ""
    further: Further | None = None
    needs: tuple[str, ...] = ()
    kind: str = "class"
    label: str = ""
    advice: str = ADVICE

    @property
    def subject(self) -> str:
        return self.subjects[0]

    @property
    def how_to_begin(self) -> str:
        """Return the advice for a learner whose cell is unchanged."""
        return self.advice.format(name=self.subject)
