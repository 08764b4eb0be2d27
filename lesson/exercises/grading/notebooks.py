"""Checks saved notebooks outside Jupyter: each in a kernel of its own, without keys.

Only the notebook's set-up cell and the cells of the exercises are run. The kernel has limits on
time, memory and file size, and a folder of its own, but it is not a sandbox: run notebooks that
you do not trust in a container. Nor is it an exam: a notebook can forge its result.
"""

import json
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from ..catalogue import EXERCISES, Exercise
from ..checking.result import HOLDS, MISSED, NOT_TRIED
from .kernel import CellStoppedError, Session

EXERCISE_SECONDS = 60.0
CELL_SECONDS = 10.0
LARGEST_BYTES = 50_000_000


@dataclass(frozen=True)
class Cell:
    """A code cell of a saved notebook; `printed` is what it had printed when it was saved."""

    id: str
    tags: frozenset[str]
    source: str
    printed: str = ""


@dataclass(frozen=True)
class Checked:
    """How one exercise of one notebook did.

    `states` has "yes", "not yet" or "" for each rule; `text` is the feedback; `begun` is False
    where there is nothing yet; `problem` says why, where it did not run; `miss` is the first rule
    that does not hold, and what came.
    """

    exercise: Exercise
    states: tuple[str, ...] = ()
    text: str = ""
    begun: bool = True
    problem: str = ""
    miss: str = ""

    @property
    def ok(self) -> bool:
        """Whether every rule holds."""
        return bool(self.states) and set(self.states) == {HOLDS}


@dataclass(frozen=True)
class Notebook:
    """A saved notebook: its `path`, how its exercises did, or a `problem` with the file."""

    path: str
    checked: tuple[Checked, ...] = ()
    problem: str = ""

    @property
    def ok(self) -> bool:
        """Whether every rule of every exercise holds."""
        return bool(self.checked) and all(one.ok for one in self.checked)

    def __str__(self) -> str:
        said = [f"[{one.exercise.name}] {one.text or one.problem}" for one in self.checked]
        text = self.problem or "\n\n".join(said)
        return f"{self.path}\n\n{text}\n"


def check_notebook(path: str | Path, seconds: float = EXERCISE_SECONDS) -> Notebook:
    """Check all exercises of the notebook at `path`, with this many `seconds` for each."""
    try:
        cells = read_cells(Path(path))
    except (OSError, ValueError) as problem:
        return Notebook(str(path), problem=str(problem))
    exercises = choose_exercises(cells)
    if not exercises:
        words = "None of its cells is tagged exercise: is this a notebook with exercises?"
        return Notebook(str(path), problem=words)
    with Session(find_setup(exercises, cells)) as session:
        checked = [check_exercise(session, one, cells, seconds) for one in exercises]
    return Notebook(str(path), tuple(checked))


def choose_exercises(cells: Sequence[Cell]) -> list[Exercise]:
    """The exercises that a notebook should have: those of which it has one, and their like."""
    notebooks = {one.notebook for one in EXERCISES if find_cells(one, cells)}
    return [one for one in EXERCISES if one.notebook in notebooks]


def list_exercises(paths: Iterable[Path]) -> list[Exercise]:
    """The exercises that any of these notebooks should have."""
    chosen: list[Exercise] = []
    for path in paths:
        with suppress(OSError, ValueError):
            chosen += choose_exercises(read_cells(path))
    return [one for one in EXERCISES if one in chosen]


def find_cells(exercise: Exercise, cells: Sequence[Cell]) -> list[str]:
    """The sources of an exercise's cells: by their tags; where those are lost, by id or content."""
    tagged = [cell.source for cell in cells if {"exercise", exercise.name} <= cell.tags]
    by_id = [cell.source for cell in cells if cell.id == exercise.cell_id]
    return tagged or by_id or find_definitions(exercise.subjects[0], cells)


def find_setup(exercises: Iterable[Exercise], cells: Sequence[Cell]) -> list[str]:
    """What runs before the exercises: the set-up cell, and where names they need are first made."""
    tagged = [cell.source for cell in cells if "setup" in cell.tags]
    needs = [find_definitions(name, cells)[:1] for one in exercises for name in one.needs]
    return list(dict.fromkeys([*tagged, *chain(*needs)]))


