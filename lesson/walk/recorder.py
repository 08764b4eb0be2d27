"""Record which lines of the loop, the todo list and the nag run, with `sys.settrace`.

A statement is one step, and if it runs again in the same way, its step says how often. Functions
that only return text are left out. So are, in the package's loop and tools, functions that are not
on the way to the list and the nag, and lines that call none of them and change nothing.
"""

import ast
import linecache
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise, takewhile
from types import CodeType, FrameType
from typing import Any, NamedTuple

from agentlib import loop, nag, todo, tools

from ..pluralize import pluralize
from ..program.parts import CODE

PACKAGE = {module.__file__ for module in (loop, tools, todo, nag)}
LOOP = {loop.__file__, tools.__file__}
ON_THE_WAY = ("rounds", "act", "answer", "call_tool")
SHOWN_IN_LOOP = ("reply", "call", "reminder")  # variables: what the loop gets back
ENTRIES = ("update", "__call__")
LOOPS = ("For", "While")  # each time that their first line runs is a step


class Statement(NamedTuple):
    """A statement: its first and last line without its body, its kind, where its body begins."""

    first: int
    last: int
    kind: str = ""
    body: int = 0


@dataclass(eq=False)
class Step:
    """A statement that ran: its function, what it said and set, and the state before and after it.

    It `is_back` if it goes on after a function that it has called.
    """

    code: CodeType
    statement: Statement
    waits: list[CodeType]  # the functions that wait, the loop first
    before: Any  # an object whose attributes are compared
    after: Any
    is_back: bool
    condition: str = ""
    values: dict[str, str] = field(default_factory=dict)
    error: str = ""
    times: int = 1

    @property
    def changes(self) -> set[str]:
        """Return the attributes of the state that have changed."""
        return {name for name, old in vars(self.before).items() if old != vars(self.after)[name]}


class Recorder:
    """Records the steps of a round. `read_state()` returns the run's state, which can be hashed."""

    def __init__(self, read_state: Callable[[], Any]) -> None:
        self.read_state = read_state
        self.list_statements = cache(list_statements)
        self.steps: list[Step] = []
        self.variables: dict[FrameType, dict[str, str]] = {}  # of each function that runs

    def begin(self) -> None:
        """Begin to record, in the functions that are running now."""
        self.steps = []
        running = list(self.shown_from(sys._getframe()))
        for frame in running:
            self.variables[frame] = read_locals(frame)
            frame.f_trace = self.follow
        self.add(running[0])
        sys.settrace(self.enter)

    def end(self) -> list[Step]:
        """End the recording, and return the steps that are shown: the last one still runs."""
        sys.settrace(None)
        self.variables = {}
        shown: dict[tuple[Any, ...], Step] = {}
        for step, following in pairwise(self.steps):
            calls = len(following.waits) > len(step.waits)
            matters = step.condition if step.is_back else calls or step.code.co_filename not in LOOP
            if matters or step.changes or step.error or step.values:
                outcome = (step.condition, step.error, step.after if step.changes else None)
                key = (step.code, step.statement, step.is_back, outcome)
                first = shown.setdefault(key, step)
                first.times += first is not step
                first.values |= step.values
        return list(shown.values())

    def shown_from(self, frame: FrameType | None) -> Iterator[FrameType]:
        """Yield the functions that are shown, from the one that runs to the loop."""
        while frame:
            if is_shown(frame.f_code):
                yield frame
            frame = frame.f_back

    def add(self, frame: FrameType, is_back: bool = False) -> None:
        """Add a step for the statement at the current line of a function."""
        state = self.read_state()
        waits = [caller.f_code for caller in self.shown_from(frame.f_back)][::-1]
        statement = self.statement_of(frame)
        self.steps.append(Step(frame.f_code, statement, waits, state, state, is_back))
        self.frame = frame

    def statement_of(self, frame: FrameType) -> Statement:
        found = self.list_statements(frame.f_code.co_filename)
        return found.get(frame.f_lineno) or Statement(frame.f_lineno, frame.f_lineno)

    def enter(self, frame: FrameType, event: str, arg: Any) -> Any:
        """Trace a function that is called, if it is shown."""
        if not is_shown(frame.f_code):
            return None
        self.steps[-1].after = self.read_state()
        self.variables[frame] = read_locals(frame)
        return self.follow

    def follow(self, frame: FrameType, event: str, arg: Any) -> Any:
        """Record an event of a function that is shown: its last step has run."""
        if self.frame is not frame:
            if event == "line":  # its first one
                self.add(frame)
            return self.follow
        step, statement = self.steps[-1], self.statement_of(frame)
        before, now = self.variables[frame], read_locals(frame)
        step.values |= {name: words for name, words in now.items() if before.get(name) != words}
        self.variables[frame] = now
        step.after = self.read_state()
        if event == "exception":
            if issubclass(arg[0], Exception) and arg[0] is not StopIteration:
                step.error = f"{arg[0].__name__}: {arg[1]}"
        elif event == "return" or statement != step.statement or statement.kind in LOOPS:
            if step.statement.kind in ("If", "While") and not step.error:
                is_true = event == "line" and statement.first == step.statement.body
                step.condition = "true" if is_true else "false"
            if event == "return":
                self.leave(step, arg)
            else:
                self.add(frame)
        return self.follow

    def leave(self, last: Step, value: Any) -> None:
        """Go back from a function to its caller. If it only wrote text, drop its steps."""
        caller = next(self.shown_from(self.frame.f_back), None)
        if caller is None:
            return
        is_return = last.statement.kind == "Return" and last.code.co_filename not in LOOP
        if is_return and describe(value):
            last.values["return"] = f"returns {describe(value)}"
        depth = len(last.waits)
        steps = list(takewhile(lambda one: len(one.waits) >= depth, reversed(self.steps)))
        matters = last.code.co_name in ENTRIES or steps[-1] is self.steps[0]
        matters = matters or any(one.error or one.changes for one in steps)
        if isinstance(value, str) and not matters:
            del self.steps[-len(steps) :]
            self.frame = caller
        else:
            self.add(caller, is_back=True)


