"""What runs in the process of one exercise: the learner's cells, then the check."""

import json
import linecache
import re
import sys
import time
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from typing import Any

from .. import Call, Nag, TodoManager, exercises
from .attempt import OutOfTime, attempt
from .rules import Raised, own_line, shown

MEMORY = 2 * 2**30  # bytes
FILE = 16 * 2**20  # bytes
CELL = 10  # seconds


def main() -> int:
    """Read the task from stdin, run it, and write the answer to the file that it names."""
    task = json.load(sys.stdin)
    limit()
    names = {"__name__": "__main__", "display": print, "time": time, "Call": Call, "Nag": Nag,
             "TodoManager": TodoManager, "Clock": exercises.Clock, "WORK": exercises.WORK,
             "PLANNING": exercises.PLANNING}
    said = [f"The cell of {task['wants'][-1]} stopped (see above)."] * bool(
        run_cells(task["before"], "before", names))
    given = set(names)
    said += run_cells(task["cells"], "cell", names)
    wanted = [names.get(name) for name in task["wants"]]
    answer = {"states": [], "begun": True, "problem": ""}
    if task["wants"][0] in names:
        result = getattr(exercises, task["check"])(*wanted, every=True)
        answer |= {"states": list(result.states), "begun": result.begun}
        said += [str(result)]
    else:
        said += [f"Its cell does not define {task['wants'][0]}." + instead(names, given)]
        answer["problem"] = " ".join(said)
    answer["text"] = "\n".join(said)
    with open(task["answer"], "w", encoding="utf-8") as file:
        json.dump(answer, file)
    return 0


def run_cells(sources: Iterable[str], name: str, names: dict[str, Any]) -> list[str]:
    """Run these cells. Returns what there is to say of those that raised."""
    return [said for number, source in enumerate(sources, 1)
            if (said := run_cell(source, f"{name} {number}", names))]


def instead(names: Mapping[str, Any], given: Collection[str]) -> str:
    """Which class is there under another name, as a sentence; "" if there is none."""
    own = [name for name, thing in names.items() if isinstance(thing, type)
           and name not in given and thing.__module__ == "__main__"]
    return f" It defines {own[-1]}." if own else ""


def run_cell(source: str, name: str, names: dict[str, Any]) -> str:
    """Run one cell with `names` in sight. Returns a sentence where it raised."""
    source = plain(source)
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    outcome = attempt(lambda: exec(compile(source, name, "exec"), names), CELL)
    problem = outcome.problem
    if problem is None:
        return ""
    if isinstance(problem, OutOfTime):
        return f"The cell was still running after {CELL} seconds: does a loop in it never end?"
    at = own_line(problem)
    if isinstance(problem, SyntaxError):
        at = f"line {problem.lineno}: {(problem.text or '').strip()}"
    quotes = re.search(r"\border *= *[A-Ha-h ,]+$", at)
    return (f"The cell stopped with {shown(Raised(problem))}" + (f" in {at}" if at else "") + "."
            + ' Put the letters between quotes: order = "B A D".' * bool(quotes))


def plain(source: str) -> str:
    """The cell without what only IPython understands: lines such as `%time`, `!ls`, `Nag?`."""
    with suppress(SyntaxError, ValueError):
        compile(source, "cell", "exec")
        return source
    return "\n".join(
        "" if line.lstrip().startswith(("%", "!", "?")) or line.rstrip().endswith("?") else line
        for line in source.splitlines())


def limit() -> None:
    """Bound memory and files, where the system can."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (FILE, FILE))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


if __name__ == "__main__":
    raise SystemExit(main())
