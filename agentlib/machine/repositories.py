"""The parts of a folder that belong to git, and that no agent may change.

`git status`, which prompts and editors call on their own, runs programs that a repository's
configuration names (core.fsmonitor, hooks): whoever writes `.git` runs code on this machine.
"""

import os
import re
from pathlib import Path

MAX_FOLDERS = 10_000  # looked at for repositories inside the workspace


def is_git(name: str) -> bool:
    """Whether `name` is `.git`, in any letters, or what Windows may call it for short."""
    return name.casefold().rstrip(". ") == ".git" or bool(re.fullmatch(r"(?i)git~\d+", name))


def find(root: Path) -> list[Path]:
    """Each `.git` in `root` and below it, of the first MAX_FOLDERS folders."""
    found = []
    for number, (folder, folders, names) in enumerate(os.walk(root)):
        if number >= MAX_FOLDERS:
            break
        found += [Path(folder, name) for name in (*folders, *names) if is_git(name)]
        folders[:] = [name for name in folders if not is_git(name) and name != "node_modules"]
    return found
