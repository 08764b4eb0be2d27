"""What runs in the process of one exercise: the learner's cells, then the check."""

import json
import linecache
import sys
import time
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
    problems = [said for number, source in enumerate(task["cells"], 1)
                if (said := run_cell(source, f"cell {number}", names))]
    missing = [name for name in task["wants"] if name not in names]
    if missing:
        states, begun, text = [], True, f"Its cell does not define {missing[0]}."
    else:
        wanted = [names[name] for name in task["wants"]]
        result = getattr(exercises, task["check"])(*wanted, every=True)
        states, begun, text = result.states, result.begun, str(result)
    answer = {"states": list(states), "begun": begun, "text": "\n".join([*problems, text])}
    with open(task["answer"], "w", encoding="utf-8") as file:
        json.dump(answer, file)
    return 0


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
    return f"The cell stopped with {shown(Raised(problem))}" + (f" in {at}" if at else "")


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
