"""Check saved notebooks: planning-agent check FOLDER [--csv] [--bets PICTURE]"""

import argparse
import csv
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from agentlib import escape

from ..catalogue import EXERCISES
from ..checking.exercise import Exercise
from ..checking.result import PASSED
from .bets import draw_bets, read_bets
from .notebooks import (
    EXERCISE_SECONDS,
    Checked,
    Notebook,
    check_notebook,
    read_cells,
)

FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet would run a cell that begins so
HONESTY = (
    "A result can be forged, because the check runs in the same process as the learner's code. It "
    "is feedback, not an exam. Without bubblewrap there is no sandbox: use a container for "
    "notebooks that you do not trust."
)


def main(arguments: list[str] | None = None) -> int:
    """Return 0 if every rule of every notebook passes, otherwise 1."""
    parser = make_parser()
    given = parser.parse_args(arguments)
    if find_spec("nbclient") is None:
        parser.error("this needs nbclient, which comes with JupyterLab: install that first")
    set_encoding(is_table=given.csv)
    found = [path for given_path in given.paths for path in list_notebooks(Path(given_path))]
    if not found:
        parser.error("there is no notebook in " + ", ".join(given.paths))
    if given.bets:
        return draw_class(found, given.bets, parser)
    checked = []
    with ThreadPoolExecutor(max_workers=given.jobs) as pool:
        for notebook in pool.map(partial(check_notebook, seconds=given.seconds), found):
            checked.append(notebook)
            if given.feedback:
                write_feedback(notebook, given.feedback, len(checked))
            if given.csv:
                line = f"{len(checked)} of {len(found)}: {notebook.path}"
                print(escape.for_screen(line), file=sys.stderr)
            else:
                print(escape.for_screen(str(notebook)))
            sys.stdout.flush()
    if given.csv:
        csv.writer(sys.stdout, lineterminator="\n").writerows(make_table(checked))
    return 0 if all(notebook.ok for notebook in checked) else 1


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(
        prog="planning-agent check",
        description="Check the exercises in saved notebooks, without Jupyter.",
        epilog=HONESTY,
    )
    add = parser.add_argument
    add("paths", nargs="+", metavar="NOTEBOOK", help="a notebook, or a folder with notebooks")
    add("--csv", action="store_true", help="a table: one row per student, one column per rule")
    add("--feedback", type=Path, metavar="DIR", help="write feedback pages to this folder")
    add("--jobs", type=int, default=1, metavar="N", help="check N notebooks at a time")
    add("--bets", type=Path, metavar="PICTURE", help="only draw the class's bets on the threshold")
    words = f"time for each exercise of a notebook (default {EXERCISE_SECONDS:g})"
    add("--seconds", type=float, default=EXERCISE_SECONDS, help=words)
    return parser


def set_encoding(is_table: bool) -> None:
    """Write UTF-8, and before a table the byte order mark that spreadsheets need."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            encoding = "utf-8-sig" if is_table and stream is sys.stdout else "utf-8"
            stream.reconfigure(encoding=encoding, errors="replace")


def list_notebooks(path: Path) -> list[Path]:
    """Return the notebook at `path`, or all below it, without hidden folders."""
    if not path.is_dir():
        return [path]
    return sorted(
        file
        for file in path.rglob("*.ipynb")
        if not any(part.startswith(".") for part in file.relative_to(path).parts)
    )


def write_feedback(notebook: Notebook, folder: Path, number: int) -> None:
    """Write the feedback to a page in `folder`. Its `number` makes the file's name unique."""
    folder.mkdir(parents=True, exist_ok=True)
    stem = f"{name_student(notebook.path)}-{Path(notebook.path).stem}"
    safe = "".join(one if one.isalnum() or one in "-_." else "_" for one in stem)
    file = folder / f"{number:03}-{safe.encode()[:100].decode('utf-8', 'ignore')}.html"
    file.write_text(notebook.html, encoding="utf-8", errors="replace")


def name_student(path: str) -> str:
    """Return the student's name: the folder that contains the notebook, or `my_lesson` in it."""
    folders = [one for one in Path(path).absolute().parent.parts if one != "my_lesson"]
    return folders[-1] if folders else ""


