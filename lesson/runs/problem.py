"""Say where a learner's code has failed: the last line of their own, and not one of a library."""

import linecache
import sysconfig
from pathlib import Path
from textwrap import shorten
from traceback import walk_tb
from types import CodeType

from ..learners_code import OutOfTimeError

LINE_CHARACTERS = 80  # of the learner's line
PACKAGES = Path(__file__).parents[2]
OTHERS = (
    *(sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")),
    *(str(PACKAGES / name) for name in ("agentlib", "lesson")),
    "<frozen",
)


def is_learners(code: CodeType) -> bool:
    """Return whether code is in a cell or in a file of the learner."""
    return not code.co_filename.startswith(OTHERS)


def describe_problem(problem: BaseException) -> str:
    """Return an exception as a sentence that names the learner's line, if one of theirs ran."""
    said = f"{type(problem).__name__}: {problem}".removesuffix(": ")
    if isinstance(problem, OutOfTimeError):
        said = f"It does not end: {problem}"
    frames = [(f.f_code, line) for f, line in walk_tb(problem.__traceback__)]
    own = [(code.co_filename, line) for code, line in frames if is_learners(code)]
    if not own:
        return said
    file, line = own[-1]
    name = Path(file).name
    place = name if name.endswith(".py") and not is_cell(file) else "its cell"
    text = shorten(linecache.getline(file, line), LINE_CHARACTERS, placeholder=" …")
    return f"{said}\nin line {line} of {place}" + (f": {text}" if text else "")


def is_cell(file: str) -> bool:
    """Return whether a file name is that of a notebook's cell."""
    return file.startswith("<") or "ipykernel_" in file
