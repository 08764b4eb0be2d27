"""What runs in the process of a saved notebook, next to the learner's cells."""

import json
import os
import re
import sys
import traceback
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from typing import Any

from IPython.core.interactiveshell import InteractiveShell

from ...statements import Statement, find_needed, read_statements
from ...time_limit import OutOfTimeError, Raised, attempt
from ..catalogue import EXERCISES
from ..checking.exercise import Exercise
from ..checking.result import PASSED

CELL_SECONDS = 5.0  # of processor time
MEMORY_BYTES = 3 * 2**30
FILE_BYTES = 16 * 2**20
TIMED = re.compile(r"\s*%%(time|capture)\b.*")  # the first line of a cell that is run as usual


class Shell(InteractiveShell):
    """A shell that keeps the first error of a cell, but writes no traceback: that takes time."""

    first_error: BaseException | None = None

    def showtraceback(self, *_: Any, **__: Any) -> None:
        self.first_error = self.first_error or sys.exception()

    def ask_exit(self) -> None:
        """Go on: as in Jupyter, exit() ends no cell."""


def answer() -> None:
    """Answer the grader's request, JSON in the standard input, with a line for each exercise.

    The request has the sources of all `cells`, and the places of each of the `exercises` in them.
    """
    request, answers = json.load(sys.stdin), os.fdopen(os.dup(1), "w")
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):  # from now on, cells read and print nothing
        os.dup2(nothing, stream)
    limit_resources()
    shell = Shell.instance(user_module=sys.modules["__main__"])
    shell.ast_node_interactivity = "none"
    cells = [read_cell(shell, source) for source in request["cells"]]
    taken = {place for places in request["exercises"].values() for place in places}
    others = {place: cell for place, cell in enumerate(cells) if place not in taken}
    for name, places in request["exercises"].items():
        own = [one for place in places for one in cells[place]]
        before, after = find_helpers(name, own, others, places[-1])
        sources = [*before, *(request["cells"][place] for place in places)]
        said = [run_cell(shell, source) for source in sources]
        told = check_exercise(name)
        if after and {*told.get("states", ())} != {PASSED}:
            said += [run_cell(shell, source) for source in after]
            told = check_exercise(name)
        told |= {"exercise": name, "said": [one for one in said if one]}
        print(json.dumps(told), file=answers, flush=True)
    os._exit(0)  # a learner's thread may go on for ever


def read_cell(shell: Shell, source: str) -> list[Statement]:
    """Return the statements of a cell, none if it cannot be read."""
    code = TIMED.sub("", source, count=1) if TIMED.match(source) else source
    got, _ = attempt(lambda: [*read_statements(source, shell.transform_cell(code))], CELL_SECONDS)
    return [] if isinstance(got, Raised) else got


def find_helpers(
    name: str, own: list[Statement], others: dict[int, list[Statement]], last: int
) -> tuple[list[str], list[str]]:
    """Return what to run before and after an exercise's cells, whose statements are its `own`.

    Before them, it is what they use from other cells: from the last one above that makes it, or
    else from one below. After them, unless they pass, it is what cells below add to what the
    exercise asks for, or define again.
    """
    exercise = find_exercise(name)
    below = [one for place, cell in others.items() if place > last for one in cell]
    above = [one for place, cell in others.items() if place < last for one in cell]
    added = [one for one in below if exercise.subject in one.makes | one.changes]
    made = set[str]().union(*(one.makes for one in own))
    used = set[str]().union(exercise.subjects, exercise.needs, *(one.uses for one in own + added))
    got, _ = attempt(lambda: [*find_needed(sorted(used), below + above, made)], CELL_SECONDS)
    return ([] if isinstance(got, Raised) else got), [one.source for one in added]


def limit_resources() -> None:
    """Limit memory and the size of files. Not every system has these limits."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_BYTES, FILE_BYTES))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))


def run_cell(shell: Shell, source: str) -> str:
    """Run a cell. Return what it raised, as a sentence with the learner's line; "" if nothing."""
    shell.first_error = None
    got, _ = attempt(partial(shell.run_cell, source, store_history=True), CELL_SECONDS)
    error = got.problem if isinstance(got, Raised) else got.error_before_exec or got.error_in_exec
    if error is None:
        return ""
    if isinstance(error, OutOfTimeError):  # perhaps the second one, raised in IPython's own code
        error = shell.first_error or error
    line = ""
    for place in reversed(traceback.extract_tb(error.__traceback__)):
        if place.filename.startswith("<ipython-input"):  # the outermost one is the cell's
            line = f" in line {place.lineno}: {place.line}"
    said = f"{type(error).__name__}: {error}".removesuffix(": ")[:400]
    return f"The cell stopped with {said}{line}."


def find_exercise(name: str) -> Exercise:
    return next(one for one in EXERCISES if one.name == name)


def check_exercise(name: str) -> dict[str, Any]:
    """Return an Answer about an exercise, for the names that the notebook's cells have defined."""
    exercise = find_exercise(name)
    names = vars(sys.modules["__main__"])
    if exercise.subject not in names:
        return {"problem": f"Its cell does not define {exercise.subject}."}
    result = exercise.check(*(names.get(want) for want in exercise.subjects))
    sent = {name: getattr(result, name) for name in ("states", "note", "aside", "begun")}
    return sent | {"miss": asdict(result.miss) if result.miss else None}
