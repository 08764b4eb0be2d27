"""Run a learner's code with a time limit, and report whatever it does."""

import io
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import Any

from .expected import Raised

PRINTED_CHARACTERS = 2_000  # of what the code prints, the rest is dropped


class OutOfTimeError(BaseException):
    """The code ran into its time limit. Not an Exception, which the code could catch."""


class Printed(io.TextIOBase):
    """A file that accepts any amount of text and keeps the beginning."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> int:
        self.text += str(text)[: PRINTED_CHARACTERS - len(self.text)]
        return len(text)


def attempt(function: Callable[[], Any], seconds: float) -> tuple[Any, str]:
    """Call `function`, for at most `seconds`. Return its value, or Raised, and what it printed."""
    printed = Printed()
    with redirect_stdout(printed), redirect_stderr(printed):
        try:
            with time_limit(seconds):
                return function(), printed.text
        except KeyboardInterrupt:
            raise
        except BaseException as problem:  # also SystemExit: it must not end the notebook
            return Raised(problem), printed.text


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise OutOfTimeError in the code inside after this many `seconds`.

    Only Unix has the signal for it, and only the main thread receives it. Without it, the learner
    interrupts the kernel.
    """

    def stop(*_: object) -> None:
        raise OutOfTimeError(f"nothing within {seconds:g} seconds")

    try:
        before = signal.signal(signal.SIGALRM, stop)
        signal.setitimer(signal.ITIMER_REAL, seconds, 1)  # again, if the code catches the first
    except (AttributeError, ValueError):
        yield
        return
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
