"""Check saved notebooks: planning-agent check FOLDER [--csv [--rules]]"""

import argparse
import csv
import sys
from pathlib import Path

from agentlib.escape import for_screen
from agentlib.safety import bubblewrap

from .check_notebooks import check_notebooks
from .process import hide_keys
from .students import find_students
from .table import make_table

HONESTY = (
    "A result can be forged, because the check runs in the same process as the learner's code. It "
    "is feedback, not an exam."
)
NO_SANDBOX = (
    "There is no sandbox here, because bubblewrap is missing or may not be used: the notebooks' "
    "code can read and write what you can. Use a container for notebooks that you do not trust."
)


def main(arguments: list[str]) -> int:
    """Return 0 if every rule of every notebook passes, otherwise 1."""
    parser = argparse.ArgumentParser(
        prog="planning-agent check",
        description="Check the exercises in saved notebooks, without Jupyter.",
        epilog=HONESTY,
    )
    add = parser.add_argument
    add("paths", nargs="+", metavar="FOLDER", help="a folder with notebooks, or a notebook")
    add("--csv", action="store_true", help="a table: one row per student, one column per exercise")
    add("--rules", action="store_true", help="in the table, also a column for each rule")
    given = parser.parse_args(arguments)
    try:
        is_sandboxed = bubblewrap.works()
    except OSError as problem:
        parser.error(str(problem))
    if not is_sandboxed:
        if sys.argv[1:] == ["check", *arguments]:  # not called by another program
            hide_keys()
        print(NO_SANDBOX, file=sys.stderr)
    set_encoding(is_table=given.csv)
    students = find_students(given.paths)
    if not students:
        parser.error("there is no notebook in " + ", ".join(given.paths))
    folders = {place if place.is_dir() else place.parent for place in map(Path, given.paths)}
    hide = sorted(folder.resolve() for folder in folders)
    results = {}
    for number, (name, paths) in enumerate(students.items(), 1):
        results[name] = check_notebooks(paths, hide)
        if given.csv:
            print(for_screen(f"{number} of {len(students)}: {name}"), file=sys.stderr)
        else:
            print(*(for_screen(str(one)) for one in results[name]), sep="\n", flush=True)
    if given.csv:
        csv.writer(sys.stdout, lineterminator="\n").writerows(make_table(results, given.rules))
    return 0 if all(one.ok for notebooks in results.values() for one in notebooks) else 1


def set_encoding(is_table: bool) -> None:
    """Write UTF-8, and before a table the byte order mark that spreadsheets need."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            encoding = "utf-8-sig" if is_table and stream is sys.stdout else "utf-8"
            stream.reconfigure(encoding=encoding, errors="replace")
