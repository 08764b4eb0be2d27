"""Say where a learner's code has failed: the last line of their own, and not one of a library."""

from pathlib import Path

from safetylib import escape

from ..common.learners_code import OutOfTimeError, find_last_line
from ..real_model.server_errors import is_too_long, server_message
from ..samples.at_the_stop import AskedInVainError
from .room import NoRoomError

LINE_CHARACTERS = 80  # of the learner's line
TOO_LONG = (
    "The conversation has grown longer than the model can read, so the request was rejected with "
    "the error {}: {}"
)


def describe_problem(problem: BaseException) -> str:
    """Return an exception as sentences, with its notes, and the learner's line if theirs ran."""
    said = f"{type(problem).__name__}: {problem}".removesuffix(": ")
    said = "\n".join([said, *getattr(problem, "__notes__", ())])
    if isinstance(problem, OutOfTimeError):
        said = f"It does not end: {problem}"
    if isinstance(problem, AskedInVainError | NoRoomError):
        return str(problem)
    if is_too_long(problem):
        return TOO_LONG.format(problem.status_code, server_message(problem.response))
    last = find_last_line(problem)
    if last is None:
        return said
    name = Path(last.filename).name
    place = name if name.endswith(".py") and not is_cell(last.filename) else "its cell"
    text = escape.shorten(last.line or "", LINE_CHARACTERS)
    return f"{said}\nin line {last.lineno} of {place}" + (f": {text}" if text else "")


def is_cell(file: str) -> bool:
    """Return whether a file name is that of a notebook's cell."""
    return file.startswith("<") or "ipykernel_" in file
