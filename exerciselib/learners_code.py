"""Run a learner's code, whatever it does, with a time limit, and find where it ended.

What is the learner's is decided here: code in a cell or a file that is neither Python's nor a
package's, nor the teacher's (`add_teachers`). `Cell` is the text of one function or class.
"""

import ast
import builtins
import dis
import getpass
import io
import linecache
import os
import re
import signal
import sys
import sysconfig
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import (
    ExitStack,
    chdir,
    contextmanager,
    redirect_stderr,
    redirect_stdout,
    suppress,
)
from dataclasses import dataclass
from functools import cached_property
from inspect import iscoroutinefunction, isgeneratorfunction
from pathlib import Path
from threading import Thread, get_ident
from types import CodeType, FrameType, TracebackType
from typing import Any

# So begin the file names of Python's code and of packages. A module that Python contains is frozen,
# and the methods that a dataclass gets are made of a string.
OF_PACKAGES = (
    *(sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")),
    *("<frozen", "<string>"),
)
TEACHERS = [f"{Path(__file__).parent}{os.sep}"]  # prefixes of the file names of the teacher's code
PATIENCE_SECONDS = 30.0  # shortest limit of sleep: a right loop may wait before it asks again
INTERVAL_SECONDS = 0.05  # between two signals: short, as code is ended only at one of them
# A thread that has worked less than this between two signals was asleep. One that waits for its
# turn on a busy machine works longer, because the signal reaches it when its turn has come.
ASLEEP_SECONDS = 0.001
# Events of Python's audit hooks: the code does something outside of Python.
EFFECT = re.compile(r"(os|socket|subprocess|sqlite3|ctypes|mmap|_thread|_winapi|winreg)\.")
LOOKS = ("os.listdir", "os.scandir", "os.walk", "os.fwalk", "os.getxattr", "os.listxattr")
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
guarded: tuple[int, Sequence[str]] | None = None  # the thread and the files of a proof
Place = tuple[int, int]  # a line and a column of a file
PRINTED_CHARACTERS = 2_000  # limit of what the code prints; the feedback shows 120 of them


@dataclass(frozen=True)
class Raised:
    """The result of a trial that raised."""

    problem: BaseException


class OutOfTimeError(BaseException):
    """The code ran into its time `limit`. Not an Exception, which the code could catch."""

    def __init__(self, message: str, limit: "TimeLimit") -> None:
        super().__init__(message)
        self.limit = limit


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
        except BaseException as problem:  # even SystemExit, which must not end the notebook
            limit.end()  # the last error may have come before its own end
            return Raised(problem), printed.text


def refuse_input(prompt: object = "", *_: object, **__: object) -> str:
    """Raise EOFError in place of `input`, `getpass` and `breakpoint`."""
    raise EOFError(f"input({prompt!r}) has nobody to answer it in a part: use the arguments")


@contextmanager
def refusing_input() -> Iterator[None]:
    """Replace `input`, and all that uses it, by a function that raises EOFError.

    In a notebook, `input` shows a box and waits. After the time limit, the box would stay, and the
    next cell would wait for it.
    """
    places = [(builtins, "input"), (getpass, "getpass"), (sys, "breakpointhook")]
    before = [getattr(*place) for place in places]
    for place in places:
        setattr(*place, refuse_input)
    try:
        yield
    finally:
        for place, asks in zip(places, before, strict=True):
            setattr(*place, asks)


@contextmanager
def refusing_effects(files: Sequence[str]) -> Iterator[None]:
    """Raise PermissionError if code of these files, or what it calls, has an effect outside.

    That is in this thread, and it cannot start another one. Code may look, and read a file.
    """
    global guarded
    start: Any = Thread.start

    def start_thread(thread: Thread) -> None:  # Python 3.11 has no event of it
        refuse_effect("_thread.start", ())
        start(thread)

    guarded, Thread.start = (get_ident(), files), start_thread  # type: ignore
    try:
        yield
    finally:
        guarded, Thread.start = None, start  # type: ignore


def refuse_effect(event: str, arguments: tuple[Any, ...]) -> None:
    """Raise PermissionError if this event of Python is an effect of what is guarded."""
    if not guarded or get_ident() != guarded[0]:
        return
    writes = event == "open" and isinstance(arguments[2], int) and arguments[2] & WRITES
    frame: Any = sys._getframe() if writes or EFFECT.match(event) and event not in LOOKS else None
    while frame:
        if frame.f_code.co_filename in guarded[1]:
            raise PermissionError(f"{event} is refused while a mend is tried")
        frame = frame.f_back


sys.addaudithook(refuse_effect)  # Python cannot remove one


class TimeLimit:
    """Raise OutOfTimeError in the code inside after this many `seconds` of processor time.

        with TimeLimit(2):
            call_the_learners_code()

    It is the processor time of the thread, and not what a clock shows: on a busy machine, right
    code waits for its turn, and a container can be stopped for a minute. Code that sleeps uses no
    processor time, so it may sleep for PATIENCE_SECONDS, or five times the `seconds` if that is
    longer. A timer sends the signal SIGALRM. Only the main thread receives it, so the callback of a
    widget has to go there. Windows has no such signal: there, the learner interrupts the kernel.

    A bare `except` also catches OutOfTimeError, and a loop around it would go on. Therefore the
    timer fires again, every INTERVAL_SECONDS, until the code has ended. What goes on all the same
    is a loop with nothing outside of its bare `except`: its kernel must be restarted.

    The signal may also come in code that nobody calls: a callback of the garbage collector, or a
    `__del__`. Python cannot raise an error there. It would print a warning in its place, but the
    next signal raises the error where the code can end, so this warning is dropped.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.has_ended = self.has_more = False
        self.outer: tuple[float, float] | None = None  # the timer of the limit around this one
        self.report = sys.unraisablehook

    def __enter__(self) -> None:
        self.seen = read_work()  # work at the last signal
        self.slept = 0.0  # seconds
        self.end_of_work = self.seen + self.seconds
        self.patience = max(PATIENCE_SECONDS, 5 * self.seconds)
        with suppress(AttributeError, ValueError):  # Windows, and another thread
            self.handler = signal.signal(signal.SIGALRM, self.on_signal)
            self.outer = signal.setitimer(signal.ITIMER_REAL, INTERVAL_SECONDS, INTERVAL_SECONDS)
            self.report, sys.unraisablehook = sys.unraisablehook, self.on_unraisable

    def on_signal(self, *_: object) -> None:
        """Raise OutOfTimeError if the time is over."""
        now = read_work()
        if now - self.seen < ASLEEP_SECONDS:
            self.slept += INTERVAL_SECONDS
        self.seen = now
        if self.has_ended:
            return
        if now > self.end_of_work:
            raise OutOfTimeError(f"nothing within {self.seconds:g} seconds of work", self)
        if self.slept > self.patience:
            raise OutOfTimeError(f"nothing within {self.patience:g} seconds of sleep", self)

    def add_time(self) -> None:
        """Restart the time of work, once, so that the code that catches the error can go on."""
        if not self.has_more:
            self.has_more, self.slept = True, 0.0
            self.end_of_work = read_work() + self.seconds

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


def read_work() -> float:
    """Return the processor time of this thread, in seconds; of the process in a browser."""
    return getattr(time, "thread_time", time.process_time)()


def add_teachers(*paths: Path) -> None:
    """Register these files, and those in these folders, as the teacher's."""
    TEACHERS.extend(f"{path}{os.sep}" if path.is_dir() else str(path) for path in paths)


def is_in_teachers_file(file: str) -> bool:
    """Return whether code with this file name is the teacher's."""
    return file.startswith(tuple(TEACHERS))


def is_in_learners_file(file: str) -> bool:
    """Return whether code with this file name, which can be that of a cell, is the learner's."""
    is_package = file.startswith(OF_PACKAGES) or "-packages" in file
    return not is_package and not is_in_teachers_file(file)


def is_learners(value: Any) -> bool:
    """Return whether a class or a function is the learner's."""
    module = str(getattr(value, "__module__", None))
    if module == "__main__":  # under pytest, its file is pytest's
        return True
    if module.partition(".")[0] in sys.stdlib_module_names:  # some of these have no file
        return False
    return is_in_learners_file(getattr(sys.modules.get(module), "__file__", None) or "")


def find_frames(problem: BaseException) -> list[FrameType]:
    """Return the frames that were running when `problem` was raised, the last one at the end."""
    return [frame for frame, _ in traceback.walk_tb(problem.__traceback__)]


def is_learners_frame(frame: FrameType) -> bool:
    """Return whether a frame runs the learner's code. All callers decide it by this function."""
    return is_in_learners_file(frame.f_code.co_filename)


@contextmanager
def watch_returns(code: CodeType, file: str) -> Iterator[list[Place]]:
    """Collect the places where calls of this code end, if the last function of a file makes them.

    The list is empty at the end if the code has set a trace function of its own.
    """
    places, positions = list[Place](), [*code.co_positions()]

    def trace(frame: FrameType, event: str, _: object) -> Any:
        if frame.f_code.co_filename == file:
            places.clear()
        before = frame.f_back
        if frame.f_code is not code or not before or before.f_code.co_filename != file:
            return None
        frame.f_trace_lines = False
        if event == "return":
            line, _, column, _ = positions[frame.f_lasti // 2]
            places.append((line or 0, column or 0))
        return trace

    sys.settrace(trace)
    try:
        yield places
    finally:
        if sys.gettrace() is not trace:
            places.clear()
        sys.settrace(None)


def find_lines(problem: BaseException) -> traceback.StackSummary:
    """Return the lines that were running when `problem` was raised, the last one at the end.

    The text of a line is read when it is asked for. `traceback.extract_tb` reads, and keeps, all
    files in which one is: with the SDK, these are two megabytes.
    """
    tracebacks, last = list[TracebackType](), problem.__traceback__
    while last:
        tracebacks.append(last)
        last = last.tb_next
    walked = ((one.tb_frame, one.tb_lineno or find_target(one)) for one in tracebacks)
    return traceback.StackSummary.extract(walked, lookup_lines=False)


def find_target(jump: TracebackType) -> int:
    """Return the line to which a jump without a line goes, as a loop's end in Python 3.11, or 0."""
    code = {one.offset: one for one in dis.get_instructions(jump.tb_frame.f_code)}
    target = code.get(code[jump.tb_lasti].argval) if jump.tb_lasti in code else None
    return target.positions.lineno or 0 if target and target.positions else 0


def split_code(text: str) -> list[str]:
    """Return the lines of code with their ends, as Python numbers them.

    `str.splitlines` also ends a line at a form feed and at U+2028, which a string may contain.
    """
    return io.StringIO(text, newline="").readlines()


def find_last_line(
    problem: BaseException, is_there: Callable[[str], bool] = is_in_learners_file
) -> traceback.FrameSummary | None:
    """Return the last line that was running when `problem` was raised, or None.

    It is in a file of the learner's, or in one whose name `is_there` accepts.
    """
    own = [one for one in find_lines(problem) if one.lineno and is_there(one.filename)]
    return own[-1] if own else None


def refuse_unrun(function: Any) -> None:
    """Raise TypeError for a function whose call runs nothing, such as a generator."""
    for is_such, word in ((iscoroutinefunction, "async"), (isgeneratorfunction, "yield")):
        if is_such(function):
            raise TypeError(f"a call of a function with `{word}` does nothing: remove `{word}`")


def read_members(cls: type) -> dict[str, Any]:
    """Return what was written in the body of a class, by name."""
    return {
        name: value
        for name, value in vars(cls).items()
        if not name.startswith(("_abc", "__annotate"))  # added by Python
        and (callable(value) or not name.startswith("__"))
    }


def unwrap(member: Any) -> Any:
    """Return the function of a static method, a class method or a property, or the member."""
    return getattr(member, "__func__", getattr(member, "fget", member))


class Cell:
    """What a learner has written: a function, or a class without its bases.

    `files` are the names of the files, or of the cells, that have its code, and `text` is theirs. A
    dataclass, or a decorator, brings in code of Python, which the learner has not written.
    `returned` is the `return` of a function that has given a wrong value, if it is known.
    """

    returned: ast.Return | None = None

    def __init__(self, part: Any) -> None:
        self.part = part
        members = read_members(part).values() if isinstance(part, type) else [part]
        codes = [getattr(unwrap(one), "__code__", None) for one in members]
        files = {code.co_filename for code in codes if code}
        self.files = sorted(filter(is_in_learners_file, files))

    @property
    def text(self) -> str:
        return "".join(line for file in self.files for line in linecache.getlines(file))

    @cached_property
    def tree(self) -> ast.Module:
        """The syntax tree of the text, which is empty if the text is not Python."""
        with suppress(SyntaxError):
            return ast.parse(self.text)
        return ast.Module([], [])

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """All nodes of the function; a class has none."""
        name = getattr(self.part, "__name__", "")
        for statement in self.tree.body:
            if isinstance(statement, ast.FunctionDef) and statement.name == name:
                return [*ast.walk(statement)]
        return []

    def find_return(self, place: Place | None) -> str:
        """Keep the `return` at a place, and return its line if the function has several, or ""."""
        returns = [node for node in self.nodes if isinstance(node, ast.Return)]
        for node in returns:
            end = node.end_lineno or 0, node.end_col_offset or 0
            if place and (node.lineno, node.col_offset) <= place <= end:
                self.returned = node
                text = linecache.getline(self.files[0], node.lineno).strip()
                return f"line {node.lineno}: {text}" if returns[1:] else ""
        return ""

    def find_line(self, problem: BaseException) -> str:
        """Return the last line of it that was running, "line 7: x = 1", or ""."""
        last = find_last_line(problem, self.files.__contains__)
        return f"line {last.lineno}: {last.line}" if last else ""
