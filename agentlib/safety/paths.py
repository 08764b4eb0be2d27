"""Check the path that a model gives, and resolve it to a file inside the workspace."""

import os
import sys
from pathlib import Path

MAX_PATH_CHARS = 4096  # the limit of Linux; checking more could take minutes


def readable(root: Path, path: str) -> Path:
    """Return the file that `path` names, after resolving `..` and symlinks.

    Raises ValueError if it leads outside of `root` (path traversal) or cannot name a file.
    """
    if not isinstance(path, str):
        raise ValueError("is not a path: a path is a string.")
    if not path.strip():
        raise ValueError("is not a path: it is empty. Give one inside the workspace.")
    if len(path) > MAX_PATH_CHARS:
        raise ValueError("cannot exist: the name is too long.")
    if path == "~" or path.startswith("~/"):  # "~backup.txt" is an ordinary name
        raise ValueError("escapes the workspace: ~ means a home folder.")
    full = os.path.realpath(os.path.join(root, path))
    if os.path.commonpath([root, full]) != str(root):
        raise ValueError("escapes the workspace: give a path inside it, such as notes.txt.")
    if path.endswith("/"):
        raise ValueError("is a folder, not a file: name the file in it.")
    return Path(full)


def writable(root: Path, path: str) -> Path:
    """Return the same as `readable`, for a file to write. Raises ValueError for any `.git` part.

    `git status`, which prompts and editors run automatically, starts programs that a repository's
    configuration names (core.fsmonitor, hooks): writing to `.git` is running code on this machine.
    """
    file = readable(root, path)
    if any(is_git(name) for name in (*file.parts, *Path(path).parts)):
        raise ValueError("belongs to git, which runs programs named there: it is read-only.")
    return file


def is_git(name: str) -> bool:
    """Return whether `name` is `.git`, or a spelling that Windows or macOS treat as `.git`.

    macOS ignores invisible characters. On Windows, `.git::$INDEX_ALLOCATION` and the short name
    `GIT~1` are also names of the folder. (git checks the same spellings.)
    """
    visible = "".join(filter(str.isprintable, name))
    return visible.partition(":")[0].casefold().rstrip(". ") in (".git", "git~1")


def find_git(root: Path) -> list[Path]:
    """Return the `.git` at `root`, or an empty list: commands get it read-only.

    Raises ValueError if it cannot be protected: it is a symlink, whose target could be replaced, or
    the disk ignores case, as folders of Windows and macOS do that Linux has mounted. Bubblewrap
    protects one spelling of a name, so a command could write to `.GIT`.
    """
    git = root / ".git"
    if git.is_symlink():
        raise ValueError("The workspace's .git is a symlink: work in a copy (git clone).")
    # Windows and macOS themselves have no bubblewrap, so there a command can write to any name.
    if sys.platform == "linux" and git.exists() and (root / ".GIT").exists():
        raise ValueError(
            "The workspace's disk ignores case, so its .git cannot be protected from commands: "
            "work in a copy on another disk, or in a folder without .git."
        )
    return [git] if git.exists() else []
