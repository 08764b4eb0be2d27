"""Run a learner's code, whatever it does: with a time limit, to its end, and show what came out."""

import io
import re
import signal
from _thread import interrupt_main
from collections.abc import Callable, Iterator
from contextlib import ExitStack, chdir, contextmanager, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import Any

ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
SHOWN_CHARACTERS = 600
PATIENCE = 5
PRINTED_CHARACTERS = 2_000  # of what the code prints, the rest is dropped


@dataclass(frozen=True)
class Raised:
    """The result of a trial that raised."""

    problem: BaseException


class OutOfTimeError(BaseException):
    """The code ran into its time limit. Not an Exception, which the code could catch.

    A bare `except` can, and a loop around it would go on for ever. So the next one is raised as
    soon as this one is gone, which is behind that `except`.
    """

    # A function in C, so that the signal is handled in the code, not in here.
    __del__ = staticmethod(partial(interrupt_main, getattr(signal, "SIGALRM", signal.SIGINT)))


class Printed(io.TextIOBase):
    """A file that accepts any amount of text and keeps the beginning."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> int:
        self.text += str(text)[: PRINTED_CHARACTERS - len(self.text)]
        return len(text)


def attempt(function: Callable[[], Any], seconds: float) -> tuple[Any, str]:
    """Return the value of `function`, or Raised, and what it printed.

    It has a time_limit of `seconds`, and may change the current folder.
    """
    printed = Printed()
    with ExitStack() as stack, redirect_stdout(printed), redirect_stderr(printed):
        with suppress(FileNotFoundError):  # the current folder was deleted
            stack.enter_context(chdir("."))
        limit = time_limit(seconds)
        try:
            with limit:
                return function(), printed.text
        except KeyboardInterrupt:
            raise
        except BaseException as problem:  # also SystemExit: it must not end the notebook
            limit.gen.close()  # also if the last one was raised in its own end
            return Raised(problem), printed.text


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise OutOfTimeError in the code inside after this many `seconds` of processor time.

    It may take PATIENCE times as long: the machine can be busy, but the code can also sleep.
    Only Unix has the signals for it, and only the main thread receives them. Without them, the
    learner interrupts the kernel.
    """
    took, is_over, longest = "", False, seconds * PATIENCE
    end = monotonic() + longest * 0.99

    def stop(number: int, _: object) -> None:
        nonlocal took
        another = OutOfTimeError() if took and number == signal.SIGPROF else None
        if number == signal.SIGPROF:
            took = took or f"{seconds:g} seconds of work"
        elif monotonic() > end:
            took = took or f"{longest:g} seconds"
        try:
            if took and not is_over:
                raise OutOfTimeError(f"nothing within {took}")
        finally:
            del another  # the code keeps them, so raise two: one in its `except`, or behind it

    before = {}
    try:
        for number, timer, limit in (
            (signal.SIGPROF, signal.ITIMER_PROF, seconds),
            (signal.SIGALRM, signal.ITIMER_REAL, longest),
        ):
            before[number, timer] = signal.signal(number, stop)
            signal.setitimer(timer, limit, 1)  # again, if the code keeps the first
    except (AttributeError, ValueError):
        yield
        return
    try:
        yield
    finally:
        is_over = True
        for (number, timer), handler in before.items():
            signal.setitimer(timer, 0)
            signal.signal(number, handler)


def exhaust(result: Any) -> None:
    """Run a generator to its end. Do nothing with any other value."""
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
