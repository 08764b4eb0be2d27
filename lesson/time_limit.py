"""Run a learner's code, whatever it does: with a time limit, to its end, and show what came out."""

import io
import re
import signal
from _thread import interrupt_main
from collections.abc import Callable, Iterator
from contextlib import ExitStack, chdir, contextmanager, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from functools import partial
from inspect import iscoroutine
from time import monotonic, process_time
from typing import Any

ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
SHOWN_CHARACTERS = 600
PATIENCE = 5
INTERVAL_SECONDS = 0.5  # between two signals, the first of which comes when the time may be over
SHORTEST_SECONDS = 0.0002  # between two signals, the interval of which halves with each error
PRINTED_CHARACTERS = 2_000  # of what the code prints, the rest is dropped


@dataclass(frozen=True)
class Raised:
    """The result of a trial that raised."""

    problem: BaseException


class OutOfTimeError(BaseException):
    """The code ran into its time limit. Not an Exception, which the code could catch.

    A bare `except` can, and a loop around it would go on forever. So the signal of the time limit
    is sent again when this error is deleted, which is at the end of that `except`. For code that
    stores the errors, the signals become more frequent, until one comes outside of its `try`.
    """

    # A function in C, so that the signal is handled in the learner's code and not in here.
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
    A timer sends the signal SIGALRM. Windows has none, and only the main thread receives it:
    without it, the learner interrupts the kernel. In the browser, tools/live makes the timer.
    """
    is_over, interval = False, INTERVAL_SECONDS
    end_of_work, end = process_time() + seconds, monotonic() + seconds * PATIENCE

    def stop(*_: object) -> None:
        nonlocal interval
        is_at_work = process_time() > end_of_work
        if is_over or not (is_at_work or monotonic() > end):
            return
        interval = max(interval / 2, SHORTEST_SECONDS)
        signal.setitimer(signal.ITIMER_REAL, 2 * interval, interval)
        took = f"{seconds:g} seconds of work" if is_at_work else f"{seconds * PATIENCE:g} seconds"
        raise OutOfTimeError(f"nothing within {took}")

    try:
        handler = signal.signal(signal.SIGALRM, stop)
        outer = signal.setitimer(signal.ITIMER_REAL, seconds, INTERVAL_SECONDS)
    except (AttributeError, ValueError):
        yield
        return
    try:
        yield
    finally:
        is_over = True
        signal.setitimer(signal.ITIMER_REAL, *outer)
        if callable(handler):  # otherwise `stop` stays, and ignores a signal that comes late
            signal.signal(signal.SIGALRM, handler)


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
