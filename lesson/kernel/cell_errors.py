"""Show the error of a cell with the learner's own lines, and fold those of the lesson and the SDK.

`%tb` of IPython shows the whole traceback.
"""

import traceback
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from types import TracebackType
from typing import Any

from exerciselib.learners_code import is_learners_frame

IN_A_CELL_ABOVE = (
    "If a cell further up makes `{}`, choose Run › Run All Above Selected Cell, and run this one "
    "again: a restart deletes all variables."
)
# The calls of these packages are folded, with what they call.
FOLDED = {"agentlib", "anthropic", "exerciselib", "lesson", "safetylib"}


def start(shell: Any, names: Iterable[str] = ()) -> None:
    """Fold the errors of the cells of an IPython `shell`, and shorten an interrupt to one line.

    `names` are those that a cell can import from the lesson.
    """
    imports = {name: f"from lesson import {name}" for name in names}

    def show(shell: Any, etype: type, problem: BaseException, tb: Any, tb_offset: Any = 0) -> None:
        # Imported here, so that a kernel that loads ahead starts as soon as any other.
        from exerciselib.causes import find_hidden
        from exerciselib.slips import explain_syntax

        frames = [frame for frame, _ in traceback.walk_tb(tb)]
        if isinstance(problem, SyntaxError) and not any(map(is_learners_frame, frames)):
            if lines := explain_syntax(problem):
                problem.add_note(lines)
            shell.showsyntaxerror()  # of the cell itself: without the two calls of IPython's
            return
        if hidden := find_hidden(problem, imports):
            problem.add_note(hidden)
        elif type(problem) is NameError and is_learners_frame(frames[-1]):
            problem.add_note(IN_A_CELL_ABOVE.format(problem.name))
        stopped = isinstance(problem, KeyboardInterrupt)
        lines = describe_interrupt(tb) if stopped else fold(shell, problem)
        if not lines or hasattr(problem, "_render_traceback_"):
            shell.showtraceback((etype, problem, tb), running_compiled_code=True)
            return
        # IPython shows what this method returns. It is deleted below, so that %tb shows all calls.
        problem._render_traceback_ = lambda: lines  # type: ignore[attr-defined]
        try:
            shell.showtraceback((etype, problem, tb))
        finally:
            del problem._render_traceback_  # type: ignore[attr-defined]

    shell.set_custom_exc((Exception, KeyboardInterrupt), show)


def describe_interrupt(tb: TracebackType) -> list[str]:
    """Return the line of the cell that was stopped, and that nothing is broken.

    A run is many calls deep when it is stopped, and its traceback would be 180 lines long.
    """
    frames = traceback.StackSummary.extract(traceback.walk_tb(tb), lookup_lines=False)
    own = [frame for frame in frames if frame.name == "<module>"] or frames[-1:]
    lines = [f"  line {frame.lineno}: {frame.line}" for frame in own[-1:]]
    return ["Stopped, in this cell:", *lines, "You can run the cell again."]


def fold(shell: Any, problem: BaseException) -> list[str]:
    """Return IPython's traceback without the calls that are folded, or [] if there are none."""
    with folded(problem) as number:
        if not number:
            return []
        shown = shell.InteractiveTB.structured_traceback(
            type(problem), problem, problem.__traceback__
        )
    calls = "a call" if number == 1 else f"{number} calls"
    return [*shown[:-1], f"[… {calls} in the lesson and packages: `%tb` shows them]", *shown[-1:]]


@contextmanager
def folded(problem: BaseException) -> Iterator[int]:
    """Take the folded calls out of an error and of those that led to it, and put them back.

    Yield their number. An error that the learner's code has not seen is left out.
    """
    number, error, seen = 0, problem, set[int]()
    with ExitStack() as stack:
        while error is not None and id(error) not in seen:
            seen.add(id(error))
            tb, cause, is_alone = error.__traceback__, error.__cause__, error.__suppress_context__
            stack.callback(restore, error, tb, cause, is_alone)
            kept = keep(tb)
            number += len([*traceback.walk_tb(tb)]) - len(kept)
            error.__traceback__ = link(kept)
            earlier = cause or (None if is_alone else error.__context__)
            if earlier is not None and not keep(earlier.__traceback__):
                earlier = error.__cause__ = None  # which also leaves out its context
            error = earlier
        yield number


def restore(
    problem: BaseException, tb: TracebackType | None, cause: BaseException | None, is_alone: bool
) -> None:
    """Put back what an error knew of its calls and its cause."""
    problem.__traceback__, problem.__cause__ = tb, cause
    problem.__suppress_context__ = is_alone


def keep(tb: TracebackType | None) -> list[TracebackType]:
    """Return the calls of a traceback that are not folded."""
    kept: list[TracebackType] = []
    folds = False
    while tb is not None:
        package = str(tb.tb_frame.f_globals.get("__name__")).partition(".")[0]
        folds = package in FOLDED or folds and not is_learners_frame(tb.tb_frame)
        if not folds:
            kept.append(tb)
        tb = tb.tb_next
    return kept


def link(calls: list[TracebackType]) -> TracebackType | None:
    """Return a traceback of these calls."""
    first = None
    for call in reversed(calls):
        first = TracebackType(first, call.tb_frame, call.tb_lasti, call.tb_lineno)
    return first
