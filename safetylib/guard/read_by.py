"""Read a file with a learner's `read_file`, if the package's own `read_file` accepts the file."""

from collections.abc import Callable
from pathlib import Path
from stat import S_ISDIR, S_ISREG

from . import escape, files, paths, seen_files

MAX_ERROR_CHARS = 200  # that are shown: a learner's code may have read a file that we refuse


def read_by(function: Callable[[Path, str], str], folder: Path, path: str) -> str:
    """Return what a learner's `read_file` returns for a path that the package's can read.

    For another path, raise ValueError with the beginning of the learner's own error. If theirs
    raises none, raise the package's ValueError or OSError. Each has a message for the model.
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
    seen_files.note(file)
    return text


@files.explain_errors
def find_text(folder: Path, path: str) -> Path:
    """Return the file of a path. Raise ValueError or OSError if it cannot be read."""
    file = paths.find_file(folder, path)
    files.read(file)
    return file


def can_be_tried(folder: Path, path: str) -> bool:
    """Return whether a function that reads this path ends. A read of a pipe or device may not."""
    try:
        status = (folder / path).stat()
    except (OSError, TypeError, ValueError):  # nothing is there
        return True
    is_small = S_ISREG(status.st_mode) and status.st_size <= files.MAX_READ_BYTES
    return is_small or S_ISDIR(status.st_mode)


def raise_own_error(function: Callable[[Path, str], str], folder: Path, path: str) -> None:
    """Call a learner's `read_file`, and raise ValueError with the beginning of its error."""
    try:
        function(folder, path)
    except Exception as problem:
        # An error of the system has a path of this machine, so it is not shown to the model.
        if getattr(problem, "errno", None) is None:
            words = escape.shorten(str(problem) or type(problem).__name__, MAX_ERROR_CHARS)
            raise ValueError(words) from None
