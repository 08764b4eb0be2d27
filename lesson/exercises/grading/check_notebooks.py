"""Check saved notebooks outside Jupyter: each in its own process, without keys.

The cells of the exercises are run, and the statements of other cells that make what they use. The
process has limits on time, memory and file size, and runs in bubblewrap if that is installed.
Without it, there is no sandbox: use a container for notebooks that you do not trust. A notebook can
forge its result.
"""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import indent
from typing import Any, Literal

from pydantic import BaseModel

from ..catalogue import EXERCISES
from ..checking.exercise import Exercise
from ..checking.result import Result
from ..checking.rule import Miss
from .process import run_worker

NO_EXERCISES = "None of its cells is tagged exercise: is this a notebook with exercises?"
UNREADABLE = "The check gave an answer that cannot be read."
NO_CELL = "No code cell has its tag. Was it deleted? A fresh copy of the notebook has it."
MAX_MESSAGE_CHARACTERS = 500
MAX_NOTEBOOK_BYTES = 50 * 10**6  # one with all its outputs has 1 MB


@dataclass(frozen=True)
class Cell:
    """A code cell of a saved notebook."""

    tags: frozenset[str]
    source: str


class Answer(BaseModel):
    """What the worker answers about an exercise: the fields of a Result, or a `problem`.

    `said` are sentences about errors of its cells. A learner's code can forge all of it, so it is
    data: the grader writes the text.
    """

    exercise: str
    said: list[str] = []
    states: list[Literal["yes", "not yet", ""]] = []
    miss: Miss | None = None
    note: str = ""
    aside: str = ""
    begun: bool = True
    problem: str = ""


@dataclass(frozen=True)
class Checked:
    """The result of one exercise of one notebook; None, with a `problem`, if it did not run.

    `said` are sentences about errors of its cells.
    """

    exercise: Exercise
    result: Result | None = None
    problem: str = ""
    said: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        return self.result is not None and self.result.ok

    @property
    def text(self) -> str:
        return "\n".join([*self.said, str(self.problem if self.result is None else self.result)])


@dataclass(frozen=True)
class Notebook:
    """A saved notebook: its `path`, the results of its exercises, or a `problem` with the file."""

    path: str
    checked: tuple[Checked, ...] = ()
    problem: str = ""

    @property
    def ok(self) -> bool:
        return bool(self.checked) and all(one.ok for one in self.checked)

    def __str__(self) -> str:
        said = [f"[{one.exercise.name}] {one.text}" for one in self.checked]
        text = self.problem or "\n\n".join(said)
        # Only a path begins a line: no error message of a notebook looks like another notebook.
        return f"{self.path}\n\n{indent(text, '  ')}\n"


def check_notebooks(paths: Iterable[Path], hide: Sequence[Path] = ()) -> list[Notebook]:
    """Check a student's notebooks. Leave out those without exercises, if others have some."""
    notebooks = [check_notebook(path, hide) for path in paths]
    return [one for one in notebooks if one.problem != NO_EXERCISES] or notebooks


def check_notebook(path: Path, hide: Sequence[Path] = ()) -> Notebook:
    """Check all exercises of the notebook at `path`. Its code does not see the folders in `hide`.

    Any exception becomes the notebook's `problem`: one notebook never ends the check of a class.
    """
    try:
        cells = read_cells(path)
        exercises = choose_exercises(cells)
        if not exercises:
            return Notebook(str(path), problem=NO_EXERCISES)
        return Notebook(str(path), check_exercises(exercises, cells, hide))
    except Exception as problem:
        said = str(problem)
        if not isinstance(problem, (OSError, ValueError)):
            said = f"The check of this notebook failed: {type(problem).__name__}: {said}"
        return Notebook(str(path), problem=said[:MAX_MESSAGE_CHARACTERS])


def choose_exercises(cells: Sequence[Cell]) -> list[Exercise]:
    """Return all exercises of the lesson's notebooks from which there is one in these cells."""
    found = [one for one in EXERCISES if find_cells(one, cells)]
    source = "\n".join(cell.source for cell in cells)
    # Two exercises are about the same loop. The notebook's is the one that it checks.
    checked = {one.subject for one in found if f"{one.check.__name__}(" in source}
    notebooks = {
        one.notebook
        for one in found
        if one.subject not in checked or f"{one.check.__name__}(" in source
    }
    return [one for one in EXERCISES if one.notebook in notebooks]


def find_cells(exercise: Exercise, cells: Sequence[Cell]) -> list[int]:
    """Return the places of an exercise's cells: found by tag, else by what they define."""
    makes = {"Tool": rf"{exercise.subject} *="}.get(
        exercise.kind, rf"{exercise.kind} {exercise.subject}\b"
    )
    places = range(len(cells))
    tagged = [one for one in places if {"exercise", exercise.name} <= cells[one].tags]
    return tagged or [one for one in places if re.search(rf"(?m)^{makes}", cells[one].source)]


def check_exercises(
    exercises: Sequence[Exercise], cells: Sequence[Cell], hide: Sequence[Path] = ()
) -> tuple[Checked, ...]:
    """Run the cells of these exercises in one process, and check what they define.

    Raise ValueError if an answer cannot be read.
    """
    places = {one.name: find_cells(one, cells) for one in exercises}
    given = {name: found for name, found in places.items() if found}
    try:
        request = {"cells": [one.source for one in cells], "exercises": given}
        found, said = run_worker(request, hide)
        answers = {one.exercise: one for one in map(Answer.model_validate, found)}
    except ValueError:  # no UTF-8, no JSON, or no Answer
        raise ValueError(UNREADABLE) from None
    checked = []
    for one in exercises:
        missing = Answer(exercise=one.name, problem=said if one.name in given else NO_CELL)
        checked.append(read_answer(one, answers.get(one.name, missing)))
    return tuple(checked)


def read_answer(exercise: Exercise, answer: Answer) -> Checked:
    """Return what an answer says. Raise ValueError if it cannot be true."""
    if answer.problem:
        return Checked(exercise, problem="\n".join([*answer.said, answer.problem]))
    if len(answer.states) not in (0, len(exercise.rules)):
        raise ValueError(UNREADABLE)
    fields = answer.model_dump(exclude={"exercise", "said", "problem", "miss"})
    return Checked(exercise, Result(exercise, miss=answer.miss, **fields), said=tuple(answer.said))


def read_cells(path: Path) -> list[Cell]:
    """Return the code cells of a notebook. Raise OSError or ValueError if it is not one."""
    if path.is_symlink():
        raise ValueError("It is a link to another place, so it was not checked.")
    if not path.is_file():
        raise FileNotFoundError("There is no such file.")
    if path.stat().st_size > MAX_NOTEBOOK_BYTES:
        words = "Clear its outputs in Jupyter, and save it again."
        raise ValueError(f"It has more than {MAX_NOTEBOOK_BYTES // 10**6} MB. {words}")
    try:
        cells = json.loads(path.read_bytes())["cells"]
        return [read_cell(cell) for cell in cells if cell["cell_type"] == "code"]
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
        words = "The file is damaged: it is not a notebook in Jupyter's format 4. Save it again."
        raise ValueError(words) from None


def read_cell(cell: dict[str, Any]) -> Cell:
    """Return a saved cell. Raise an exception if it is malformed."""
    tags = frozenset(cell["metadata"].get("tags", ()))
    return Cell(tags, join_lines(cell["source"]))


def join_lines(text: Any) -> str:
    """Return text that a notebook stores as a string or as a list of lines."""
    return "".join(map(str, text)) if isinstance(text, list) else str(text)
