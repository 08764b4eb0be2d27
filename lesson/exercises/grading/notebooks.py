"""Check saved notebooks outside Jupyter: each in its own process, without keys.

Only the notebook's set-up cell and the cells of the exercises are run. The process has limits on
time, memory and file size, and runs in bubblewrap if that is installed. Without it, there is no
sandbox: use a container for notebooks that you do not trust. A notebook can forge its result.
"""

import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ValidationError

from ..catalogue import EXERCISES
from ..checking.exercise import Exercise
from ..checking.result import Result
from ..checking.rule import Miss
from .session import CellStoppedError, Session

Data = dict[Any, Any]
NOTEBOOK_SECONDS = 300.0
CHECK_SECONDS = 60.0  # for the check of one exercise
CELL_SECONDS = 10.0
MAX_MEGABYTES = 50
NO_EXERCISES = "None of its cells is tagged exercise: is this a notebook with exercises?"
UNREADABLE = "The check gave an answer that cannot be read."
MAX_MESSAGE_CHARACTERS = 500


@dataclass(frozen=True)
class Cell:
    """A cell of a saved notebook; `printed` is its saved text output."""

    tags: frozenset[str]
    source: str
    printed: str = ""
    kind: str = "code"


class Answer(BaseModel):
    """What the worker answers about an exercise: the fields of a Result, or a `problem`.

    A learner's code can forge it, so it is data: the grader writes the text.
    """

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
        return f"{self.path}\n\n{text}\n"


def check_notebooks(paths: Iterable[Path]) -> list[Notebook]:
    """Check a student's notebooks. Leave out those without exercises, if others have some."""
    notebooks = [check_notebook(path) for path in paths]
    return [one for one in notebooks if one.problem != NO_EXERCISES] or notebooks


def check_notebook(path: Path) -> Notebook:
    """Check all exercises of the notebook at `path`.

    Any exception becomes the notebook's `problem`: one notebook never ends the check of a class.
    """
    try:
        cells = read_cells(path)
        exercises = choose_exercises(cells)
        if not exercises:
            return Notebook(str(path), problem=NO_EXERCISES)
        with Session(find_setup(exercises, cells), NOTEBOOK_SECONDS) as session:
            checked = tuple(check_exercise(session, one, cells) for one in exercises)
            return Notebook(str(path), checked)
    except Exception as problem:
        said = str(problem)
        if not isinstance(problem, (OSError, ValueError)):
            said = f"The check of this notebook failed: {type(problem).__name__}: {said}"
        return Notebook(str(path), problem=said[:MAX_MESSAGE_CHARACTERS])


def choose_exercises(cells: Sequence[Cell]) -> list[Exercise]:
    """Return all exercises of the lesson's notebooks from which there is one in these cells."""
    notebooks = {one.notebook for one in EXERCISES if find_cells(one, cells)}
    return [one for one in EXERCISES if one.notebook in notebooks]


def find_cells(exercise: Exercise, cells: Sequence[Cell]) -> list[str]:
    """Return the sources of an exercise's cells: found by tag, else by content."""
    tagged = [cell.source for cell in cells if {"exercise", exercise.name} <= cell.tags]
    return tagged or find_definitions(exercise.subject, cells)


def find_setup(exercises: Collection[Exercise], cells: Sequence[Cell]) -> list[str]:
    """Return the set-up cell and the first definition of each name that the exercises need.

    The cells of these exercises are left out: each is run in its turn, with its own time limit.
    """
    tagged = [cell.source for cell in cells if "setup" in cell.tags]
    needs = [find_definitions(name, cells)[:1] for one in exercises for name in one.needs]
    own = {source for one in exercises for source in find_cells(one, cells)}
    return [one for one in dict.fromkeys([*tagged, *chain(*needs)]) if one not in own]


