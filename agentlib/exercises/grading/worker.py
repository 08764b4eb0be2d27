"""What runs in the process of one exercise: the learner's cells, then the check."""

import ast
import asyncio
import importlib
import inspect
import json
import linecache
import re
import sys
import time
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from itertools import islice
from typing import Any

from ... import Call, Nag, TodoManager, exercises
from ..checking.expected import Raised, show
from ..checking.rule import find_own_line
from ..checking.timeout import OutOfTimeError, attempt

MEMORY = 2 * 2**30  # bytes
FILE = 16 * 2**20  # bytes
CELL = 10  # seconds
SETUP = {"Trial": "agentlib.runs.trial", "Board": "agentlib.widgets", "Player": "agentlib.widgets"}
AWAITS = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT


def main() -> int:
    """Read the task from stdin, run it, and write the answer to the file that it names."""
    task = json.load(sys.stdin)
    limit()
    names = set_up("\n".join(task["before"] + task["cells"]))
    stopped = run_cells(task["before"], "before", names)
    said = [f"The cell of {name} stopped (see above)." for name in task["wants"][1:] if stopped]
    given = set(names)
    said += run_cells(task["cells"], "cell", names)
    wanted = [names.get(name) for name in task["wants"]]
    answer = {"states": [], "begun": True, "problem": ""}
    if task["wants"][0] in names:
        result = getattr(exercises, task["check"])(*wanted)
        answer |= {"states": list(result.states), "begun": result.begun}
        said += [str(result)]
    else:
        said += [f"Its cell does not define {task['wants'][0]}." + instead(names, given)]
        answer["problem"] = " ".join(said)
    answer["text"] = "\n".join(said)
    with open(task["answer"], "w", encoding="utf-8") as file:
        json.dump(answer, file)
    return 0


def set_up(source: str) -> dict[str, Any]:
    """The names that the notebook's first cell brings, and a few more.

    What is slow to import only where the `source` of the cells to run speaks of it.
    """
    names = {
        "__name__": "__main__",
        "display": print,
        "time": time,
        "islice": islice,
        "Call": Call,
        "Nag": Nag,
        "TodoManager": TodoManager,
    }
    names |= {name: getattr(exercises, name) for name in exercises.__all__}
    for name, module in SETUP.items():
        if name in source:
            with suppress(ImportError):
                names[name] = getattr(importlib.import_module(module), name)
    return names


def run_cells(sources: Iterable[str], name: str, names: dict[str, Any]) -> list[str]:
    """Run these cells. Returns what there is to say of those that raised."""
    return [
        said
        for number, source in enumerate(sources, 1)
        if (said := run_cell(source, f"{name} {number}", names))
    ]


def instead(names: Mapping[str, Any], given: Collection[str]) -> str:
    """Which class is there under another name, as a sentence; "" if there is none."""
    own = [
        name
        for name, thing in names.items()
        if isinstance(thing, type) and name not in given and thing.__module__ == "__main__"
    ]
    return f" It defines {own[-1]}." if own else ""


def run_cell(source: str, name: str, names: dict[str, Any]) -> str:
    """Run one cell with `names` in sight. Returns a sentence where it raised."""
    source = plain(source)
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    outcome = attempt(lambda: execute(source, name, names), CELL)
    problem = outcome.problem
    if problem is None:
        return ""
    if isinstance(problem, OutOfTimeError):
        return f"The cell was still running after {CELL} seconds: does a loop in it never end?"
    at = find_own_line(problem)
    if isinstance(problem, SyntaxError):
        text = problem.text or linecache.getline(name, problem.lineno or 0)
        at = f"line {problem.lineno}: {text.strip()}" if problem.lineno else ""
    quotes = re.search(r"\border *= *[A-Ha-h ,]+$", at)
    return (
        f"The cell stopped with {show(Raised(problem))}"
        + (f" in {at}" if at else "")
        + "."
        + (
            ' Put the letters between quotes: order = "B A D".'
            if quotes
            else " Only the cells of the exercises are run here." * (type(problem) is NameError)
        )
    )


def execute(source: str, name: str, names: dict[str, Any]) -> None:
    """Run the code, in which `await` may stand outside a function, as it may in a notebook."""
    waiting = eval(compile(source, name, "exec", AWAITS), names)
    if inspect.iscoroutine(waiting):
        asyncio.run(waiting)


def plain(source: str) -> str:
    """The cell without what only IPython understands: `%time`, `!ls`, `Nag?`, `files = !ls`."""
    with suppress(SyntaxError, ValueError):
        compile(source, "cell", "exec", AWAITS)
        return source
    source = re.sub(r"(?m)^([\w, \t]+=[ \t]*)[%!].*$", r"\1[]", source)
    return re.sub(r"(?m)^([ \t]*)([%!?].*|[\w.]+\?{1,2}[ \t]*)$", r"\1pass", source)


def limit() -> None:
    """Bound memory and files, where the system can."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (FILE, FILE))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


if __name__ == "__main__":
    raise SystemExit(main())
