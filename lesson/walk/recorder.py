"""Record which lines of the loop, the todo list and the nag run, with `sys.settrace`.

A step is a statement that has run. A function that only computes is not shown: it is a part of the
line that calls it. A statement that runs again with the same effect is not shown again.
"""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import CodeType, FrameType
from typing import Any

from agentlib import loop, nag, todo, tools

from ..common.message_blocks import contains
from ..common.pluralize import pluralize
from ..program.my_agent import CODE
from .source import Lines, list_statements

# Their classes may be extended by a learner's.
PART_FILES = {loop.__file__, todo.__file__, nag.__file__}
ENTRIES = ("update", "__call__")  # the functions of the list and of the nag that are always shown
VALUE_CHARACTERS = 46  # of a string: it stays beside its line of code
REMINDED, PASSES = ", with a reminder", "the error passes through"


@dataclass(eq=False)
class CodeStep:
    """A statement that has run.

    `code` is its function, and `waits` are the functions that wait for that one, the loop first.
    `before` and `after` are states of the run. `values` are the variables that it has set, by their
    names, each in words. `error` is what it has raised, and `calls` the name of the function that
    it has called.
    """

    code: CodeType
    lines: Lines
    waits: list[CodeType]
    before: Any
    after: Any
    call: int  # the place of the first step of its call of the function
    is_back: bool = False  # it goes on after a function that it has called
    values: dict[str, str] = field(default_factory=dict)
    error: str = ""
    calls: str = ""

    @property
    def changes(self) -> list[str]:
        """Return the names of the fields of the state that it has changed."""
        pairs = zip(self.before._fields, self.before, self.after, strict=True)
        return [name for name, before, after in pairs if before != after]

    @property
    def matters(self) -> bool:
        """Return whether it has an effect that is shown."""
        return bool(self.changes or self.error or self.values or self.calls)


class Recorder:
    """Record the steps of the functions that are shown.

    `read_state()` returns the state of the run, a named tuple. `reminders` has what the nag has
    returned up to now, and grows while the run is played.
    """

    def __init__(self, read_state: Callable[[], Any], reminders: list[str]) -> None:
        self.read_state, self.reminders = read_state, reminders
        self.steps: list[CodeStep] = []
        self._calls: dict[FrameType, int] = {}  # the place of the first step of each call
        self._variables: dict[FrameType, dict[str, str]] = {}
        self._frame: FrameType | None = None  # of the last step
        self._error: BaseException | None = None  # the last one that was raised

    def begin(self) -> None:
        """Begin with the line that is running now in the innermost function that is shown."""
        self.steps, running = [], list(list_shown(sys._getframe()))
        for frame in running:
            self._enter(frame)
            frame.f_trace = self._follow
        if running:
            self._add(running[0])
            sys.settrace(self._trace)

    def end(self) -> list[CodeStep]:
        """Return the steps that are shown. The last step is left out, because it still runs."""
        sys.settrace(None)
        self._calls, self._variables, self._frame = {}, {}, None
        shown: dict[Any, CodeStep] = {}
        for step in self.steps[:-1]:
            if step.matters or not step.is_back:
                effect = (step.changes, step.error, step.after if step.changes else None)
                first = shown.setdefault((step.call, step.lines, step.is_back, str(effect)), step)
                first.values |= step.values  # in a loop, those of the last time
        return list(shown.values())

    def _trace(self, frame: FrameType, event: str, arg: Any) -> Any:
        """Trace a function that is called, if it is shown."""
        if not is_shown_function(frame.f_code) or not self.steps:
            return None
        if frame not in self._calls:  # a generator that goes on was called before
            self.steps[-1].calls = frame.f_code.co_name
            self._enter(frame)
        return self._follow

    def _enter(self, frame: FrameType) -> None:
        self._calls[frame] = len(self.steps)
        self._variables[frame] = self._read_variables(frame)

    def _add(self, frame: FrameType, is_back: bool = False) -> None:
        """Add a step for the statement at which a function is."""
        state, line = self.read_state(), frame.f_lineno
        waits = [caller.f_code for caller in list_shown(frame.f_back)][::-1]
        lines = list_statements(frame.f_code.co_filename).get(line, Lines(line, line))
        call = self._calls.get(frame, 0)
        self.steps.append(CodeStep(frame.f_code, lines, waits, state, state, call, is_back))
        self._frame = frame

    def _follow(self, frame: FrameType, event: str, arg: Any) -> Any:
        if event == "line" and self._frame is not frame:  # the first line of a function
            self._add(frame)
        elif self._frame is frame:
            step = self.steps[-1]
            self._close(step, frame)
            if event == "exception":
                self._note_error(step, *arg[:2])
            elif event == "return":  # an error that nobody has caught here is such an event as well
                self._leave(frame, arg)
            elif list_statements(frame.f_code.co_filename).get(frame.f_lineno) != step.lines:
                self._add(frame)
        return self._follow

    def _close(self, step: CodeStep, frame: FrameType) -> None:
        """Note what a step has changed up to now."""
        before, now = self._variables.get(frame, {}), self._read_variables(frame)
        step.values |= {name: words for name, words in now.items() if before.get(name) != words}
        self._variables[frame] = now
        step.after = self.read_state()

    def _note_error(
        self, step: CodeStep, error_type: type[BaseException], error: BaseException
    ) -> None:
        """Note an error at the line that raises it, and where it passes through."""
        if error is self._error:
            step.values["error"] = PASSES
        elif issubclass(error_type, Exception) and error_type is not StopIteration:
            step.error, self._error = f"{error_type.__name__}: {error}", error

    def _leave(self, frame: FrameType, value: Any) -> None:
        """Go back to the caller. If the function has only computed, drop its steps."""
        caller = next(list_shown(frame.f_back), None)
        if caller is None:
            return
        start = self._calls.get(frame, 0)
        steps = self.steps[start:]
        if any(step.code.co_name in ENTRIES or step.changes or step.error for step in steps):
            last = steps[-1]
            words = describe_value(value, self.reminders)
            if words and not last.error and "error" not in last.values:
                last.values["return"] = f"returns {words}"
            self._add(caller, is_back=True)
        elif start:
            del self.steps[start:]
            self.steps[-1].calls = ""
            self._frame = caller

    def _read_variables(self, frame: FrameType) -> dict[str, str]:
        """Return the variables of a function by their names, each in words: "busy = 2"."""
        variables = {}
        for name, value in list(frame.f_locals.items()):
            words = describe_value(value, self.reminders)
            if words:
                variables[name] = f"{name} = {words}"
        return variables


