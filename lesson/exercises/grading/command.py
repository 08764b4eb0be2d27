"""Check saved notebooks: planning-agent check FOLDER [--csv] [--bets PICTURE] [--arena]"""

import argparse
import csv
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from html import escape
from importlib.util import find_spec
from pathlib import Path

from agentlib.escape import for_screen
from agentlib.sandbox.files import write_atomically

from ..catalogue import EXERCISES
from .arena import tell_arena
from .bets import draw_bets, read_bets
from .notebooks import Notebook, read_cells
from .students import Student, find_students
from .table import Table

PAGE = '<!doctype html><meta charset="utf-8"><title>Feedback</title>'
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
    students = find_students(given.paths)
    if not students:
        parser.error("there is no notebook in " + ", ".join(given.paths))
    try:
        if given.arena:
            print(for_screen(tell_arena(students)))
            return 0
        if given.bets:
            return draw_class(students, given.bets, parser)
        if given.feedback:
            given.feedback.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        parser.error(f"{problem.filename} cannot be written: {problem.strerror}")
    except ValueError as problem:
        parser.error(str(problem))
    for student in students:
        student.read()
    return check_class(students, given)


def check_class(students: Sequence[Student], given: argparse.Namespace) -> int:
    """Check the students' notebooks, and write what is asked for, a student at a time."""
    handed = {name for student in students for name in student.codes}
    table = Table(students, [one for one in EXERCISES if one.name in handed])
    rows = csv.writer(sys.stdout, lineterminator="\n")
    all_ok = True
    if given.csv:
        rows.writerow(table.header)
    with ThreadPoolExecutor(max_workers=given.jobs) as pool:
        results = pool.map(Student.check, students)
        for number, (student, notebooks) in enumerate(zip(students, results, strict=True), 1):
            all_ok &= all(notebook.ok for notebook in notebooks)
            if given.feedback:
                write_feedback(student, notebooks, given.feedback, number)
            if given.csv:
                rows.writerow(table.add_row(student, notebooks))
                print(for_screen(f"{number} of {len(students)}: {student.name}"), file=sys.stderr)
            else:
                print(*(for_screen(str(notebook)) for notebook in notebooks), sep="\n")
            sys.stdout.flush()
    if given.csv and len(students) > 1:
        rows.writerow(table.last_row)
    return 0 if all_ok else 1


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(
        prog="planning-agent check",
        description="Check the exercises in saved notebooks, without Jupyter.",
        epilog=HONESTY,
    )
    add = parser.add_argument
    add("paths", nargs="+", metavar="FOLDER", help="a folder with notebooks, or a notebook")
    add("--csv", action="store_true", help="a table: one row per student, one column per rule")
    add("--feedback", type=Path, metavar="DIR", help="write a page per student to this folder")
    add("--jobs", type=int, default=1, metavar="N", help="check N students at a time")
    add("--bets", type=Path, metavar="PICTURE", help="only draw the class's bets on the threshold")
    add("--arena", action="store_true", help="only tell how the class's agents did in the arena")
    return parser


def set_encoding(is_table: bool) -> None:
    """Write UTF-8, and before a table the byte order mark that spreadsheets need."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            encoding = "utf-8-sig" if is_table and stream is sys.stdout else "utf-8"
            stream.reconfigure(encoding=encoding, errors="replace")


def write_feedback(
    student: Student, notebooks: Sequence[Notebook], folder: Path, number: int
) -> None:
    """Write a student's page to `folder`. The `number` makes the file's name unique."""
    safe = "".join(one if one.isalnum() or one in "-_." else "_" for one in student.name)
    file = folder / f"{number:03}-{safe.encode()[:100].decode('utf-8', 'ignore')}.html"
    body = "".join(notebook.html for notebook in notebooks)
    text = f"{PAGE}<p>{escape(student.name)}</p>{body}"
    write_atomically(file, text.encode("utf-8", "replace"))  # replaces a link, never follows it


def draw_class(students: Sequence[Student], picture: Path, parser: argparse.ArgumentParser) -> int:
    """Draw the students' bets. Return 0, or end the program if there is none."""
    found: list[dict[int, int]] = []
    for student in students:
        bets: dict[int, int] = {}
        for path in student.paths:
            with suppress(Exception):
                bets |= read_bets(read_cells(path))
        found += [bets] if bets else []
    if not found:
        parser.error(f"none of {len(students)} students has a bet: was s03 saved after betting?")
    picture.write_text(draw_bets(found), encoding="utf-8")
    print(f"{len(found)} of {len(students)} students have a bet. {picture}: open it in a browser.")
    return 0
