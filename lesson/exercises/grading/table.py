"""A table of a class: one row for each student, one column for each rule, for a spreadsheet."""

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from agentlib import escape

from ..checking.exercise import Exercise
from ..checking.result import FAILED, PASSED
from .notebooks import Checked, Notebook
from .students import Student, choose_best

FORMULA = re.compile(r"[=+@\t\r-]")  # a spreadsheet would run a cell that begins so
NUMBERS = {PASSED: "1", FAILED: "0"}


class Table:
    """The columns for these `exercises`, and the rows of `students` as they are checked."""

    def __init__(self, students: Sequence[Student], exercises: Sequence[Exercise]) -> None:
        self.exercises = exercises
        codes = [(name, code) for one in students for name in one.codes for code in one.codes[name]]
        self.shared = {pair for pair, count in Counter(codes).items() if count > 1}
        self.results: list[list[Checked | None]] = []

    @property
    def header(self) -> list[str]:
        """Return the names of the columns."""
        names = ["student", "notes", "equal code"]
        for one in self.exercises:
            names += [one.name, f"{one.name}: first miss"]
            names += [f"{one.name}: {rule.title}" for rule in one.rules]
        return names

    def add_row(self, student: Student, notebooks: Sequence[Notebook]) -> list[str]:
        """Return a student's row: the best result of each exercise."""
        notes = [f"{Path(one.path).name}: {one.problem}" for one in notebooks if one.problem]
        results: list[Checked | None] = []
        values, equal = [], []
        files: dict[str, list[str]] = {}
        for exercise in self.exercises:
            checked, file = choose_best(notebooks, exercise.name)
            if file:
                files.setdefault(file, []).append(exercise.name)
            if checked and checked.problem:
                notes.append(f"{exercise.name}: {checked.problem}")
            if checked and checked.result is not None and checked.result.begun:
                pairs = [(exercise.name, code) for code in student.codes.get(exercise.name, ())]
                equal += [
                    f"{name} {code}" for name, code in sorted(self.shared.intersection(pairs))
                ]
            values += describe(exercise, checked)
            results.append(checked)
        notes += [f"Counted from {file}: {', '.join(names)}." for file, names in files.items()]
        self.results.append(results)
        return [
            disarm(value) for value in (student.name, " ".join(notes), ", ".join(equal), *values)
        ]

    @property
    def last_row(self) -> list[str]:
        """Return how many of those who handed in an exercise have not passed it, and each rule."""
        values = ["not yet", "", ""]
        for exercise, column in zip(self.exercises, zip(*self.results, strict=True), strict=True):
            handed = [one for one in column if one]
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
