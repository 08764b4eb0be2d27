"""A table of a class: one row for each student, one column for each exercise, for a spreadsheet."""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from agentlib import escape

from ..catalogue import EXERCISES
from ..checking.exercise import Exercise
from ..checking.result import FAILED, PASSED
from .check_notebooks import Checked, Notebook

FORMULA = re.compile(r"\s*[=+@-]")  # a spreadsheet would run a cell that begins so
FIRST = ["student", "passed", "notes"]  # columns; `passed` counts exercises
FIRST_MISS = "first miss"
NUMBERS = {PASSED: "1", FAILED: "0"}


def make_table(results: Mapping[str, Sequence[Notebook]], rules: bool) -> list[list[str]]:
    """Return a header, a row for each student, and in a class how many have not passed what.

    With `rules`, each exercise also has a column for its first miss, and one for each rule.
    """
    rows = [make_row(name, notebooks) for name, notebooks in results.items()]
    columns = [name for one in EXERCISES for name in name_columns(one)[: None if rules else 1]]
    header = [*FIRST, *(one for one in columns if any(one in row for row in rows))]
    if len(rows) > 1:
        missing = {one: count_missing(one, rows) for one in header[len(FIRST) :]}
        rows.append({"student": "not yet"} | missing)
    return [header, *([row.get(column, "") for column in header] for row in rows)]


def name_columns(exercise: Exercise) -> list[str]:
    names = [FIRST_MISS, *(rule.title for rule in exercise.rules)]
    return [exercise.name, *(f"{exercise.name}: {name}" for name in names)]


def make_row(student: str, notebooks: Sequence[Notebook]) -> dict[str, str]:
    """Return a student's values by column. Of copies, the best result of each exercise counts."""
    checked = [one for notebook in notebooks for one in notebook.checked]
    # Later ones replace earlier ones. -1 is for a cell that has not begun, or did not run.
    checked.sort(key=lambda one: one.result.passed if one.result and one.result.begun else -1)
    best = {one.exercise.name: one for one in checked}
    notes = [f"{Path(one.path).name}: {one.problem}" for one in notebooks if one.problem]
    notes += [f"{name}: {one.problem}" for name, one in best.items() if one.problem]
    passed = sum(one.ok for one in best.values())
    row = {"student": student, "passed": str(passed), "notes": " ".join(notes)}
    for one in best.values():
        row |= zip(name_columns(one.exercise), describe(one), strict=True)
    return {column: disarm(value) for column, value in row.items()}


def count_missing(column: str, rows: Iterable[Mapping[str, str]]) -> str:
    """Return how many of those who handed in an exercise have not passed it, or one rule."""
    handed_in = [row[column] for row in rows if column in row]
    missing = sum(value not in ("yes", "1") for value in handed_in)
    return "" if column.endswith(FIRST_MISS) else f"{missing} of {len(handed_in)}"


def describe(checked: Checked) -> list[str]:
    """Return the values of an exercise in its columns, empty ones if it did not run."""
    result, untried = checked.result, [""] * len(checked.exercise.rules)
    if result is None:
        return ["", "", *untried]
    state = "yes" if result.ok else "not yet" if result.begun else "not begun"
    rule, miss = result.first_failed, result.miss
    first = f"{rule.title}: {miss.got}" if rule and miss else ""
    return [state, first, *([NUMBERS.get(one, "") for one in result.states] or untried)]


def disarm(value: str) -> str:
    """Return the value so that a spreadsheet runs no formula in it, nor a screen its codes.

    A semicolon or a tab would begin a new column in a spreadsheet that splits lines there.
    """
    value = escape.for_screen(value).replace(";", ",").replace("\t", " ")
    return f"'{value}" if FORMULA.match(value) else value
