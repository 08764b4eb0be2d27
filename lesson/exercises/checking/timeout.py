"""Run a learner's code with a time limit, and report whatever it does."""

import contextlib
import io
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

CASE_SECONDS = 10.0  # right solutions need 0.1; a busy server must not refuse them
POLL_SECONDS = 0.05
PRINTED_CHARACTERS = 2_000  # of what the code prints, the rest is dropped


class OutOfTimeError(BaseException):
    """The code ran into its time limit. Not an Exception, which the code could catch."""


@dataclass(frozen=True)
class Outcome:
    """The result: a `value`, or the `problem` that was raised, and what was `printed`.

    `frame` is what the code was running at the time limit; `is_stuck` is True if it still runs.
    """

    value: Any = None
    problem: BaseException | None = None
    printed: str = ""
    frame: Any = None
    is_stuck: bool = False


class Printed(io.TextIOBase):
    """A file that accepts any amount of text and keeps the beginning."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> int:
        self.text += str(text)[: PRINTED_CHARACTERS - len(self.text)]
        return len(text)


def attempt(function: Callable[[], Any], seconds: float = CASE_SECONDS) -> Outcome:
    """Call `function` in a new thread, and stop it after this many `seconds`.

    It uses a thread, because signals cannot set a time limit on Windows or outside the main thread.
    Code that never leaves C (`sum` of a huge range) cannot be stopped in this way.
    """
    printed, box = Printed(), {}

    def work() -> None:
        try:
            box["value"] = function()
        except BaseException as problem:  # also SystemExit: it must not end the notebook
            box["problem"] = problem

    worker = threading.Thread(target=work, daemon=True)
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        try:
            worker.start()
        except RuntimeError:  # a browser's Python has no threads, and so no time limit
            work()
            return Outcome(**box, printed=printed.text)
        try:
            worker.join(seconds)
        finally:
            if worker.is_alive():
                box["frame"] = sys._current_frames().get(worker.ident or 0)
                stop(worker)
    if worker.is_alive():
        box |= {"problem": OutOfTimeError(), "is_stuck": True}
    return Outcome(**box, printed=printed.text)


def stop(worker: threading.Thread) -> None:
    """Raise OutOfTimeError in the worker, for a second: code may catch everything."""
    import ctypes

    give_up = time.monotonic() + 1
    while worker.is_alive() and time.monotonic() < give_up:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(
            ctypes.c_ulong(worker.ident or 0), ctypes.py_object(OutOfTimeError)
        )
        worker.join(POLL_SECONDS)