def find_definitions(name: str, cells: Iterable[Cell]) -> list[str]:
    """The sources of the cells that define or import a name."""
    made = re.compile(rf"(?m)^((class|def) {name}\b|{name} *=|from .* import .*\b{name}\b)")
    return [cell.source for cell in cells if made.search(cell.source)]


def check_exercise(
    session: Session, exercise: Exercise, cells: Sequence[Cell], seconds: float
) -> Checked:
    """Run the cells of one exercise, and check what they define."""
    sources = find_cells(exercise, cells)
    if not sources:
        return Checked(
            exercise,
            problem=f"There is no code cell with the tags exercise and {exercise.name}. Was it "
            "deleted? A fresh copy of the notebook has it.",
        )
    said = []
    if len(sources) > 1:
        said.append(f"{len(sources)} cells carry its tags; the last one counts.")
    try:
        for source in sources:
            said.append(session.run_cell(source, min(seconds, CELL_SECONDS)))
        answer = session.ask(exercise.name, seconds)
    except CellStoppedError as stopped:
        return Checked(exercise, problem=str(stopped))
    text = "\n".join(filter(None, [*said, str(answer.get("text", ""))]))
    problem = text if answer.get("problem") else ""
    states = read_states(answer.get("states"), exercise)
    miss = str(answer.get("miss", ""))
    return Checked(exercise, states, text, bool(answer.get("begun")), problem, miss)


def read_states(states: Any, exercise: Exercise) -> tuple[str, ...]:
    """One state for each rule, whatever the kernel answered; () where nothing was tried."""
    if not isinstance(states, list) or not states:
        return ()
    known = [state if state in (HOLDS, MISSED) else NOT_TRIED for state in states]
    missing = [NOT_TRIED] * len(exercise.rules)
    return tuple([*known, *missing][: len(exercise.rules)])


def read_cells(path: Path) -> list[Cell]:
    """The code cells of a notebook.

    Raises OSError or ValueError, with a sentence, where the file is not a notebook.
    """
    if not path.is_file():
        raise FileNotFoundError(explain_missing(path))
    size = path.stat().st_size
    if size > LARGEST_BYTES:
        megabytes = LARGEST_BYTES // 1_000_000
        raise ValueError(f"The file is larger than {megabytes} MB: clear its outputs.")
    if not size:
        raise ValueError("The file is empty. Save the notebook once more.")
    try:
        notebook = json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        words = "The file is damaged: it is not JSON. Save the notebook once more."
        raise ValueError(words) from None
    except OSError as problem:
        raise OSError(f"The file cannot be read: {problem.strerror}.") from None
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if not isinstance(cells, list):
        raise ValueError("The file is not a notebook of format 4, which Jupyter saves today.")
    dicts = [cell for cell in cells if isinstance(cell, dict)]
    return [read_cell(cell) for cell in dicts if cell.get("cell_type") == "code"]


def explain_missing(path: Path) -> str:
    """Why there is no file to read at `path`."""
    if path.exists():
        return "It is not a file, but a folder or the like."
    return "It is a link that leads nowhere." if path.is_symlink() else "There is no such file."


def read_cell(cell: dict[str, Any]) -> Cell:
    """A cell as it was saved; without tags where they are not as they should be."""
    metadata = cell.get("metadata")
    tags = metadata.get("tags") if isinstance(metadata, dict) else None
    known = frozenset(map(str, tags)) if isinstance(tags, list) else frozenset()
    outputs = cell.get("outputs")
    shown = [one for one in outputs if isinstance(one, dict)] if isinstance(outputs, list) else []
    printed = "".join(join_lines(one.get("text", "")) for one in shown)
    return Cell(str(cell.get("id", "")), known, join_lines(cell.get("source", "")), printed)


def join_lines(text: Any) -> str:
    """A text as a notebook holds it: whole, or as a list of lines."""
    return "".join(map(str, text)) if isinstance(text, list) else str(text)
