"""Test data and helpers of the checks. Learners can also use them."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from copy import deepcopy
from typing import Any

from agentlib.todo import TodoManager
from agentlib.tools import Call

WORK = [Call("bash", {"command": "ls"}, "hello.py", ok=True)]
PLANNING = [Call("todo", {"items": []}, "No todos.", ok=True)]

# Lists that a TodoManager rejects, and lists that it accepts, by a name for the feedback.
LISTS: dict[str, Any] = {
    "two tasks in progress": [{"text": t, "status": "in_progress"} for t in ("Fix", "Test")],
    "the status 'done'": [{"text": "Docs"}, {"text": "Fix", "status": "done"}],
    "a task without text": [{"text": "  ", "status": "pending"}],
    "a task with only a status": [{"status": "pending"}],
    "21 tasks": [{"text": f"Task {n}"} for n in range(21)],
    "two tasks with the same id": [{"id": "1", "text": "Fix"}, {"id": "1", "text": "Test"}],
    "two tasks with equal text": [{"id": "1", "text": "Fix"}, {"id": "2", "text": "Fix"}],
    "None instead of a list": None,
    "three tasks": [
        {"text": "Docs"},
        {"text": "Test", "status": "in_progress", "activeForm": "Testing"},
        {"text": "Fix", "status": "completed"},
    ],
    "an unknown field": [{"text": "Fix", "unknown": 1}],
    "an empty list": [],
    "20 tasks": [{"text": f"Task {n}"} for n in range(20)],
    "a list as a JSON string": '[{"text": "Fix"}]',
    "a number as id": [{"id": 7, "text": "Fix", "status": "completed"}],
    "a status in capitals": [{"text": "Fix", "status": "In_Progress "}],
}


def compare_lists(kind: Callable[..., Any], parent: Any = TodoManager) -> list[str]:
    """Return what a todo list class does differently from its parent, one sentence each.

    Extra fields of the items are allowed. A rejected list must leave the old one unchanged.
    """
    found = []
    for name, items in LISTS.items():
        (wanted, old), (answer, new) = send(parent, items), send(kind, items)
        if answer != wanted:
            found.append(f"With {name}, it {answer}. A {parent.__name__} {wanted}.")
        elif new != old:
            found.append(f"With {name}, its items differ from those of a {parent.__name__}.")
    return found


def send(kind: Callable[..., Any], items: Any) -> tuple[str, list[Any]]:
    """Send a new todo list these items. Return what it does, and the fields of its items."""
    todo = kind()
    todo.update([{"text": "Docs", "status": "completed"}])
    try:
        todo.update(deepcopy(items))
        answer = "accepts the list"
    except ValueError:
        answer = "rejects the list"
    except Exception as problem:
        answer = f"raises {type(problem).__name__}"
    fields = (*TodoManager.fields, "unknown")
    return answer, [[item.get(field) or None for field in fields] for item in todo.items]


class Clock:
    """A clock that you set by hand: `clock.now = 110`. Call it to read it.

    `now` is in seconds, counted from any moment.
    """

    def __init__(self, now: float = 0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


def play_steps(TimedTodo: Callable[..., Any], steps: Sequence[tuple[float, Any]]) -> Any:
    """Send a TimedTodo the lists in `steps`, and return its summary() at the last one.

    A step is a time in seconds and the list that the model sends then, as the status of each task
    by its text: `(100, {"Test": "in_progress"})`, or `(100, "in_progress")` for one task, "Test".
    At `(200, None)` it sends nothing.
    """
    clock = Clock(steps[0][0])
    todo = TimedTodo(clock=clock)
    for clock.now, sent in steps:
        statuses = {"Test": sent} if isinstance(sent, str) else sent
        if statuses is not None:
            items = [{"text": text, "status": status} for text, status in statuses.items()]
            with suppress(ValueError):  # a rejected update, which the model reads as an error
                todo.update(items)
    return todo.summary()
