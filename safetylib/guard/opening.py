"""Call a function that may open one file, or nothing: what it opens is asked, not what it says."""

import _thread
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from threading import Thread, get_ident
from typing import Any, NamedTuple

from . import files, known, paths

OTHER_FILE = (
    "read_file may open only the file that the model has named, write nothing, and start no "
    "program or thread. Does it change the path?"
)
LISTS = {"os.listdir", "os.scandir"}  # allowed in the folder: an error may name what is there
# What Python reports before it happens: https://docs.python.org/3/library/audit_events.html
OTHERS = {
    *("os.exec", "os.posix_spawn", "os.spawn", "os.system", "subprocess.Popen"),
    *("os.link", "os.rename", "os.symlink", "sqlite3.connect", "ctypes.dlopen", "socket.connect"),
    *("os.chmod", "os.chown", "os.mkdir", "os.remove", "os.rmdir", "os.truncate", "os.utime"),
    *("_thread.start_new_thread", "_thread.start_joinable_thread"),  # the latter from 3.13 on
}
WRITES = os.O_WRONLY | os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_TRUNC
IMPORTS = "<frozen importlib"  # so begin the names of the files that import a module


class Allowed(NamedTuple):
    """What a thread may open: `file`, or nothing. `problem` is raised for anything else."""

    folder: Path
    file: Path | None
    problem: Exception

    def has(self, event: str, given: tuple[Any, ...]) -> bool:
        """Return whether what Python is about to do is allowed."""
        if event in LISTS:
            return Path(os.fsdecode(given[0] or ".")).resolve().is_relative_to(self.folder)
        if event in OTHERS or self.file is None:
            return False
        if isinstance(given[0], int):  # a file that is open already
            return True
        if given[2] & WRITES:
            return False
        try:
            return os.path.samefile(given[0], self.file)
        except OSError:  # nothing is there, which Python says itself
            return True


allowed: dict[int, Allowed] = {}  # by thread


def refuse(event: str, given: tuple[Any, ...]) -> None:
    """Raise the error of this thread if it is about to open what it may not."""
    if event != "open" and event not in LISTS | OTHERS or get_ident() not in allowed:
        return
    one = allowed[get_ident()]
    if not one.has(event, given) and not (one.file and is_importing()):
        raise one.problem


def is_importing() -> bool:
    """Return whether a module is being imported: a function may do that when it first needs it."""
    caller = sys._getframe(2)  # who opens a file or lists a folder
    code = [one.f_code.co_filename for one in (caller, caller.f_back) if one]
    return all(name.startswith(IMPORTS) for name in code)


@contextmanager
def opening_only(folder: Path, file: Path | None, problem: Exception) -> Iterator[None]:
    """Raise `problem` in the code inside if it opens another file than `file`, or a program.

    It may list a folder in `folder`, and import modules if there is a `file`. The error is raised
    before anything is opened, so no pipe waits and no device is read. It is for a function that is
    written with care, and not against an attacker.
    """
    if not vars(refuse).get("is_added"):
        vars(refuse)["is_added"] = True
        sys.addaudithook(refuse)  # for good: Python cannot remove one
        if sys.version_info < (3, 12):
            report_threads()
    allowed[get_ident()] = Allowed(folder, file, problem)
    try:
        yield
    finally:
        del allowed[get_ident()]


def report_threads() -> None:
    """Let Python 3.11 report each thread before it starts, as later versions do by themselves."""

    def reporting(start: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(start)
        def run(*given: Any, **named: Any) -> Any:
            sys.audit("_thread.start_new_thread", start, given, named)
            return start(*given, **named)

        return run

    for owner, name in ((Thread, "start"), (_thread, "start_new_thread")):
        setattr(owner, name, reporting(getattr(owner, name)))


def read_by(function: Callable[[Path, str], str], folder: Path, path: str) -> str:
    """Return what a learner's `read_file` returns, which gets nothing that ours would refuse.

    Ours reads the path first, and theirs may open this file only, however it changes the path. If
    ours refuses, theirs opens nothing, and may say why in its own words: without an error of its
    own, ours is raised. It is a ValueError or OSError with a message for the model.
    """
    try:
        file = find_text(folder, path)
    except (OSError, ValueError) as problem:
        with opening_only(folder, None, problem):
            function(folder, path)
        raise
    with opening_only(folder, file, PermissionError(OTHER_FILE)):
        text = function(folder, path)
    if not isinstance(text, str):
        raise TypeError(f"read_file returned {type(text).__name__}, and no string")
    known.note(file)
    return text


@files.explain_errors
def find_text(folder: Path, path: str) -> Path:
    """Return the file of a path, if it can be read."""
    file = paths.find_file(folder, path)
    files.read(file)
    return file
