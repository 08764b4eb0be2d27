"""Find the files of the project that have changed."""

import os
from contextlib import suppress
from pathlib import Path

from safetylib.guard import diffs, paths

SKIPPED = (".git", ".venv", "__pycache__", "node_modules")  # folders that programs write
MOST_FILES = 20_000  # to compare that many takes less than a second
MOST_NAMES = 10
UNCHANGED = "No file has changed."
Files = dict[str, tuple[int, ...]]


def list_files(root: Path) -> Files | None:
    """Return the size, time and number of each file, by its name, or None for too many files."""
    files: Files = {}
    for folder, subfolders, names in os.walk(root):
        subfolders[:] = [name for name in subfolders if name not in SKIPPED]
        for file in [Path(folder, name) for name in names]:
            with suppress(OSError):  # the file has just been deleted
                if not paths.is_written(file):
                    status = file.lstat()
                    shown_name = diffs.show_name(file.relative_to(root).as_posix())
                    files[shown_name] = status.st_size, status.st_mtime_ns, status.st_ino
        if len(files) > MOST_FILES:
            return None
    return files


def describe_changes(root: Path, before: Files | None) -> str:
    """Return which files have changed since `list_files` was called."""
    after = list_files(root)
    if before is None or after is None:
        return "There are too many files to say which have changed."
    names = sorted(name for name in before | after if before.get(name) != after.get(name))
    if not names:
        return UNCHANGED
    first = names[:MOST_NAMES]
    shown = ", ".join(name if name in after else f"{name} (deleted)" for name in first)
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return f"Changed ({len(names)}): {shown}{more}."
