"""Check saved notebooks: python -m agentlib.exercises NOTEBOOK… [--csv]"""

import argparse
import csv
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TextIO

from .catalogue import Exercise
from .checking.result import HOLDS
from .grading.notebooks import EXERCISE_SECONDS, Checked, Notebook, check_notebook, list_exercises

FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet would run a cell that begins so
HONESTY = (
    "A result can be forged: the check runs in the learner's own process. It is feedback, not an "
    "exam; look into the notebook where it matters. And it is no sandbox: check notebooks that "
    "you do not trust in a container."
)


def main(arguments: list[str] | None = None) -> int:
    """Returns 0 where every rule of every notebook holds, 1 otherwise."""
    parser = make_parser()
    given = parser.parse_args(arguments)
    if find_spec("nbclient") is None:
        parser.error("this needs nbclient, which comes with JupyterLab: install that first")
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # With its mark, a spreadsheet reads a table as UTF-8.
            encoding = "utf-8-sig" if given.csv and stream is sys.stdout else "utf-8"
            stream.reconfigure(encoding=encoding, errors="replace")
    found = [path for given_path in given.paths for path in list_notebooks(Path(given_path))]
    if not found:
        parser.error("there is no notebook in " + ", ".join(given.paths))
    with ThreadPoolExecutor(max_workers=given.jobs) as pool:
        checked = pool.map(partial(check_notebook, seconds=given.seconds), found)
        if given.feedback:
            checked = keep_feedback(checked, given.feedback)
        if given.csv:
            done = write_table(checked, list_exercises(found), sys.stdout)
        else:
            done = write_text(checked, sys.stdout)
    return 0 if all(done) else 1


def make_parser() -> argparse.ArgumentParser:
    """What the command line takes."""
    parser = argparse.ArgumentParser(
        prog="python -m agentlib.exercises",
        description="Check the exercises in saved notebooks, without Jupyter.",
        epilog=HONESTY,
    )
    parser.add_argument(
        "paths", nargs="+", metavar="NOTEBOOK", help="a notebook, or a folder: all notebooks in it"
    )
    parser.add_argument(
        "--csv", action="store_true", help="a table: one row a notebook, one column a rule"
    )
    parser.add_argument(
        "--feedback",
        type=Path,
        metavar="DIR",
        help="write each notebook's feedback to a file there",
    )
    parser.add_argument(
        "--jobs", type=int, default=1, metavar="N", help="check so many notebooks at a time"
    )
    parser.add_argument(
        "--seconds",
        type=float,
        default=EXERCISE_SECONDS,
        help=f"time for each exercise of a notebook (default {EXERCISE_SECONDS:g})",
    )
    return parser


def list_notebooks(path: Path) -> list[Path]:
    """The notebook at `path`, or all that are below it, except the copies that editors keep."""
    if not path.is_dir():
        return [path]
    return sorted(
        file
        for file in path.rglob("*.ipynb")
        if not any(part.startswith(".") for part in file.relative_to(path).parts)
    )


def keep_feedback(checked: Iterable[Notebook], folder: Path) -> Iterator[Notebook]:
    """Pass the notebooks on, and write each one's feedback to a file in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    for notebook in checked:
        name = "-".join(part for part in Path(notebook.path).parts if part not in ("/", "..", "."))
        (folder / f"{name}.txt").write_text(str(notebook), encoding="utf-8")
        yield notebook


def write_text(checked: Iterable[Notebook], file: TextIO) -> list[bool]:
    """Write the feedback of each notebook. Returns which are all right."""
    done = []
    for notebook in checked:
        print(notebook, file=file, flush=True)
        done.append(notebook.ok)
    return done


def write_table(
    checked: Iterable[Notebook], exercises: Sequence[Exercise], file: TextIO
) -> list[bool]:
    """Write one row for each notebook as CSV. Returns which are all right."""
    table = csv.writer(file, lineterminator="\n")
    table.writerow(["notebook", "did not run", *(n for one in exercises for n in make_header(one))])
    done = []
    for notebook in checked:
        table.writerow([disarm(value) for value in make_row(notebook, exercises)])
        file.flush()
        done.append(notebook.ok)
    return done


def make_header(exercise: Exercise) -> list[str]:
    """The columns of an exercise."""
    rules = [f"{exercise.name}: {rule.title}" for rule in exercise.rules]
    return [exercise.name, f"{exercise.name}: rules", f"{exercise.name}: first miss", *rules]


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
    return values


def disarm(value: str) -> str:
    """The value, so that no spreadsheet takes it for a formula."""
    return f"'{value}" if value.startswith(FORMULA) else value


if __name__ == "__main__":
    raise SystemExit(main())