def group_by_student(notebooks: Sequence[Notebook]) -> dict[str, list[Notebook]]:
    """Return the notebooks by student.

    If a folder has two notebooks with the same exercise, each file is from another student.
    """
    folders = defaultdict(list)
    for one in notebooks:
        folders[str(Path(one.path).parent)].append(one)
    students = {}
    for folder, members in folders.items():
        names = [one.exercise.name for member in members for one in member.checked]
        if len(members) > 1 and len(names) == len(set(names)):
            students[folder] = members
        else:
            students |= {member.path: [member] for member in members}
    return students


def make_table(notebooks: Sequence[Notebook]) -> Iterator[list[str]]:
    """Yield the rows of the table: the header, the students and the class."""
    found = [one.exercise for notebook in notebooks for one in notebook.checked]
    exercises = [one for one in EXERCISES if one in found]
    students = group_by_student(notebooks)
    yield make_header(exercises)
    for student, members in students.items():
        yield make_row(student, members, exercises)
    if len(students) > 1:
        yield make_last_row(students, exercises)


def make_header(exercises: Sequence[Exercise]) -> list[str]:
    """Return the names of the columns."""
    names = ["student", "did not run"]
    for one in exercises:
        names += [one.name, f"{one.name}: rules", f"{one.name}: first miss"]
        names += [f"{one.name}: {rule.title}" for rule in one.rules]
    return names


def find_checked(notebooks: Sequence[Notebook], exercise: Exercise) -> Checked:
    """Return a student's result of an exercise, an empty one if there is none."""
    checked = [one for notebook in notebooks for one in notebook.checked]
    return next((one for one in checked if one.exercise is exercise), Checked(exercise))


def make_row(
    student: str, notebooks: Sequence[Notebook], exercises: Sequence[Exercise]
) -> list[str]:
    """Return one student's values: how many rules of each exercise pass, then rule by rule."""
    problems = [notebook.problem for notebook in notebooks]
    values = []
    for exercise in exercises:
        checked = find_checked(notebooks, exercise)
        if checked.problem:
            problems.append(f"{exercise.name}: {checked.problem}")
        values += describe_result(checked)
    return [disarm(value) for value in (student, " ".join(filter(None, problems)), *values)]


def describe_result(checked: Checked) -> list[str]:
    """Return the values of one exercise in a row, empty ones if it did not run."""
    untried = [""] * len(checked.exercise.rules)
    if checked.result is None:
        return ["", "", "", *untried]
    passed, failed, miss = checked.result.passed, checked.result.first_failed, checked.result.miss
    count = f"{passed} of {len(untried)}" if checked.result.begun else "not begun"
    words = f"{failed.title}: {miss.got}" if failed and miss else ""
    return [count, str(passed), words, *(checked.result.states or untried)]


def make_last_row(
    students: Mapping[str, Sequence[Notebook]], exercises: Sequence[Exercise]
) -> list[str]:
    """Return the class's row: how many students have not yet passed each exercise and each rule.

    An exercise that is missing, not begun or did not run is not passed.
    """
    values = [f"not yet, of {len(students)} students", ""]
    for exercise in exercises:
        results = [find_checked(notebooks, exercise) for notebooks in students.values()]
        states = [describe_result(one)[3:] for one in results]
        missed = [sum(state != PASSED for state in column) for column in zip(*states, strict=True)]
        values += [str(sum(not one.ok for one in results)), "", "", *map(str, missed)]
    return values


def draw_class(found: Sequence[Path], picture: Path, parser: argparse.ArgumentParser) -> int:
    """Draw the bets in the notebooks. Return 0, or end the program if there is none."""
    bets = []
    for path in found:
        with suppress(Exception):
            bets.append(read_bets(read_cells(path)))
    known = [one for one in bets if one]
    if not known:
        parser.error(f"none of {len(found)} notebooks contains a bet: was s03 saved after betting?")
    picture.write_text(draw_bets(known), encoding="utf-8")
    print(f"{len(known)} of {len(found)} notebooks contain a bet. {picture}: open it in a browser.")
    return 0


def disarm(value: str) -> str:
    """Return the value so that a spreadsheet does not run it as a formula, nor a screen codes."""
    value = escape.for_screen(value)
    return f"'{value}" if value.startswith(FORMULA) else value
