"""Find the `.git` that no agent may change.

`git status`, which prompts and editors run automatically, starts programs that a repository's
configuration names (core.fsmonitor, hooks): writing to `.git` is running code on this machine.
"""

import os
import re
import unicodedata
from pathlib import Path

MAX_LINK_CHARS = 5000  # of a `.git` that is a file: it contains one path


def is_git(name: str) -> bool:
    """Return whether `name` is `.git`, or a spelling that Windows or macOS treat as `.git`."""
    if not name.isascii():
        name = "".join(sign for sign in name if unicodedata.category(sign) != "Cf")
    folded = name.casefold().rstrip(". ")
    return folded == ".git" or re.fullmatch(r"git~\d+", folded) is not None


def find(root: Path) -> list[Path]:
    """Return the `.git` at `root`, or an empty list: commands get it read-only.

    Raises ValueError if it is a symlink or names another folder of the workspace, because a
    command could replace that folder.
    """
    git = root / ".git"
    if not os.path.lexists(git):
        return []
    is_elsewhere = git.is_symlink()
    if git.is_file():  # a worktree or a submodule: "gitdir: PATH"
        with git.open(encoding="utf-8", errors="replace") as file:
            word, _, target = file.read(MAX_LINK_CHARS).partition(":")
        data = Path(os.path.realpath(root / target.strip()))
        is_elsewhere |= word.strip() == "gitdir" and data.is_relative_to(root)
    if is_elsewhere:
        raise ValueError(
            ".git in the workspace is a symlink, or names another folder of the workspace, so "
            "a command could replace it: work in a copy (git clone)."
        )
    return [git]