def find_definitions(name: str, cells: Iterable[Cell]) -> list[str]:
    """Return the sources of the cells with a line that defines or imports a name."""
    line = re.compile(rf"(?m)^((class|def) {name}\b|{name} *=|from .*\b{name}\b)")
    return [cell.source for cell in cells if line.search(cell.source)]


def check_exercise(session: Session, exercise: Exercise, cells: Sequence[Cell]) -> Checked:
    """Run the cells of one exercise, and check what they define."""
    sources = find_cells(exercise, cells)
    if not sources:
        return Checked(
            exercise,
            problem=f"There is no code cell with the tags exercise and {exercise.name}. Was it "
            "deleted? A fresh copy of the notebook has it.",
        )
    try:
        said = [session.run_cell(source, CELL_SECONDS) for source in sources]
        answer = Answer.model_validate(session.check(exercise.name, CHECK_SECONDS))
    except CellStoppedError as stopped:
        return Checked(exercise, problem=str(stopped))
    except ValidationError:
        return Checked(exercise, problem=UNREADABLE)
    known = tuple(filter(None, said))
    if answer.problem:
        return Checked(exercise, problem="\n".join([*known, answer.problem]))
    if len(answer.states) not in (0, len(exercise.rules)):
        return Checked(exercise, problem=UNREADABLE)
    fields = {name: value for name, value in answer if name != "problem"}
    return Checked(exercise, Result(exercise, **fields), said=known)


def read_cells(path: Path) -> list[Cell]:
    """Return the code cells of a notebook. Raise OSError or ValueError if it is not one."""
    return [cell for cell in read_notebook(path) if cell.kind == "code"]


def read_notebook(path: Path) -> list[Cell]:
    """Return the cells of a notebook. Raise OSError or ValueError if it is not one."""
    if path.is_symlink():
        raise ValueError("It is a link to another place, so it was not checked.")
    if not path.is_file():
        raise FileNotFoundError("There is no such file.")
    if path.stat().st_size > MAX_MEGABYTES * 1_000_000:
        raise ValueError(f"The file is larger than {MAX_MEGABYTES} MB: clear its outputs.")
    try:
        return [read_cell(cell) for cell in json.loads(path.read_bytes())["cells"]]
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
        words = "The file is damaged: it is not a notebook in Jupyter's format 4. Save it again."
        raise ValueError(words) from None


def read_class(students: Mapping[str, Iterable[Path]], read: Callable[[Path], Data]) -> Data:
    """Return, by student, what `read` finds in their notebooks, if it finds anything."""
    found: Data = {}
    for name, paths in students.items():
        for path in paths:
            with suppress(Exception):  # anybody can write a notebook, with any data
                if data := read(path):
                    found[name] = found.get(name, {}) | data
    return found


def copy_to_read(path: Path, target: Path) -> None:
    """Write a copy of a notebook with nothing but the text of its cells.

    JupyterLab runs the JavaScript in the saved state of widgets as soon as a notebook is opened,
    also if it is not trusted. Raise OSError or ValueError if `path` is not a notebook.
    """
    cells: list[dict[str, Any]] = [
        {"cell_type": cell.kind, "metadata": {}, "source": cell.source}
        | ({"outputs": [], "execution_count": None} if cell.kind == "code" else {})
        for cell in read_notebook(path)
        if cell.kind in ("code", "markdown")
    ]
    notebook = {"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": cells}
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(notebook, indent=1), encoding="utf-8")


def read_cell(cell: dict[str, Any]) -> Cell:
    """Return a saved cell. Raise an exception if it is malformed."""
    printed = "".join(join_lines(one.get("text", "")) for one in cell.get("outputs", ()))
    tags = frozenset(cell["metadata"].get("tags", ()))
    return Cell(tags, join_lines(cell["source"]), printed, str(cell["cell_type"]))


def join_lines(text: Any) -> str:
    """Return text that a notebook stores as a string or as a list of lines."""
    return "".join(map(str, text)) if isinstance(text, list) else str(text)
