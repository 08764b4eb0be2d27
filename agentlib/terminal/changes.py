"""Which files of the project have changed."""

import os
from contextlib import suppress
from pathlib import Path

from safetylib.guard import diffs, paths

SKIPPED = (".git", ".venv", "__pycache__", "node_modules")  # folders that others write
MOST_FILES = 20_000  # that are compared: it takes less than a second
MOST_NAMES = 10
Files = dict[str, tuple[int, ...]]


def list_files(root: Path) -> Files | None:
    """Return what tells a changed file of the project, by its name; None if there are too many."""
    found: Files = {}
    for place, folders, names in os.walk(root):
        folders[:] = [one for one in folders if one not in SKIPPED]
        for file in [Path(place, one) for one in names]:
            with suppress(OSError):  # it has just gone
                if not paths.is_written(file):
                    status = file.lstat()
                    name = diffs.show_name(file.relative_to(root).as_posix())
                    found[name] = status.st_size, status.st_mtime_ns, status.st_ino
        if len(found) > MOST_FILES:
            return None
    return found


def describe_changes(root: Path, before: Files | None) -> str:
    """Return which files have changed since `list_files` was called."""
    after = list_files(root)
    if before is None or after is None:
        return "There are too many files to say which have changed."
    names = sorted(one for one in before | after if before.get(one) != after.get(one))
    shown = ", ".join(one if one in after else f"{one} (deleted)" for one in names[:MOST_NAMES])
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return f"Changed ({len(names)}): {shown}{more}." if names else "No file has changed."
