"""Temporary folders that do not outlive their process, whatever has ended it.

A hub ends a kernel without giving it the time to clean up, so each process has one folder for all
of its copies, with a lock that the system takes away when the process is gone. The next process
that needs a folder removes those whose lock is free. (A number of a process would not do: it is
used again, and another container may share the temporary folder.)
"""

import atexit
import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import IO

try:
    import fcntl

    has_locks = hasattr(fcntl, "flock")  # Python in a browser has the module without it
except ImportError:  # Windows
    has_locks = False  # then nothing is removed but at an orderly end

PREFIX = "agentlib-"  # so begins the name of each folder
LOCK = "lock"  # the file in it that its process has locked
making = Lock()
# The folder of each process, by its number: a process that was forked makes its own. The lock is
# that of an open file.
folders: dict[int, tuple[Path, IO[bytes]]] = {}


def make_folder() -> Path:
    """Return a new temporary folder, which does not outlive this process for long."""
    return Path(tempfile.mkdtemp(dir=own_folder()))


def own_folder() -> Path:
    """Return the folder of this process. Before it makes the first one, remove the leftovers."""
    with making:
        found = folders.get(os.getpid())
        if found is None or not found[0].is_dir():  # the system may clean up what is old
            with suppress(OSError):
                remove_leftovers()
            found = folders[os.getpid()] = make_own()
    return found[0]


def make_own() -> tuple[Path, IO[bytes]]:
    """Make the folder of this process, with its lock, and remove it at the end."""
    folder = Path(tempfile.mkdtemp(prefix=PREFIX))
    file = open(folder / f".{LOCK}", "xb")
    if has_locks:
        fcntl.flock(file, fcntl.LOCK_EX)
    # Under its name it is locked from the beginning: nobody can find it free.
    (folder / f".{LOCK}").rename(folder / LOCK)
    atexit.register(remove_own, os.getpid(), folder)
    return folder, file


def remove_own(process: int, folder: Path) -> None:
    """Remove the folder of a process at its end. (A forked one also has this call.)"""
    if os.getpid() == process:
        shutil.rmtree(folder, ignore_errors=True)


def remove_leftovers() -> None:
    """Remove the folders of this user's processes that are gone."""
    if not has_locks:
        return
    with os.scandir(tempfile.gettempdir()) as entries:
        places = [Path(entry) for entry in entries if entry.name.startswith(PREFIX)]
    for place in places:
        with suppress(OSError, RecursionError):  # another one removes it, or has its lock
            if place.lstat().st_uid != os.getuid():
                continue
            with open(os.open(place / LOCK, os.O_RDONLY | os.O_NOFOLLOW), "rb") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(place, ignore_errors=True)
