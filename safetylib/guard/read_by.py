"""Read a file with a learner's `read_file`, after the package's, whose refusals stand."""

from collections.abc import Callable
from pathlib import Path
from stat import S_ISDIR, S_ISREG

from . import escape, files, known, paths

MAX_WORDS = 200  # characters of a learner's error, which may have read what ours refuses


def read_by(function: Callable[[Path, str], str], folder: Path, path: str) -> str:
    """Return what a learner's `read_file` returns for a path, if ours can read this file.

    If not, raise a ValueError with the beginning of the learner's own error, and without one, the
    ValueError or OSError of ours. Each has a message for the model.
    """
    try:
        file = find_text(folder, path)
    except (OSError, ValueError):
        if can_be_tried(folder, path):
            raise_own_error(function, folder, path)
        raise
    text = function(folder, path)
    if not isinstance(text, str):
        raise TypeError(f"read_file returned {type(text).__name__}, and no string")
    known.note(file)
    return text


@files.explain_errors
def find_text(folder: Path, path: str) -> Path:
    """Return the file of a path, if it can be read."""
    file = paths.find_file(folder, path)
    files.read(file)
    return file


def can_be_tried(folder: Path, path: str) -> bool:
    """Return whether a function that reads this path ends: a pipe or a device may never end."""
    try:
        status = (folder / path).stat()
    except (OSError, TypeError, ValueError):  # nothing is there
        return True
    is_small = S_ISREG(status.st_mode) and status.st_size <= files.MAX_READ_BYTES
    return is_small or S_ISDIR(status.st_mode)


def raise_own_error(function: Callable[[Path, str], str], folder: Path, path: str) -> None:
    """Call a learner's `read_file`, and raise the beginning of what it says against a path."""
    try:
        function(folder, path)
    except Exception as problem:
        if getattr(problem, "errno", None) is None:  # the system's has a path of this machine
            words = escape.shorten(str(problem) or type(problem).__name__, MAX_WORDS)
            raise ValueError(words) from None
