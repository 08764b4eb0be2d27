"""What runs in the process of a saved notebook, next to the learner's cells."""

import json
import os
import sys
import traceback
from contextlib import suppress
from dataclasses import asdict
from typing import Any

from IPython.core.interactiveshell import InteractiveShell

from ..catalogue import EXERCISES

MEMORY_BYTES = 3 * 2**30
FILE_BYTES = 16 * 2**20
# What cells of the notebooks import that are not run here.
IMPORTS = "import time\nfrom itertools import islice\nfrom agentlib import *\nfrom lesson import *"


def serve() -> None:
    """Answer the grader's requests: each is a line of JSON, with a cell or an exercise's name."""
    requests, answers = os.fdopen(os.dup(0), encoding="utf-8"), os.fdopen(os.dup(1), "w")
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):  # from now on, cells read and print nothing
        os.dup2(nothing, stream)
    limit_resources()
    shell = InteractiveShell.instance(user_module=sys.modules["__main__"])
    shell.ast_node_interactivity = "none"
    shell.run_cell(IMPORTS)
    for line in requests:
        request = json.loads(line)
        if "cell" in request:
            answer = {"problem": run_cell(shell, request["cell"])}
        else:
            answer = check_exercise(request["exercise"])
        print(json.dumps(answer), file=answers, flush=True)


def limit_resources() -> None:
    """Limit memory and the size of files. Not every system has these limits."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_BYTES, FILE_BYTES))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))


def run_cell(shell: InteractiveShell, source: str) -> str:
    """Run a cell. Return what it raised, as a sentence with the learner's line; "" if nothing."""
    result = shell.run_cell(source, store_history=True)
    error = result.error_before_exec or result.error_in_exec
    if error is None:
        return ""
    number, text, words = 0, "", str(error)
    if isinstance(error, SyntaxError):
        number, text, words = error.lineno or 0, error.text or "", error.msg
    else:
        for place in reversed(traceback.extract_tb(error.__traceback__)):
            if place.filename.startswith("<ipython-input"):  # the outermost one is the cell's
                number, text = place.lineno or 0, place.line or ""
    said = f"{type(error).__name__}: {words}".removesuffix(": ")[:400]
    line = f" in line {number}: {text.strip()}" if number else ""
    only = " Only the cells of the exercises are run here." * isinstance(error, NameError)
    return f"The cell stopped with {said}{line}.{only}"


def check_exercise(name: str) -> dict[str, Any]:
    """Return an Answer about an exercise, for the names that the notebook's cells have defined."""
    exercise = next(one for one in EXERCISES if one.name == name)
    names = vars(sys.modules["__main__"])
    if exercise.subject not in names:
        return {"problem": f"Its cell does not define {exercise.subject}."}
    result = exercise.check(*(names.get(want) for want in exercise.subjects))
    sent = ("states", "note", "aside", "begun")
    answer = {name: getattr(result, name) for name in sent}
    return answer | {"miss": asdict(result.miss) if result.miss else None}
