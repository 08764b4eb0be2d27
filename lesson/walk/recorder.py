"""Record which lines run, with `sys.settrace`: of the loop, of a todo list and of a nag.

Left out are, of the package's loop and tools, functions that are not on the way to the list and the
nag, and lines that call none of them, change nothing and get nothing back; of the list and the nag,
functions that only return text. A statement is one step, and if it runs again in the same way, its
step says how often. A helper in which a single line runs is not entered, unless it raises an error.
"""

import ast
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from itertools import takewhile
from types import CodeType, FrameType
from typing import Any, NamedTuple

from agentlib import loop, nag, todo, tools

PACKAGE = {module.__file__ for module in (loop, tools, todo, nag)}
LOOP = {loop.__file__, tools.__file__}
ON_THE_WAY = ("rounds", "act", "answer", "call_tool")
SHOWN_IN_LOOP = ("reply", "call", "reminder")  # variables: what the loop gets back
ENTRIES = ("update", "__call__")


class Statement(NamedTuple):
    """A statement: its first and last line without its body, its kind, where its body begins."""

    first: int
    last: int
    kind: str = ""
    body: int = 0


@dataclass(eq=False)
class Step:
    """A statement that ran: what it said and set, and the state before and after it."""

    code: CodeType
    statement: Statement
    waits: list[tuple[CodeType, int]]  # the functions that wait, with their lines
    before: int
    after: int
    said: str = ""
    values: dict[str, str] = field(default_factory=dict)
    error: str = ""
    times: int = 1
    is_back: bool = False  # it has called a function that is shown, and goes on


@dataclass(eq=False)
class Running:
    """A function that is running: its current step, and what it last had in its variables."""

    frame: FrameType
    start: int  # how many steps were recorded before it
    seen: dict[str, str]
    state: int
    step: Step | None = None


