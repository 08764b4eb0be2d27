"""Checks saved notebooks outside Jupyter: each exercise in a process of its own, without keys.

Only the cells that carry an exercise's tags are read and run. The process has limits on time,
memory and file size, and a folder of its own, but it is no sandbox: run notebooks that you do not
trust in a container.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from .. import order, priority, priority_nag, timed
from ..checking.result import HOLDS
from ..checking.rule import Rule

SECONDS = 60  # for one exercise of one notebook
LARGEST = 50_000_000  # bytes of a notebook
PASSED_ON = ("PATH", "PATHEXT", "SYSTEMROOT", "WINDIR", "COMSPEC", "LD_LIBRARY_PATH")
PACKAGES = str(Path(__file__).parents[3])


@dataclass(frozen=True)
class Exercise:
    """An exercise as a notebook has it: the tags of its cells, and the names that they define.

    The cells tagged "exercise" and `name` are run, after those tagged with the name of the
    exercise `before`, if any; then `check` gets what `wants` names.
    """

    name: str
    check: str
    wants: tuple[str, ...]
    rules: Sequence[Rule]
    before: str = ""


EXERCISES = (
    Exercise("order", "check_order", ("order",), order.RULES),
    Exercise("priority", "check_priority", ("PriorityTodo",), priority.RULES),
    Exercise("nag", "check_nag", ("PriorityNag", "PriorityTodo"), priority_nag.RULES, "priority"),
    Exercise("timed", "check_timed", ("TimedTodo",), timed.RULES, "priority"),
)


@dataclass(frozen=True)
class Checked:
    """How one exercise of one notebook did.

    `states` has "yes", "not yet" or "" for each rule; `text` is the feedback; `begun` is False
    where there is nothing yet; `problem` says why, where it did not run.
    """

    exercise: Exercise
    states: tuple[str, ...] = ()
    text: str = ""
    begun: bool = True
    problem: str = ""

    @property
    def ok(self) -> bool:
        """Whether every rule holds."""
        return bool(self.states) and set(self.states) == {HOLDS}


@dataclass(frozen=True)
class Notebook:
    """A saved notebook: its `path`, how its exercises did, or a `problem` with the file."""

    path: str
    checked: tuple[Checked, ...] = field(default=())
    problem: str = ""

    @property
    def ok(self) -> bool:
        """Whether every rule of every exercise holds."""
        return bool(self.checked) and all(one.ok for one in self.checked)

    def __str__(self) -> str:
        said = self.problem or "\n\n".join(
            f"[{one.exercise.name}] {one.text or one.problem}" for one in self.checked
        )
        return f"{self.path}\n\n{said}\n"


def check_notebook(path: str | Path, seconds: float = SECONDS) -> Notebook:
    """Check all exercises of the notebook at `path`, with so many `seconds` for each."""
    try:
        cells = code_cells(Path(path))
    except (OSError, ValueError) as problem:
        return Notebook(str(path), problem=str(problem))
    if not any("exercise" in tags for tags, _ in cells):
        return Notebook(
            str(path),
            problem="None of its cells is tagged exercise: is this the "
            "notebook with the exercises?",
        )
    return Notebook(
        str(path), tuple(check_exercise(exercise, cells, seconds) for exercise in EXERCISES)
    )


def check_exercise(exercise: Exercise, cells: Iterable[tuple], seconds: float) -> Checked:
    """Run the cells of one exercise in a process of its own, and check what they define."""
    before, chosen = (
        [source for tags, source in cells if {"exercise", name} <= tags]
        for name in (exercise.before, exercise.name)
    )
    if not chosen:
        return Checked(
            exercise,
            problem=(
                f"There is no code cell with the tags exercise and {exercise.name}. Was it "
                "deleted? A fresh copy of the notebook has it."
            ),
        )
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        answer = Path(folder) / "answer.json"
        problem = run(
            {
                "before": before,
                "cells": chosen,
                "check": exercise.check,
                "wants": exercise.wants,
                "answer": str(answer),
            },
            folder,
            seconds,
        )
        try:
            said = json.loads(answer.read_text(encoding="utf-8"))
            return Checked(
                exercise,
                tuple(map(str, said["states"])),
                str(said["text"]),
                bool(said["begun"]),
                str(said["problem"]),
            )
        except (OSError, ValueError, TypeError, KeyError):
            if before:  # perhaps it was they who ended it
                return check_exercise(replace(exercise, before=""), cells, seconds)
            return Checked(exercise, problem=problem)


def run(task: Mapping[str, Any], folder: str, seconds: float) -> str:
    """Give `task` to a child process. Returns a sentence that explains it if no answer came."""
    home = Path(folder) / "home"
    home.mkdir()
    env = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    paths = [PACKAGES, *filter(None, [os.environ.get("PYTHONPATH")])]
    env |= {
        "PYTHONPATH": os.pathsep.join(paths),
        "PYTHONUTF8": "1",
        "HOME": str(home),
        "USERPROFILE": str(home),
        "TMP": str(home),
        "TEMP": str(home),
        "TMPDIR": str(home),
    }
    child = subprocess.Popen(
        [sys.executable, "-m", "agentlib.exercises.grading.worker"],
        cwd=home,
        env=env,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        child.communicate(json.dumps(task).encode(), timeout=seconds)
    except subprocess.TimeoutExpired:
        return (
            f"It was still running after {seconds:g} seconds, so it was stopped. Does a loop "
            "in it never end?"
        )
    finally:
        end(child)
    if child.returncode < 0:
        return (
            f"It was ended by the system (signal {-child.returncode}), perhaps because it "
            "took too much memory."
        )
    return (
        f"It ended (exit code {child.returncode}) before the check was over. Is there an "
        "os._exit() in it?"
    )


def end(child: subprocess.Popen) -> None:
    """Stop the child and what it left running."""
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(child.pid, signal.SIGKILL)
        else:
            child.kill()
    child.wait()


def code_cells(path: Path) -> list[tuple[frozenset[str], str]]:
    """The code cells of a notebook: the tags and the source of each.

    Raises OSError or ValueError, with a sentence, where the file is no notebook.
    """
    if not path.is_file():
        raise FileNotFoundError(
            "It is no file, but a folder or the like."
            if path.exists()
            else "It is a link that leads nowhere."
            if path.is_symlink()
            else "There is no such file."
        )
    if path.stat().st_size > LARGEST:
        raise ValueError(f"The file is larger than {LARGEST // 1_000_000} MB: clear its outputs.")
    if not path.stat().st_size:
        raise ValueError("The file is empty. Save the notebook once more.")
    try:
        notebook = json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        raise ValueError(
            "The file is damaged: it is no JSON. Save the notebook once more."
        ) from None
    except OSError as problem:
        raise OSError(f"The file cannot be read: {problem.strerror}.") from None
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if not isinstance(cells, list):
        raise ValueError("The file is no notebook of format 4, which Jupyter saves today.")
    return [
        (tags(cell), source(cell))
        for cell in cells
        if isinstance(cell, dict) and cell.get("cell_type") == "code"
    ]


def tags(cell: Mapping[str, Any]) -> frozenset[str]:
    """The tags of a cell; none where they are not as they should be."""
    metadata = cell.get("metadata")
    found = metadata.get("tags") if isinstance(metadata, dict) else None
    return frozenset(map(str, found)) if isinstance(found, list) else frozenset()


def source(cell: Mapping[str, Any]) -> str:
    """The text of a cell, which may be saved as a string or as a list of lines."""
    text = cell.get("source", "")
    return "".join(map(str, text)) if isinstance(text, list) else str(text)
