"""The path that a model gives, checked, and followed to where it really leads."""

import errno
import os
from pathlib import Path

from .repositories import is_git

LONGEST_PATH = 1024  # bytes; what macOS allows, and Linux four times


def inside(root: Path, path: object) -> tuple[str, ...]:
    """The parts of `path` below `root`, after `..` and links are followed.

    Raises ValueError where it leads outside, or where it cannot be the path of a file.
    """
    text = path_text(path)
    full = Path(os.path.realpath(root / text))
    if not full.is_relative_to(root):
        raise ValueError("escapes the workspace: give a path inside it, such as notes.txt.")
    if text.endswith("/"):
        raise ValueError("is a folder, not a file: name the file in it.")
    return full.relative_to(root).parts


def writable(root: Path, path: object) -> tuple[str, ...]:
    """Like `inside`, for a file that is to be changed. Raises ValueError also for a part of git."""
    parts = inside(root, path)
    if any(map(is_git, (*parts, *Path(str(path)).parts))):
        raise ValueError("belongs to git, which runs what it finds there: it is read-only.")
    return parts


def path_text(path: object) -> str:
    """Return `path` if it can be the path of a file; raise ValueError or OSError if not."""
    if not isinstance(path, str):
        raise ValueError("is not a path: a path is a string.")
    if not path.strip():
        raise ValueError("is not a path: it is empty. Give one inside the workspace.")
    if "\0" in path:
        raise ValueError("is not a path: it holds a NUL character.")
    if path.startswith("~"):
        raise ValueError("escapes the workspace: ~ means a home folder.")
    try:
        if len(os.fsencode(path)) > LONGEST_PATH:
            raise OSError(errno.ENAMETOOLONG, "longer than systems allow")
    except UnicodeEncodeError:
        raise OSError(errno.EILSEQ, "a lone surrogate") from None
    return path
