"""The parts of a folder that belong to git, and that no agent may change.

`git status`, which prompts and editors call on their own, runs programs that a repository's
configuration names (core.fsmonitor, hooks): whoever writes `.git` runs code on this machine.
"""

import os
import re
import unicodedata
from pathlib import Path

MAX_FOLDERS = 10_000  # looked at for repositories inside the workspace
MAX_LINK_CHARS = 5000  # of a .git that is a file: it holds one path


def is_git(name: str) -> bool:
    """Whether `name` is `.git`, in any letters, or what Windows and macOS may take for it."""
    if not name.isascii():
        name = "".join(sign for sign in name if unicodedata.category(sign) != "Cf")
    folded = name.casefold().rstrip(". ")
    return folded == ".git" or re.fullmatch(r"git~\d+", folded) is not None


def find(root: Path) -> list[Path]:
    """Each `.git` in `root` and below it, of the first MAX_FOLDERS folders.

    Raises ValueError, a sentence, for a repository that cannot be protected.
    """
    found = []
    for number, (folder, folders, names) in enumerate(os.walk(root)):
        if number >= MAX_FOLDERS:
            break
        found += [Path(folder, name) for name in (*folders, *names) if is_git(name)]
        folders[:] = [name for name in folders if not is_git(name) and name != "node_modules"]
    for place in found:
        if is_elsewhere(place, root):
            raise ValueError(
                f"{place.relative_to(root)} in the workspace is a link, or leads to another folder "
                "of the workspace, so an agent could put another in its place: work in a copy "
                "(git clone)."
            )
    return found


def is_elsewhere(place: Path, root: Path) -> bool:
    """Whether a command could replace what this `.git` stands for, though that is read-only."""
    if place.is_symlink():
        return True
    if not place.is_file():
        return False
    with place.open(encoding="utf-8", errors="replace") as file:
        word, _, target = file.read(MAX_LINK_CHARS).partition(":")
    if word.strip() != "gitdir":
        return False
    end = Path(os.path.realpath(place.parent / target.strip()))
    return end.is_relative_to(root) and not any(map(is_git, end.relative_to(root).parts))