def list_shown(frame: FrameType | None) -> Iterator[FrameType]:
    """Yield the running functions that are shown, the innermost first."""
    while frame:
        if is_shown_function(frame.f_code):
            yield frame
        frame = frame.f_back


def is_shown_function(code: CodeType) -> bool:
    """Return whether a function is shown: it is of a program, or of a class that a part extends.

    A comprehension belongs to its line, as it does for Python from 3.12 on.
    """
    if code.co_name.startswith("<"):
        return False
    return code.co_filename.startswith(CODE) or code.co_filename in PART_FILES


def describe_value(value: Any, reminders: list[str]) -> str:
    """Return a value in a few words, or "" for a value of a kind that is not shown."""
    if value is None or type(value) in (bool, int, float):
        return repr(value)
    if isinstance(value, str):
        first = value.partition("\n")[0][:VALUE_CHARACTERS]
        return repr(first if first == value else f"{first} …")
    if type(value) in (list, tuple) and value and all(type(item) is dict for item in value):
        return describe_dicts(value, reminders)
    if hasattr(value, "stop_reason"):
        names = [block.name for block in value.content if block.type == "tool_use"]
        return f"a call of {', '.join(names)}"
    if isinstance(value, tools.Call):
        return f"{value.name}: {'ok' if value.ok else 'failed'}"
    return ""


def describe_dicts(dicts: Any, reminders: list[str]) -> str:
    """Return the items of a todo list, or tool results, in a few words; "" for other dicts."""
    if all("status" in item for item in dicts):
        busy = sum(item["status"] == "in_progress" for item in dicts)
        return f"{pluralize(len(dicts), 'item')}, {busy} in progress"
    if all(block.get("type") == "tool_result" for block in dicts):
        is_reminded = any(contains({"content": list(dicts)}, text) for text in reminders)
        return pluralize(len(dicts), "result") + (REMINDED if is_reminded else "")
    return ""