def is_shown(code: CodeType) -> bool:
    # A comprehension belongs to the line that contains it, as in Python 3.12.
    if code.co_name[0] == "<":
        return False
    if code.co_filename in LOOP:
        return code.co_name in ON_THE_WAY
    return code.co_filename.startswith(CODE) or (
        code.co_filename in PACKAGE and "." in code.co_qualname
    )


def list_statements(file: str) -> dict[int, Statement]:
    """Return for each line of a file the innermost statement that it belongs to."""
    found: dict[int, Statement] = {}
    tree = ast.parse("".join(linecache.getlines(file)))
    for node in ast.walk(tree):  # outer statements come before inner ones
        if isinstance(node, ast.match_case):
            found[node.pattern.lineno] = Statement(node.pattern.lineno, node.pattern.lineno)
        elif isinstance(node, ast.stmt):
            body = getattr(node, "body", None)
            last = max(node.lineno, body[0].lineno - 1) if body else node.end_lineno or 0
            one = Statement(node.lineno, last, type(node).__name__, body[0].lineno if body else 0)
            found |= dict.fromkeys(range(node.lineno, last + 1), one)
    return found


def read_locals(frame: FrameType) -> dict[str, str]:
    """Return the variables of a function in a few words each, without plumbing."""
    in_loop = frame.f_code.co_filename in LOOP
    return {
        name: f"{name} = {words}"
        for name, value in frame.f_locals.items()
        if name[0] != "." and (not in_loop or name in SHOWN_IN_LOOP) and (words := describe(value))
    }


def describe(value: Any) -> str:
    """Return a value in a few words, or "" if it is plumbing that is not shown."""
    if value is None or type(value) in (bool, int, float):
        return repr(value)
    if isinstance(value, str):
        return repr(value if len(value) < 46 else value[:42] + "…")
    if isinstance(value, dict) and "status" in value:
        return f"{value.get('text', '')!s:.30}: {value['status']!s:.20}"
    if type(value) in (list, tuple):
        if value and all(isinstance(item, dict) and "status" in item for item in value):
            started = sum(item["status"] == "in_progress" for item in value)
            return f"{pluralize(len(value), 'item')}, {started} in progress"
    if hasattr(value, "stop_reason"):
        names = [block.name for block in value.content if block.type == "tool_use"]
        return f"a call of {', '.join(names)}" if names else "text"
    if isinstance(value, tools.Call):
        return f"{value.name}: {'ok' if value.ok else 'failed'}"
    return ""
