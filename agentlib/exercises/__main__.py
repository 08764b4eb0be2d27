"""Check saved notebooks: python -m agentlib.exercises NOTEBOOK… [--csv]"""

import argparse
import csv
import sys
from pathlib import Path
from typing import TextIO

from .checking.result import HOLDS
from .grading.notebooks import EXERCISES, SECONDS, Checked, Notebook, check_notebook

FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet would run a cell that begins so


def main(arguments: list[str] | None = None) -> int:
    """Returns 0 where every rule of every notebook holds, 1 otherwise."""
    parser = argparse.ArgumentParser(
        prog="python -m agentlib.exercises",
        description="Check the exercises in saved notebooks, without Jupyter.",
    )
    parser.add_argument(
        "paths",
        nargs="+",
        metavar="NOTEBOOK",
        help="a notebook, or a folder: then all notebooks in it",
    )
    parser.add_argument(
        "--csv", action="store_true", help="a table: one row a notebook, one column a rule"
    )
    parser.add_argument(
        "--seconds",
        type=float,
        default=SECONDS,
        help=f"time for each exercise of a notebook (default {SECONDS})",
    )
    given = parser.parse_args(arguments)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
    found = [path for given_path in given.paths for path in notebooks(Path(given_path))]
    if not found:
        parser.error("there is no notebook in " + ", ".join(given.paths))
    checked = (check_notebook(path, given.seconds) for path in found)
    done = write_table(checked, sys.stdout) if given.csv else write_text(checked, sys.stdout)
    return 0 if all(done) else 1


def notebooks(path: Path) -> list[Path]:
    """The notebook at `path`, or all that are below it, but for the copies that editors keep."""
    if not path.is_dir():
        return [path]
    return sorted(
        file
        for file in path.rglob("*.ipynb")
        if not any(part.startswith(".") for part in file.relative_to(path).parts)
    )


def write_text(checked, file: TextIO) -> list[bool]:
    """Write the feedback of each notebook. Returns which are all right."""
    done = []
    for notebook in checked:
        print(notebook, file=file, flush=True)
        done.append(notebook.ok)
    return done


def write_table(checked, file: TextIO) -> list[bool]:
    """Write one row for each notebook as CSV. Returns which are all right."""
    table = csv.writer(file, lineterminator="\n")
    header = ["notebook", "did not run"]
    for exercise in EXERCISES:
        header += [exercise.name, *(f"{exercise.name}: {rule.name}" for rule in exercise.rules)]
    table.writerow(header)
    done = []
    for notebook in checked:
        table.writerow([harmless(value) for value in row(notebook)])
        file.flush()
        done.append(notebook.ok)
    return done


def row(notebook: Notebook) -> list[str]:
    """One notebook's values: for each exercise how many rules hold, then rule by rule."""
    problems = [notebook.problem] + [
        f"{one.exercise.name}: {one.problem}" for one in notebook.checked if one.problem
    ]
    values = [notebook.path, " ".join(filter(None, problems))]
    checked = {one.exercise.name: one for one in notebook.checked}
    for exercise in EXERCISES:
        one = checked.get(exercise.name, Checked(exercise))
        states = one.states or ("",) * len(exercise.rules)
        ran = one.text and not one.problem
        count = f"{states.count(HOLDS)} of {len(exercise.rules)}" if ran else ""
        count = count if one.begun else "not begun"
        values += [count, *states]
    return values


def harmless(value: str) -> str:
    """The value, so that no spreadsheet takes it for a formula."""
    return f"'{value}" if value.startswith(FORMULA) else value


if __name__ == "__main__":
    raise SystemExit(main())
