"""Check saved notebooks: python -m lesson.exercises NOTEBOOK… [--csv] [--bets PICTURE]"""

import argparse
import csv
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from .catalogue import Exercise
from .checking.result import HOLDS, MISSED
from .grading.bets import draw_bets, read_bets
from .grading.notebooks import (
    EXERCISE_SECONDS,
    Checked,
    Notebook,
    check_notebook,
    list_exercises,
    read_cells,
)

FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet would run a cell that begins so
HONESTY = (
    "A result can be forged: the check runs in the learner's own process. It is feedback, not an "
    "exam; look into the notebook where it matters. And it is not a sandbox: check notebooks "
    "that you do not trust in a container."
)


def main(arguments: list[str] | None = None) -> int:
    """Returns 0 where every rule of every notebook holds, 1 otherwise."""
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
    exercises = list_exercises(found)
    table = csv.writer(sys.stdout, lineterminator="\n")
    if given.csv:
        table.writerow(make_header(exercises))
    checked = []
    with ThreadPoolExecutor(max_workers=given.jobs) as pool:
        for notebook in pool.map(partial(check_notebook, seconds=given.seconds), found):
            checked.append(notebook)
            if given.feedback:
                keep_feedback(notebook, given.feedback)
            if given.csv:
                table.writerow(make_row(notebook, exercises))
                print(f"{len(checked)} of {len(found)}: {notebook.path}", file=sys.stderr)
            else:
                print(notebook)
            sys.stdout.flush()
    if given.csv and len(checked) > 1:
        table.writerow(make_last_row(checked, exercises))
    return 0 if all(notebook.ok for notebook in checked) else 1


def make_parser() -> argparse.ArgumentParser:
    """What the command line takes."""
    parser = argparse.ArgumentParser(
        prog="python -m lesson.exercises",
        description="Check the exercises in saved notebooks, without Jupyter.",
        epilog=HONESTY,
    )
    add = parser.add_argument
    add("paths", nargs="+", metavar="NOTEBOOK", help="a notebook, or a folder with notebooks")
    add("--csv", action="store_true", help="a table: a row for each notebook, a column a rule")
    add("--feedback", type=Path, metavar="DIR", help="write each one's feedback to a file there")
    add("--jobs", type=int, default=1, metavar="N", help="check N notebooks at a time")
    add("--bets", type=Path, metavar="PICTURE", help="only draw the class's bets on the threshold")
    words = f"time for each exercise of a notebook (default {EXERCISE_SECONDS:g})"
    add("--seconds", type=float, default=EXERCISE_SECONDS, help=words)
    return parser


def set_encoding(is_table: bool) -> None:
    """Write UTF-8; a table with its mark, so that a spreadsheet reads it as such."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            encoding = "utf-8-sig" if is_table and stream is sys.stdout else "utf-8"
            stream.reconfigure(encoding=encoding, errors="replace")


def list_notebooks(path: Path) -> list[Path]:
    """The notebook at `path`, or all that are below it, except the copies that editors keep."""
    if not path.is_dir():
        return [path]
    return sorted(
        file
        for file in path.rglob("*.ipynb")
        if not any(part.startswith(".") for part in file.relative_to(path).parts)
    )


def keep_feedback(notebook: Notebook, folder: Path) -> None:
    """Write the feedback to a file in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    name = "-".join(part for part in Path(notebook.path).parts if part not in ("/", "..", "."))
    (folder / f"{name}.txt").write_text(str(notebook), encoding="utf-8")


def make_header(exercises: Sequence[Exercise]) -> list[str]:
    """The names of the columns."""
    names = ["notebook", "did not run"]
    for one in exercises:
        names += [one.name, f"{one.name}: rules", f"{one.name}: first miss"]
        names += [f"{one.name}: {rule.title}" for rule in one.rules]
    return names


def make_row(notebook: Notebook, exercises: Sequence[Exercise]) -> list[str]:
    """One notebook's values: for each exercise how many rules hold, then rule by rule."""
    problems = [f"{one.exercise.name}: {one.problem}" for one in notebook.checked if one.problem]
    values = [notebook.path, " ".join(filter(None, [notebook.problem, *problems]))]
    checked = {one.exercise.name: one for one in notebook.checked}
    for exercise in exercises:
        one = checked.get(exercise.name, Checked(exercise))
        number, count = "", ""
        if one.text and not one.problem:
            number = str(one.states.count(HOLDS))
            count = f"{number} of {len(exercise.rules)}" if one.begun else "not begun"
        values += [count, number, one.miss, *(one.states or [""] * len(exercise.rules))]
    return [disarm(value) for value in values]


def make_last_row(checked: Sequence[Notebook], exercises: Sequence[Exercise]) -> list[str]:
    """Below the class: for each exercise and each rule, in how many notebooks it is not done."""
    done = [one for notebook in checked for one in notebook.checked if one.begun and one.states]
    values = [f"not yet, of {len(checked)} notebooks", ""]
    for exercise in exercises:
        ours = [one for one in done if one.exercise is exercise]
        missed = [[one.states[n] for one in ours].count(MISSED) for n in range(len(exercise.rules))]
        values += [str(sum(not one.ok for one in ours)), "", "", *map(str, missed)]
    return values


def draw_class(found: Sequence[Path], picture: Path, parser: argparse.ArgumentParser) -> int:
    """Draw the bets that the notebooks hold. Returns 0, or ends the program where there is none."""
    bets = []
    for path in found:
        with suppress(OSError, ValueError):
            bets.append(read_bets(read_cells(path)))
    known = [one for one in bets if one]
    if not known:
        parser.error(f"none of {len(found)} notebooks holds a bet: was s03 saved with its outputs?")
    picture.write_text(draw_bets(known), encoding="utf-8")
    print(f"{len(known)} of {len(found)} notebooks hold a bet. {picture}: open it in a browser.")
    return 0


def disarm(value: str) -> str:
    """The value, so that no spreadsheet takes it for a formula."""
    return f"'{value}" if value.startswith(FORMULA) else value


if __name__ == "__main__":
    raise SystemExit(main())
