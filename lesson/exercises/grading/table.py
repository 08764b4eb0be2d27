"""A table of a class: one row for each student, one column for each rule, for a spreadsheet."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

from agentlib import escape

from ..catalogue import EXERCISES
from ..checking.exercise import Exercise
from ..checking.result import FAILED, PASSED
from .notebooks import Checked, Notebook

FORMULA = re.compile(r"[=+@\t\r-]")  # a spreadsheet would run a cell that begins so
NUMBERS = {PASSED: "1", FAILED: "0"}


def make_table(results: Mapping[str, Sequence[Notebook]]) -> list[list[str]]:
    """Return a header, a row for each student, and in a class how many have not passed what."""
    best = {name: choose_best(notebooks) for name, notebooks in results.items()}
    exercises = [one for one in EXERCISES if any(one.name in row for row in best.values())]
    header = ["student", "notes"]
    for one in exercises:
        header += [one.name, f"{one.name}: first miss"]
        header += [f"{one.name}: {rule.title}" for rule in one.rules]
    rows = [header]
    for name, notebooks in results.items():
        notes = [f"{Path(one.path).name}: {one.problem}" for one in notebooks if one.problem]
        notes += [f"{key}: {one.problem}" for key, one in best[name].items() if one.problem]
        values = [value for one in exercises for value in describe(one, best[name].get(one.name))]
        rows.append([disarm(value) for value in (name, " ".join(notes), *values)])
    return [*rows, count_missing(exercises, best.values())] if len(results) > 1 else rows


def choose_best(notebooks: Iterable[Notebook]) -> dict[str, Checked]:
    """Return a student's best result of each exercise, by its name: there may be copies."""
    checked = [one for notebook in notebooks for one in notebook.checked]
    # Later ones replace earlier ones. -1 is for a cell that has not begun, or did not run.
    checked.sort(key=lambda one: one.result.passed if one.result and one.result.begun else -1)
    return {one.exercise.name: one for one in checked}


def count_missing(
    exercises: Iterable[Exercise], best: Collection[Mapping[str, Checked]]
) -> list[str]:
    """Return how many of those who handed in an exercise have not passed it, and each rule."""
    values = ["not yet", ""]
    for exercise in exercises:
        handed = [row[exercise.name] for row in best if exercise.name in row]
        rules = [describe(exercise, one)[2:] for one in handed]
        missed = [sum(value != "1" for value in values) for values in zip(*rules, strict=True)]
        counts = [sum(not one.ok for one in handed), *missed]
        told = [f"{count} of {len(handed)}" for count in counts]
        values += [told[0], "", *told[1:]]
    return values


def describe(exercise: Exercise, checked: Checked | None) -> list[str]:
    """Return the values of one exercise in a row, empty ones if it did not run."""
    untried = [""] * len(exercise.rules)
    if checked is None or checked.result is None:
        return ["", "", *untried]
    result = checked.result
    state = "yes" if result.ok else "not yet" if result.begun else "not begun"
    words = (
        f"{result.first_failed.title}: {result.miss.got}"
        if result.first_failed and result.miss
        else ""
    )
    return [state, words, *([NUMBERS.get(one, "") for one in result.states] or untried)]


def disarm(value: str) -> str:
    """Return the value so that a spreadsheet runs no formula in it, nor a screen its codes.

    Where a semicolon separates columns, it would begin a new one.
    """
    value = escape.for_screen(value).replace(";", ",")
    return f"'{value}" if FORMULA.match(value) else value
