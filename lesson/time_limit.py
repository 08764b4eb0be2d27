"""Run a learner's code, whatever it does: with a time limit, to its end, and show what came out."""

import builtins
import io
import re
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import (
    ExitStack,
    chdir,
    contextmanager,
    redirect_stderr,
    redirect_stdout,
    suppress,
)
from dataclasses import dataclass
from inspect import iscoroutine
from time import monotonic, process_time
from typing import Any

ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
SHOWN_CHARACTERS = 600
PATIENCE = 5
INTERVAL_SECONDS = 0.05  # between two signals
PRINTED_CHARACTERS = 2_000  # of what the code prints, the rest is dropped


@dataclass(frozen=True)
class Raised:
    """The result of a trial that raised."""

    problem: BaseException


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
    """Return the value of `function`, or Raised, and what it printed.

    It has a TimeLimit of `seconds`, may change the current folder, and cannot ask the user.
    """
    printed = Printed()
    with (
        ExitStack() as stack,
        redirect_stdout(printed),
        redirect_stderr(printed),
        refusing_input(),
    ):
        with suppress(FileNotFoundError):  # the current folder was deleted
            stack.enter_context(chdir("."))
        limit = TimeLimit(seconds)
        try:
            with limit:
                return function(), printed.text
        except KeyboardInterrupt:
            raise
        except BaseException as problem:  # also SystemExit: it must not end the notebook
            limit.end()  # the last error may have come before its own end
            return Raised(problem), printed.text


@contextmanager
def refusing_input() -> Iterator[None]:
    """Replace `input` by a function that raises EOFError.

    In a notebook, `input` shows a box and waits. After the time limit, the box would stay, and the
    next cell would wait for it.
    """

    def refuse(prompt: object = "") -> str:
        raise EOFError(
            f"input({prompt!r}) has nobody to answer it while your code is tried: use the arguments"
        )

    asks = builtins.input
    builtins.input = refuse
    try:
        yield
    finally:
        builtins.input = asks


class TimeLimit:
    """Raise OutOfTimeError in the code inside after this many `seconds` of processor time.

        with TimeLimit(2):
            call_the_learners_code()

    It may take PATIENCE times as long: the machine can be busy, but the code can also sleep.
    A timer sends the signal SIGALRM. Windows has none, and only the main thread receives it:
    without it, the learner interrupts the kernel.

    A bare `except` also catches OutOfTimeError, and a loop around it would go on. Therefore the
    timer fires again, every INTERVAL_SECONDS, until the code has ended. What goes on all the same
    is a loop with nothing outside of its bare `except`: its kernel must be restarted.

    The signal may also come in code that nobody calls: a callback of the garbage collector, or a
    `__del__`. Python cannot raise an error there. It would print a warning in its place, but the
    next signal raises the error where the code can end, so this warning is dropped.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.has_ended = False
        self.outer: tuple[float, float] | None = None  # the timer of the limit around this one
        self.report = sys.unraisablehook

    def __enter__(self) -> None:
        self.end_of_work = process_time() + self.seconds
        self.end_of_patience = monotonic() + self.seconds * PATIENCE
        with suppress(AttributeError, ValueError):  # Windows, and another thread
            self.handler = signal.signal(signal.SIGALRM, self.on_signal)
            self.outer = signal.setitimer(signal.ITIMER_REAL, self.seconds, INTERVAL_SECONDS)
            self.report, sys.unraisablehook = sys.unraisablehook, self.on_unraisable

    def on_signal(self, *_: object) -> None:
        """Raise OutOfTimeError if the time is over."""
        is_at_work = process_time() > self.end_of_work
        if self.has_ended or not (is_at_work or monotonic() > self.end_of_patience):
            return
        seconds = f"{self.seconds:g} seconds of work"
        if not is_at_work:
            seconds = f"{self.seconds * PATIENCE:g} seconds"
        raise OutOfTimeError(f"nothing within {seconds}")

    def on_unraisable(self, unraisable: "sys.UnraisableHookArgs") -> None:
        """Report an error that cannot be raised, unless it is the end of the time."""
        if not isinstance(unraisable.exc_value, OutOfTimeError):
            self.report(unraisable)

    def end(self) -> None:
        """Raise no more errors, and set the timer of the limit around this one again."""
        self.has_ended = True
        if self.outer is None:
            return
        sys.unraisablehook = self.report
        signal.setitimer(signal.ITIMER_REAL, *self.outer)
        if callable(self.handler):  # otherwise on_signal stays, and ignores a signal that is late
            signal.signal(signal.SIGALRM, self.handler)

    def __exit__(self, *_: object) -> None:
        self.end()


def exhaust(result: Any) -> None:
    """Run a generator to its end. Raise TypeError for a coroutine; another value is ignored."""
    if iscoroutine(result):
        result.close()  # Python warns about a coroutine that nothing awaits.
        raise TypeError("a call of a function with `async` does nothing: remove `async`")
    if hasattr(result, "__next__"):
        for _ in result:
            pass


def show(value: Any) -> str:
    """Return any value as a short string that is the same on every machine."""
    try:
        if isinstance(value, Raised):
            text = f"{type(value.problem).__name__}: {value.problem}".removesuffix(": ")
        elif isinstance(value, str) and "\n" in value.strip():
            text = value
        else:
            text = repr(value)
    except Exception:  # a learner's __repr__ may raise anything
        text = f"a {type(value).__name__} that cannot be shown"
    text = ADDRESS.sub("", text.encode("utf-8", "replace").decode())
    if len(text) > SHOWN_CHARACTERS:
        text = text[:SHOWN_CHARACTERS] + " … (and more)"
    return text
