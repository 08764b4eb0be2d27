"""Adapt a learner's list, nag and `read_file`, which may have less than the package's."""

from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import replace
from functools import partial, wraps
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from agentlib.signatures import has_parameter
from agentlib.tools import Tool
from agentlib.workspace import Workspace
from exerciselib.learners_code import OutOfTimeError, TimeLimit
from safetylib.guard import escape
from safetylib.guard.circles import Failures
from safetylib.guard.edits import show_lines
from safetylib.guard.read_by import read_by
from safetylib.wire.call_input import refuse_no_json
from safetylib.wire.run_file import to_json

Items = tuple[dict[str, Any], ...]
ReadFile = Callable[[Path, str], str]  # the folder of the run, and what the model has sent
READ_SECONDS = 2  # of work, for one file: ours take 0.001
ONE_LIST = (
    "todo= got one list, and each run begins with an empty one. Give its class, as in todo=MyTodo."
)
ONE_NAG = (
    "nag= got one nag. Give its class, as in nag=MyNag: each run makes a new one, because its "
    "count would go on."
)
ONE_LOOP = (
    "loop= got one object, and what it keeps would go on in the next run. Give a function, which "
    "each run calls."
)


def check_new_in_each_run(parts: Mapping[str, Any]) -> None:
    """Raise TypeError for an agent whose list, nag or loop would be one object in several runs."""
    todo, nag, loop = (parts.get(kind) for kind in ("todo", "nag", "loop"))
    if not isinstance(todo, type | str | None):
        raise TypeError(ONE_LIST)
    if is_one_nag(nag):
        raise TypeError(ONE_NAG)
    owner = getattr(loop, "__self__", loop)  # of a method
    if not isinstance(owner, type | FunctionType | ModuleType | partial | str | None):
        raise TypeError(ONE_LOOP)


def is_one_nag(nag: Any) -> bool:
    """Return whether this is a nag, and not its class."""
    return hasattr(nag, "rounds") and not isinstance(nag, type)


def make_list(todo: Any, clock: Callable[[], float]) -> Any:
    """Return the list of a run. `todo` is an object, or a class, which may take a `clock`.

    Raise TypeError for an object that has tasks: they are those of another run.
    """
    if not isinstance(todo, type):
        if getattr(todo, "items", None):
            raise TypeError(ONE_LIST)
        return todo
    return todo(clock=clock) if has_parameter(todo, "clock") else todo()


def copy_items(todo: Any, before: Items = ()) -> Items:
    """Return a copy of the items of a list, without what is not a dict; () without a list.

    If they are as in the copy `before`, return that one.
    """
    items = getattr(todo, "items", None)
    listed = items if isinstance(items, list) else ()
    found = tuple(dict(item) for item in listed if isinstance(item, Mapping))
    return before if repr(found) == repr(before) else tuple(map(copy_fields, found))


def copy_fields(fields: Mapping[Any, Any]) -> dict[Any, Any]:
    """Return a deep copy, which later rounds cannot change.

    If Python cannot copy a value, such as an open file, each becomes what JSON can contain of it.
    """
    try:
        return deepcopy(dict(fields))
    except Exception:  # of a learner's object
        return {name: to_json(value) for name, value in fields.items()}


def read_times(todo: Any) -> dict[str, Any]:
    """Return what the `summary` of a list says of each task, by its text; {} without one."""
    if not callable(getattr(todo, "summary", None)):
        return {}
    times = todo.summary()
    return copy_fields(times) if isinstance(times, dict) else {}


def list_tools(workspace: Workspace, read_file: ReadFile | None = None) -> list[Tool]:
    """Return the tools of a workspace, with a learner's `read_file` in the place of the package's.

    It gets nothing that the package's would refuse: see `read_by`.
    """

    def read(path: str, start_line: int | None = None, limit: int | None = None) -> str:
        assert read_file
        try:
            with TimeLimit(READ_SECONDS):
                text = read_by(read_file, workspace.root, path)
                return show_lines(text, start_line, limit)
        except OutOfTimeError as problem:
            raise TimeoutError(f"read_file does not end: {problem}") from problem

    tools = workspace.tools()
    if read_file is None:
        return tools
    return [replace(tool, run=read) if tool.name == "read_file" else tool for tool in tools]


def count_failures(tools: list[Tool]) -> list[Tool]:
    """Return tools that tell the model which call it repeats in vain."""
    failures = Failures()

    def watch(tool: Tool) -> Tool:
        @wraps(tool.run)
        def run(**fields: Any) -> Any:
            try:
                refuse_no_json(fields)
                output = tool.run(**fields)
            except Exception as problem:
                reason = escape.words_of(problem)  # as `call_tool` tells it
                error = failures.note(tool.name, fields, reason, has_failed=True, may_change=True)
                if error == reason:
                    raise
                raise ValueError(error) from problem
            if isinstance(output, str):
                return failures.note(
                    tool.name, fields, output, has_failed=False, may_change=tool.asks
                )
            return output

        run.counts_failures = True  # type: ignore[attr-defined]
        return replace(tool, run=run)

    return [watch(tool) for tool in tools]
