"""An exercise: what a learner writes, the rules for it, and what is told after passing."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import agentlib

from ...copy_lesson import lesson_notebooks
from .rule import Rule

ADVICE = (
    "Write {name} in its cell, run the cell, then run this check again. If you have written it: "
    "is it called {name}, and did you run its cell?"
)


@dataclass(frozen=True)
class Exercise:
    """An exercise, registered once: its check, its rules, and its place in the lesson.

    `check` takes the learner's `subjects`, which are names in the notebook, and returns a Result;
    the cell defines the first one and uses the names in `needs` from cells above. `order` sorts
    the exercises; any number. `name` is the tag of its cell in the `notebook` of this name.
    `kind` is what the learner writes, "class", "function" or "Tool". `advice` says how to begin.
    After passing, the learner reads `after`, and a `question` with its `answer`. The feedback
    begins with `label`, or the first subject.
    """

    check: Callable[..., Any]
    subjects: tuple[str, ...]
    rules: Sequence[Rule]
    name: str
    order: float
    title: str
    notebook: str = "s04_exercises"
    needs: tuple[str, ...] = ()
    kind: str = "class"
    label: str = ""
    advice: str = ADVICE
    after: str = ""
    question: str = ""
    answer: str = ""

    @property
    def subject(self) -> str:
        return self.subjects[0]

    @property
    def how_to_begin(self) -> str:
        """Return the advice for a learner whose cell is unchanged."""
        return self.advice.format(name=self.subject)

    def read_solution(self) -> str:
        """Return the code of the exercise's cell in the solved notebook, or raise LookupError."""
        path = lesson_notebooks()[f"solutions/{self.notebook}.ipynb"]
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        tags = {"exercise", self.name}
        for cell in cells:
            if tags <= {*cell["metadata"].get("tags", ())}:
                return "".join(cell["source"]) + "\n"
        raise LookupError(f"{path} has no cell with the tags exercise and {self.name}.")

    def make_solution(self, **needed: Any) -> Any:
        """Return what the solution defines, with `needed` from the cells above it."""
        names = vars(agentlib) | {"__name__": __name__} | needed
        exec(self.read_solution(), names)
        return names[self.subject]
