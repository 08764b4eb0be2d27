"""Try the rules of an exercise on the learner's code."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from types import FunctionType
from typing import Any

from agentlib.nag import Nag
from agentlib.todo import TodoManager
from agentlib.tools import Tool

from .blank import find_async, is_blank
from .result import FAILED, NOT_TRIED, PASSED, Further, Result
from .rule import Miss, Rule, try_rule
from .state import State
from .timeout import CASE_SECONDS

NOTHING_YET = "nothing there yet, and that is fine. "
WRITE_IT = (
    "Write {name} in its cell, run the cell, then run this check again. If you have written it: "
    "is it called {name}, and did you run its cell?"
)
NOT_A_CLASS = (
    "not yet. The check needs the {kind} itself, and got {got}. Write `{kind} {name}…:` in its "
    "cell, and pass the name without quotes and without parentheses."
)
ASYNC = (
    "not yet. `{method}` must return its value directly: write `def` instead of `async def`, and "
    "`return` instead of `yield`."
)
PARENT_CHANGED = (
    "not yet. A cell has changed {changed}, which other exercises also use. Restart the kernel, "
    "and make the change in your own {kind}."
)
# What the classes of the package contain, to notice that a cell has replaced some of it.
ORIGINAL = {cls: dict(vars(cls)) for cls in (TodoManager, Nag)}


@dataclass(frozen=True)
class Exercise:
    """An exercise, registered once: its place in the lesson, its check and its rules.

    `order` sorts the exercises; any number. `name` is the tag of its cell in the `notebook` of
    this name. `check` takes the learner's `subjects`, which are names in
    the notebook; the cell defines the first one and uses the names in `needs` from cells above.
    `kind` is what the learner writes, "class", "def" or "Tool"; `core` is that of `is_blank`.
    `seconds` is the time limit of one trial. After passing, the learner reads `after` and the
    `further` question. The feedback begins with `label`, or the first subject.
    """

    order: float
    name: str
    title: str
    notebook: str
    check: Callable[..., Result]
    subjects: tuple[str, ...]
    rules: Sequence[Rule]
    after: str = ""
    further: Further | None = None
    needs: tuple[str, ...] = ()
    kind: str = "class"
    core: Collection[str] = ()
    label: str = ""
    seconds: float = CASE_SECONDS

    @property
    def subject(self) -> str:
        """Return the name that the learner's cell defines."""
        return self.subjects[0]

    def result(self, **values: Any) -> Result:
        """Return a Result of this exercise with these values."""
        return Result(self.label or self.subject, self.rules, exercise=self.name, **values)

    def nothing_yet(self, advice: str) -> Result:
        """Return the Result for a cell that is not begun, with this `advice`."""
        return self.result(note=NOTHING_YET + advice, begun=False)


def check(exercise: Exercise, names: Mapping[str, Any]) -> Result:
    """Try every rule on the learner's code in `names`, which the trials receive by name.

    The learner's classes, default arguments and global variables are restored after each trial,
    so that a second check gives the same verdict.
    """
    early = look(exercise, names[exercise.subject])
    if early is not None:
        return early
    states, miss = try_rules(exercise, names)
    return exercise.result(states=states, miss=miss, after=exercise.after, further=exercise.further)


def look(exercise: Exercise, made: Any) -> Result | None:
    """Return a Result if there is nothing yet, or nothing that can be tried; else None."""
    changed = find_changed_parents(made)
    method = find_async(made.run if isinstance(made, Tool) else made)
    if changed:
        note = PARENT_CHANGED
    elif is_blank(made, exercise.core):
        return exercise.nothing_yet(WRITE_IT.format(name=exercise.subject))
    elif not can_be_tried(made, exercise.kind):
        note = NOT_A_CLASS
    elif method:
        note = ASYNC
    else:
        return None
    return exercise.result(
        note=note.format(
            name=exercise.subject,
            kind=exercise.kind,
            got=f"an object of type {type(made).__name__}",
            method=method,
            changed=" and ".join(changed),
        )
    )


def can_be_tried(made: Any, kind: str) -> bool:
    """Return whether a check can use it: a class or a function that makes an object."""
    if kind == "class":
        return isinstance(made, (type, FunctionType))
    return isinstance(made, Tool) if kind == "Tool" else callable(made)


def find_changed_parents(made: Any) -> list[str]:
    """Return the attributes of TodoManager and Nag that a cell has replaced: ["Nag.reminder"].

    Only of the classes that `made` is based on.
    """
    parents = made.__mro__ if isinstance(made, type) else ()
    return [
        f"{cls.__name__}.{name}"
        for cls in ORIGINAL.keys() & set(parents)
        for name, original in ORIGINAL[cls].items()
        if not name.startswith("_") and vars(cls).get(name) is not original
    ]


def try_rules(exercise: Exercise, names: Mapping[str, Any]) -> tuple[tuple[str, ...], Miss | None]:
    """Try all rules. Return the state of each, and the first failure.

    After a timeout the remaining rules are not tried, because they would time out as well.
    """
    restore = State(names.values()).restore
    states, first = [NOT_TRIED] * len(exercise.rules), None
    for number, rule in enumerate(exercise.rules):
        missed = try_rule(rule, names, restore, exercise.seconds)
        states[number] = FAILED if missed else PASSED
        first = first or missed
        if missed and missed.is_out_of_time:
            break
    restore()
    return tuple(states), first
