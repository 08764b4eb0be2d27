"""Read a file with a learner's `read_file`, if the package's own `read_file` accepts the path."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from . import escape, files, paths, seen_files

MAX_ERROR_CHARS = 200  # that are shown: a learner's code may have read another file
NOT_A_FILE = (FileNotFoundError, NotADirectoryError, IsADirectoryError)  # inside, and no file


def read_by(function: Callable[[Path, str], str], folder: Path, path: str) -> str:
    """Return what a learner's `read_file` returns for a path that the package's can read.

    For a folder, or a path to nothing, raise ValueError with the beginning of the learner's own
    error. If theirs raises none, and for any other path, of which theirs never hears, raise the
    package's ValueError or OSError. Each has a message for the model.
    """
    try:
        file = find_text(folder, path)
    except NOT_A_FILE as problem:
        call_theirs(function, folder, path, problem)
        raise
    text = call_theirs(function, folder, path)
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


def call_theirs(
    function: Callable[[Path, str], str], folder: Path, path: str, ours: OSError | None = None
) -> Any:
    """Return what a learner's `read_file` returns. Its error shows no path of this machine.

    An error of the system has one, so `ours` is raised in its place, or one in the package's words.
    Raise ValueError with the beginning of any other error.
    """
    try:
        return function(folder, path)
    except Exception as problem:
        if isinstance(problem, OSError) and problem.errno is not None:
            raise ours or files.explain_error(path, problem) from None
        words = escape.words_of(problem)
        for place in {str(folder), str(folder.resolve())}:
            words = words.replace(f"{place}/", "").replace(place, ".")
        raise ValueError(escape.shorten(words, MAX_ERROR_CHARS)) from None
