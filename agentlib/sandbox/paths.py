"""Check the path that a model gives, and resolve it to a file inside the workspace."""

import errno
import os
from pathlib import Path

from .repositories import is_git

MAX_PATH_BYTES = 1024  # the limit of macOS; Linux allows 4096


def inside(root: Path, path: object) -> tuple[str, ...]:
    """Return the parts of `path` below `root`, after resolving `..` and symlinks.

    Raises ValueError if it leads outside of `root` (path traversal) or cannot name a file.
    """
    text = path_text(path)
    full = Path(os.path.realpath(root / text))
    if not full.is_relative_to(root):
        raise ValueError("escapes the workspace: give a path inside it, such as notes.txt.")
    if text.endswith("/"):
        raise ValueError("is a folder, not a file: name the file in it.")
    return full.relative_to(root).parts


def writable(root: Path, path: object) -> tuple[str, ...]:
    """Return the same as `inside`, for a file to write. Raises ValueError for any `.git` part."""
    parts = inside(root, path)
    if any(map(is_git, (*parts, *Path(str(path)).parts))):
        raise ValueError("belongs to git, which runs programs named there: it is read-only.")
    return parts


def path_text(path: object) -> str:
    """Return `path` if it is a possible path of a file. Raises ValueError or OSError if not."""
    if not isinstance(path, str):
        raise ValueError("is not a path: a path is a string.")
    if not path.strip():
        raise ValueError("is not a path: it is empty. Give one inside the workspace.")
    if "\0" in path:
        raise ValueError("is not a path: it contains a NUL character.")
    if path == "~" or path.startswith("~/"):  # "~backup.txt" is an ordinary name
        raise ValueError("escapes the workspace: ~ means a home folder.")
    try:
        if len(os.fsencode(path)) > MAX_PATH_BYTES:
            raise OSError(errno.ENAMETOOLONG, "longer than systems allow")
    except UnicodeEncodeError:
        raise OSError(errno.EILSEQ, "a lone surrogate") from None
    return path