class Recorder:
    """Records the steps of some rounds of a run. `watch()` returns the number of the run's state.

    `sources` has the source of each file that is traced, by its name.
    """

    def __init__(self, sources: Mapping[str, str], watch: Callable[[], int]) -> None:
        self.sources, self.watch = sources, watch
        self.stack: list[Running] = []
        self.is_recording = False
        self.steps: list[Step] = []
        self.first_times: dict[tuple[Any, ...], Step] = {}

    @contextmanager
    def tracing(self) -> Iterator[None]:
        """Trace a run, which is played in the block. A debugger gets its place back."""
        old = sys.gettrace()
        sys.settrace(self.enter)
        try:
            yield
        finally:
            sys.settrace(old)

    def begin(self) -> None:
        """Begin to record, with the statement that is running now."""
        self.is_recording, self.state = True, self.watch()
        self.steps, self.first_times = [], {}
        for running in self.stack:
            running.start, running.state = 0, self.state
            running.seen = read_locals(running.frame)
            running.step = self.make_step(running.frame)
        self.steps += [running.step for running in self.stack[-1:] if running.step]

    def end(self) -> list[Step]:
        """End the recording, and return the steps that are shown."""
        self.is_recording = False
        return self.shown()

    def enter(self, frame: FrameType, event: str, arg: Any) -> Any:
        """Choose how to trace a function that is called."""
        code = frame.f_code
        # A comprehension belongs to the line that contains it, as in Python 3.12.
        if code.co_filename not in self.sources or code.co_name[0] == "<" or not is_shown(code):
            return None
        if self.is_recording:
            self.note()
        state = self.state if self.is_recording else 0
        self.stack.append(Running(frame, len(self.steps), read_locals(frame), state))
        return self.follow

    def follow(self, frame: FrameType, event: str, arg: Any) -> Any:
        """Record an event of a function that is shown."""
        if not self.is_recording:
            if event == "return":
                self.stack.pop()
            return self.follow
        self.note()
        running = self.stack[-1]
        step = running.step
        if event == "line":
            new = self.make_step(frame)
            statement = new.statement
            if step and step.statement == statement and statement.kind not in ("For", "While"):
                return self.follow  # another line of the same statement
            if step:
                self.finish(step, statement.first)
            running.step = new
            self.steps.append(new)
        elif event == "exception" and step:
            self.latest(running).error = f"{arg[0].__name__}: {arg[1]}"
        elif event == "return":
            if step and step.statement.kind == "Return" and describe(arg):
                step = self.latest(running)
                step.said = f"returns {describe(arg)}"
            if step:
                self.finish(step, 0)
            self.leave(running, arg)
        return self.follow

    def make_step(self, frame: FrameType) -> Step:
        """Return a step for the statement at the current line of the running function."""
        found = list_statements(self.sources[frame.f_code.co_filename])
        statement = found.get(frame.f_lineno) or Statement(frame.f_lineno, frame.f_lineno)
        above = takewhile(lambda one: one.frame is not frame, self.stack)
        waits = [(one.frame.f_code, one.step.statement.first) for one in above if one.step]
        return Step(frame.f_code, statement, waits, self.state, self.state)

    def note(self) -> None:
        """Give the last step of the running function what it has changed: the state, variables."""
        state = self.watch()
        running = self.stack[-1] if self.stack else None
        if running and running.step:
            seen, now = running.seen, read_locals(running.frame)
            new = {name: value for name, value in now.items() if seen.get(name) != value}
            running.seen = now
            if state != self.state:
                self.latest(running).after = state
            if new:
                self.latest(running).values.update(new)
        self.state = state

    def latest(self, running: Running) -> Step:
        """Return the current step, as a second one if functions that it called have been shown."""
        step = running.step
        assert step
        if self.steps[-1] is not step:
            step = Step(step.code, step.statement, step.waits, self.state, self.state, is_back=True)
            self.steps.append(step)
            running.step = step
        return step

    def finish(self, step: Step, following: int) -> None:
        """End a step, whose function goes on at the line `following`, or returns (0).

        If it ran before, with the same condition or error, the step is dropped: the first one is
        counted up, and gets the values of the last time.
        """
        condition = ""
        if step.statement.kind in ("If", "While") and not step.error:
            condition = step.said = "yes" if following == step.statement.body else "no"
        key = (step.code, step.statement, condition, step.error, step.is_back)
        first = self.first_times.setdefault(key, step)
        if first is not step and step.before == step.after and self.steps[-1] is step:
            self.steps.pop()
            first.times += 1
            first.values.update(step.values)
            first.said = step.said

    def leave(self, running: Running, value: Any) -> None:
        """End a function. What only writes text, or ran a single line, is dropped."""
        self.stack.pop()
        code, steps = running.frame.f_code, self.steps[running.start :]
        tells = code.co_name in ENTRIES or code.co_filename in LOOP or running.state != self.state
        if tells or any(step.error for step in steps):
            return
        if isinstance(value, str) or len(steps) == 1:
            del self.steps[running.start :]

    def shown(self) -> list[Step]:
        """Return the steps of the round that are shown: in the loop, only those that tell."""
        following = [*self.steps[1:], *self.steps[-1:]]
        return [
            step
            for step, then in zip(self.steps, following, strict=True)
            if step.code.co_filename not in LOOP
            or step.before != step.after
            or step.error
            or step.values
            or len(then.waits) > len(step.waits)
        ]


def is_shown(code: CodeType) -> bool:
    """Return whether a function is shown: see RULES."""
    if code.co_filename in LOOP:
        return code.co_name in ON_THE_WAY
    return code.co_filename not in PACKAGE or "." in code.co_qualname


@cache
def list_statements(source: str) -> dict[int, Statement]:
    """Return for each line the innermost statement that it belongs to."""
    found: dict[int, Statement] = {}
    for node in ast.walk(ast.parse(source)):  # outer statements come before inner ones
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
    found = {
        name: describe(value)
        for name, value in frame.f_locals.items()
        if name[0] != "." and (not in_loop or name in SHOWN_IN_LOOP)
    }
    return {name: words for name, words in found.items() if words}


def describe(value: Any) -> str:
    """Return a value in a few words, or "" if it is plumbing that is not shown."""
    if value is None or type(value) in (bool, int, float):
        return repr(value)
    if isinstance(value, str):
        return repr(value if len(value) < 46 else value[:42] + "…")
    if isinstance(value, dict) and "status" in value:
        return f"{value.get('text', '')!s:.30}: {value['status']!s:.20}"
    if type(value) in (list, tuple):
        if value and all(isinstance(one, dict) and "status" in one for one in value):
            started = sum(one["status"] == "in_progress" for one in value)
            return f"{len(value)} item{'s' * (len(value) > 1)}, {started} in progress"
        return f"{len(value)} of them" if value else "[]"
    if hasattr(value, "stop_reason"):
        names = [block.name for block in value.content if block.type == "tool_use"]
        return f"a call of {', '.join(names)}" if names else "text"
    if isinstance(value, tools.Call):
        return f"{value.name}: {'ok' if value.ok else 'failed'}"
    return ""
