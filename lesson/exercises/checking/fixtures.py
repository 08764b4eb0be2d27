"""What the checks try solutions with, and what a learner can try them with, too."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from agentlib.tools import Call

WORK = [Call("bash", {"command": "ls"}, "hello.py", ok=True)]
PLANNING = [Call("todo", {"items": []}, "No todos.", ok=True)]


class Clock:
    """A clock that stands still until you move it: `clock.now = 110`. Calling it reads it.

    `now` is in seconds, since whenever you like.
    """

    def __init__(self, now: float = 0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now

    def __repr__(self) -> str:
        return f"Clock({self.now:g})"


def play(TimedTodo: Callable[..., Any], steps: Sequence[tuple[float, Any]]) -> Any:
    """Let a TimedTodo live through these `steps`, and return its summary() at the last.

    A step is a time in seconds and the list that the model sends then, as the status of each task
    by its id: `(100, {"1": "in_progress"})`, or `(100, "in_progress")` for one task with the id
    1. At `(200, None)` it sends nothing.
    """
    clock = Clock(steps[0][0])
    todo = TimedTodo(clock=clock)
    for clock.now, sent in steps:
        statuses = {"1": sent} if isinstance(sent, str) else sent
        if statuses is not None:
            items = [{"id": i, "text": f"Task {i}", "status": s} for i, s in statuses.items()]
            with suppress(ValueError):  # a refused update, which the model sees as an error
                todo.update(items)
    return todo.summary()
