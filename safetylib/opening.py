"""Let a function say why a path is refused, and open nothing while it does."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import get_ident
from typing import Any

LISTS = {"os.listdir", "os.scandir"}  # allowed in the folder: an error may name what is there
# What Python reports before it happens: https://docs.python.org/3/library/audit_events.html
OPENS = {"open", "os.exec", "os.posix_spawn", "os.spawn", "os.system", "subprocess.Popen"}

# The folder and the error of each thread that must open nothing.
refusing: dict[int, tuple[Path, Exception]] = {}


def refuse(event: str, given: tuple[Any, ...]) -> None:
    """Raise the error of this thread if it is about to open something."""
    if get_ident() not in refusing or event not in OPENS | LISTS:
        return
    folder, problem = refusing[get_ident()]
    if event in OPENS or not Path(str(given[0])).resolve().is_relative_to(folder):
        raise problem


@contextmanager
def opening_nothing(folder: Path, problem: Exception) -> Iterator[None]:
    """Raise `problem` in the code inside if it opens a file, or lists a folder outside of `folder`.

    It is raised before anything is opened, so no pipe waits and no device is read.
    """
    if not vars(refuse).get("is_added"):
        vars(refuse)["is_added"] = True
        sys.addaudithook(refuse)  # for good: Python cannot remove one
    refusing[get_ident()] = folder, problem
    try:
        yield
    finally:
        del refusing[get_ident()]
