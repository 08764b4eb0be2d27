"""Check a path that a model wrote, and resolve it to a file inside the workspace."""

import errno
import os
from contextlib import suppress
from pathlib import Path

from .escape import compose

MAX_PATH_CHARS = 4096  # the limit of Linux; checking more could take minutes
FileNumber = tuple[int, int]  # a disk, and a file's number there, which all its names share
# The files into which runs are being saved: `run_file` adds them. No model may change the record of
# its own run.
written: set[FileNumber] = set()


def find_file(root: Path, path: str) -> Path:
    """Return the file that `path` names, after resolving `..` and symlinks.

    Raise IsADirectoryError if it ends with a slash. Raise ValueError if it leads outside of `root`
    (path traversal), cannot name a file, is the file
    of a run that is being saved, or has a part `.git`. `git status`, which prompts and editors run
    automatically, starts programs that a repository's configuration names (core.fsmonitor, hooks).
    So a model that writes to `.git` runs code on this machine. A model that reads there would send
    the provider what it reads, such as an address with a password.
    """
    if not isinstance(path, str):
        raise ValueError("is not a path: a path is a string.")
    if not path.strip():
        raise ValueError("is not a path: it is empty. Give one inside the workspace.")
    if len(path) > MAX_PATH_CHARS:
        raise ValueError("cannot exist: the name is too long.")
    if path == "~" or path.startswith("~/"):  # "~backup.txt" is an ordinary name
        raise ValueError("escapes the workspace: ~ means a home folder.")
    full = resolve(root, os.path.join(root, path))
    if not os.path.lexists(full):
        full = resolve(root, find_same(full))
    # Some disks ignore case: there, .GIT is the same folder.
    if any(name.casefold() == ".git" for name in (*Path(full).parts, *Path(path).parts)):
        raise ValueError("belongs to git, which runs programs named there: use a git command.")
    if is_written(full):
        raise ValueError("is the file into which this run is saved.")
    if path.endswith("/"):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    return Path(full)


def number_of(status: os.stat_result) -> FileNumber:
    """Return the number of a file, which is the same under each of its names."""
    return status.st_dev, status.st_ino


def is_written(file: str | Path) -> bool:
    """Return whether a run is being saved into a file."""
    with suppress(OSError):
        return bool(written) and number_of(os.stat(file)) in written
    return False


def resolve(root: Path, path: str) -> str:
    """Return the real path. Raise ValueError if it leads outside of `root`."""
    full = os.path.realpath(path)
    if os.path.commonpath([root, full]) != str(root):
        raise ValueError("escapes the workspace: give a path inside it, such as notes.txt.")
    return full


def find_same(path: str) -> str:
    """Return the path of the file whose names have the same letters, or `path` if there is none.

    A model sees no difference between the normal forms of Unicode, and may send the other one.
    """
    folder, *names = Path(path).parts
    for name in names:
        if not os.path.lexists(os.path.join(folder, name)):
            with suppress(OSError):  # `folder` does not exist, or is not a folder
                entries = os.listdir(folder)
                name = next((entry for entry in entries if compose(entry) == compose(name)), name)
        folder = os.path.join(folder, name)
    return folder


def find_git(root: Path) -> list[Path]:
    """Return the `.git` at `root`, or an empty list: commands get it read-only.

    Raise ValueError if it cannot be protected: it is a symlink, whose target could be replaced.
    """
    git = root / ".git"
    if git.is_symlink():
        raise ValueError("The workspace's .git is a symlink: work in a copy (git clone).")
    return [git] if git.exists() else []
