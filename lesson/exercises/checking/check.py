"""Try the rules of an exercise on the learner's code."""

import functools
import inspect
import re
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from agentlib.client.notebook import is_watched
from agentlib.nag import Nag
from agentlib.todo import TodoManager

from .blank import describe_kind, find_async, is_blank, list_own_classes
from .result import FAILED, NOT_TRIED, PASSED, Further, Result
from .rule import Miss, Rule, try_rule
from .state import State
from .timeout import CASE_SECONDS

CHECK_SECONDS = 30.0
QUIET_SECONDS = 2.0  # a check that takes longer shows its progress

NOTHING_YET = (
    "nothing there yet, and that is fine. Write {name} in its cell, run the cell, then run this "
    "check again. If you have written it: is it called {name}, and did you run its cell?"
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
LAST_RESULTS: dict[str, Result] = {}  # by subject


@dataclass(frozen=True)
class Exercise:
    """An exercise, registered once: its place in the lesson, its check and its rules.

    `name` is the tag of its cell, `cell_id` the cell's id, in the `notebook` of this name.
    `check` takes the learner's `subjects`, which are names in the notebook; the cell defines the
    first one and uses the names in `needs` from cells above. `kind` is what the learner writes,
    "class" or "def"; `given` and `core` are those of `is_blank`. After passing, the learner reads
    `after` and the `further` question.
    """

    name: str
    title: str
    notebook: str
    cell_id: str
    check: Callable[..., Result]
    subjects: tuple[str, ...]
    rules: Sequence[Rule]
    after: str = ""
    further: Further | None = None
    needs: tuple[str, ...] = ()
    kind: str = "class"
    given: Callable[..., Any] | None = None
    core: Collection[str] = ()
    label: str = ""

    @property
    def subject(self) -> str:
        """Return the name that the learner's cell defines."""
        return self.subjects[0]

    def result(self, **values: Any) -> Result:
        """Return a Result of this exercise with these values."""
        label = self.label or self.subject
        return Result(subject=label, rules=self.rules, exercise=self.name, **values)

    def nothing_yet(self, advice: str) -> Result:
        """Return the Result for a cell that is not begun, with this `advice`."""
        note = f"{self.label or self.subject}: nothing there yet, and that is fine. {advice}"
        return self.result(note=note, begun=False)


def check(exercise: Exercise, names: Mapping[str, Any], **settings: Any) -> Result:
    """Call `examine`, and add to its Result what has changed since the last check."""
    result = examine(exercise, names, **settings)
    result = replace(result, since=compare(LAST_RESULTS.get(result.subject), result))
    LAST_RESULTS[result.subject] = result
    return result


def examine(
    exercise: Exercise,
    names: Mapping[str, Any],
    *,
    aside: str = "",
    seconds: float = CASE_SECONDS,
    check_seconds: float = CHECK_SECONDS,
) -> Result:
    """Try every rule on the learner's code in `names`, which the trials receive by name.

    `seconds` is the time limit of one trial, `check_seconds` of all together. `aside` is added to
    the headline. The learner's classes, default arguments and global variables are restored after
    each trial, so that a second check gives the same verdict.
    """
    early = look(exercise, names[exercise.subject])
    if early is not None:
        return early
    states, miss = try_rules(exercise, names, seconds, check_seconds)
    after = "" if aside else exercise.after
    return exercise.result(
        states=states, miss=miss, aside=aside, after=after, further=exercise.further
    )


def look(exercise: Exercise, made: Any) -> Result | None:
    """Return a Result if there is nothing yet, or nothing that can be tried; else None."""
    method, changed, note = find_async(made), find_changed_parents(made), ""
    is_begun = not is_blank(made, exercise.given, exercise.core)
    if changed:
        is_begun, note = True, PARENT_CHANGED
    elif not is_begun:
        note = NOTHING_YET
    elif not can_be_tried(made, exercise.kind):
        note = NOT_A_CLASS
    elif method:
        note = ASYNC
    if not note:
        return None
    kinds = {"kind": exercise.kind, "got": describe_kind(made)}
    said = note.format(name=exercise.subject, method=method, changed=" and ".join(changed), **kinds)
    return exercise.result(note=f"{exercise.label or exercise.subject}: {said}", begun=is_begun)


def can_be_tried(made: Any, kind: str) -> bool:
    """Return whether a check can use it: a class or function; for "def", any callable."""
    if kind == "Tool" or isinstance(made, (type, functools.partial)) or inspect.isroutine(made):
        return True
    return kind == "def" and callable(made)


def find_changed_parents(made: Any) -> list[str]:
    """Return the attributes of TodoManager and Nag that a cell has replaced: ["Nag.reminder"].

    Only of the classes that `made` is based on.
    """
    changed = []
    with suppress(Exception):  # a metaclass may raise on any access
        for cls in ORIGINAL.keys() & set(made.__mro__):
            for name in ORIGINAL[cls]:
                if not name.startswith("_") and vars(cls).get(name) is not ORIGINAL[cls][name]:
                    changed.append(f"{cls.__name__}.{name}")
    return changed


def try_rules(
    exercise: Exercise, names: Mapping[str, Any], seconds: float, check_seconds: float
) -> tuple[tuple[str, ...], Miss | None]:
    """Try all rules. Return the state of each, and the first failure.

    After a timeout the remaining rules are not tried, because they would time out as well. If it
    takes long, a notebook shows which rule is being tried.
    """
    restore = State(names.values()).restore
    states, first = [NOT_TRIED] * len(exercise.rules), None
    start, passed = time.monotonic(), 0.0
    for number, rule in enumerate(exercise.rules):
        if passed > QUIET_SECONDS and is_watched():
            words = f"{exercise.subject}: rule {number + 1} of {len(exercise.rules)}"
            print(f"{words}, {passed:.0f} seconds so far …", end="\r", flush=True)
        missed = try_rule(rule, names, restore, seconds)
        states[number] = FAILED if missed else PASSED
        first = first or missed
        passed = time.monotonic() - start
        if passed > check_seconds or missed and missed.is_out_of_time:
            break
    if passed > QUIET_SECONDS and is_watched():
        print(" " * 60, end="\r", flush=True)
    restore()
    return tuple(states), first and rename(first, names)


def rename(miss: Miss, names: Mapping[str, Any]) -> Miss:
    """Return the same failure with the names that the learner's classes really have."""
    tried = miss.tried
    for name, made in names.items():
        with suppress(Exception):
            if made.__name__.isidentifier() and (
                list_own_classes(made) or inspect.isfunction(made)
            ):
                tried = re.sub(rf"\b{name}\b", made.__name__, tried)
    return replace(miss, tried=tried)


def compare(before: Result | None, now: Result) -> str:
    """Return a sentence about what has changed since the last check; "" if nothing has."""
    if before is None or not before.states or not now.states:
        return ""
    pairs = list(zip(now.rules, before.states, now.states, strict=False))
    lost = [rule for rule, old, new in pairs if old == PASSED != new]
    gained = [rule for rule, old, new in pairs if old != PASSED == new]
    if lost:
        return f"This rule passed before: {lost[0].title}."
    if gained:
        rules = "1 more rule passes" if len(gained) == 1 else f"{len(gained)} more rules pass"
        return f"{rules} than before."
    return ""
