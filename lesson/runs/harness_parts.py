"""The parts of the arena's harnesses, and how one sees in a round that a part has acted."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import wraps
from typing import Any

from agentlib.loop import Round
from agentlib.todo import TodoManager
from agentlib.tools import Tool
from agentlib.workspace import Workspace

from ..samples.jobs import list_missing, load_job

JOB = "ten_steps"
STEPS = load_job(JOB).steps
THIRD = "third equal call"  # in the error message that a repeated call gets

# A question at the stop: it returns the next user message, or None if the run may end.
AtStop = Callable[[TodoManager | None, Workspace], str | None]


class AllAtOnce(TodoManager):
    """A list that may have several tasks in progress."""

    one_in_progress = False


class KeepsTasks(TodoManager):
    """A list from which no unfinished task may vanish."""

    def check_list(self, items: list[dict[str, Any]]) -> None:
        """Raise ValueError if an unfinished task of the old list is missing in the new one."""
        super().check_list(items)
        texts = {item["text"] for item in items}
        unfinished = [item["text"] for item in self.items if item["status"] != "completed"]
        missing = [text for text in unfinished if text not in texts]
        if missing:
            raise ValueError("Not completed, so keep them on the list: " + "; ".join(missing))


def ask_list(todo: TodoManager | None, workspace: Workspace) -> str | None:
    """Name the tasks that the list says are open."""
    if todo is None or all(item["status"] == "completed" for item in todo.items):
        return None
    return f"<reminder>You stopped, but this list has open tasks:\n{todo.render()}</reminder>"


def missing_steps(workspace: Workspace) -> list[str]:
    """Return the steps that the files do not show: the check that sees everything."""
    return list_missing(STEPS, workspace.root)


def every_second_missing(workspace: Workspace) -> list[str]:
    """Return the same for every second step: a check that sees half, as real tests do."""
    return list_missing(STEPS[::2], workspace.root)


def ask_files(missing: Callable[[Workspace], list[str]], *, by_name: bool = True) -> AtStop:
    """Return a question that names what is `missing` in the files, or only counts it."""

    def ask(todo: TodoManager | None, workspace: Workspace) -> str | None:
        left = missing(workspace)
        if not left:
            return None
        if not by_name:
            return f"<reminder>{len(left)} steps are not done.</reminder>"
        return "<reminder>The files show that this is not done:\n- {}</reminder>".format(
            "\n- ".join(left)
        )

    return ask


def reject_third_equal_call(tools: Iterable[Tool]) -> list[Tool]:
    """Return the same tools, but the third equal call in a row is an error."""
    calls: list[tuple[str, Any]] = []

    def reject_repeated(tool: Tool) -> Tool:
        @wraps(tool.run)
        def run(*given: Any, **named: Any) -> str:
            calls.append((tool.name, (given, named)))
            if calls[-3:] == [calls[-1]] * 3:
                raise ValueError(f"this is the {THIRD} in a row: do something else")
            return tool.run(*given, **named)

        return replace(tool, run=run)

    return [reject_repeated(tool) for tool in tools]


def is_listed(turn: Round) -> bool:
    """Return whether the model wrote a list in this round, accepted or not."""
    return any(call.name == "todo" for call in turn.calls)


def is_reminded(turn: Round) -> bool:
    """Return whether the nag reminded in this round."""
    return turn.reminder is not None


def is_rejected(turn: Round) -> bool:
    """Return whether a list was rejected in this round."""
    return any(call.name == "todo" and not call.ok for call in turn.calls)


def is_asked(turn: Round) -> bool:
    """Return whether the harness asked at the stop after this round."""
    return not turn.calls and not turn.is_last


def is_repeated(turn: Round) -> bool:
    """Return whether a call was rejected because it was the third equal one."""
    return any(THIRD in call.output for call in turn.calls if not call.ok)
