"""Tasks with numbers: the model changes one of them at a time, and the program keeps them all."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from safetylib.guard.signatures import signature

from .list_tool import MAX_CHARS
from .rendered_list import MARKS, RenderedList
from .tools import Tool

__all__ = ["Tasks"]

# The JSON Schema of each argument of the tools.
SCHEMAS: Mapping[str, Any] = {
    "text": {"type": "string", "description": "What to do, in one line."},
    "number": {"type": "integer", "description": "The number of the task, as #3 has 3."},
    "status": {"type": "string", "enum": list(MARKS)},
}


class Tasks(RenderedList):
    """Tasks with numbers, in place of a list that each call replaces.

    A task is never deleted, so a number is never used twice. A call that is rejected changes
    nothing, and the model reads the reason.
    """

    tools_name = "task tools"  # for the prompts

    def create(self, text: str) -> str:
        """Add a task to your plan. Send one call for each task, all of them in one reply."""
        text = " ".join(text.split()) if isinstance(text, str) else ""
        if not text:
            raise ValueError("text required: a text that is not empty")
        if len(text) > MAX_CHARS:
            raise ValueError(f"text too long: at most {MAX_CHARS} characters")
        for task in self.items:  # a model that no longer sees its plan adds the task again
            if task["text"] == text and task["status"] != "completed":
                raise ValueError(f"this task is there already: {self.line(task)}")
        self.items.append({"id": len(self.items) + 1, "text": text, "status": "pending"})
        return self.line(self.items[-1])

    def update(self, number: int, status: str) -> str:
        """Set a task's status: in_progress before you begin it, completed when it is done."""
        tasks = {str(task["id"]): task for task in self.items}
        place = re.sub(r"^#|\.0?$", "", str(number).strip())  # models also send "2", "#2" and 2.0
        if place not in tasks:
            raise ValueError(f"there is no task {number!r:.60}, only {', '.join(tasks) or 'none'}")
        status = status.strip().lower() if isinstance(status, str) else str(status)
        if status not in MARKS:
            raise ValueError(f"invalid status {status!r:.60}, only {', '.join(MARKS)}")
        task = tasks[place]
        for other in self.items:
            if status == other["status"] == "in_progress" and other is not task:
                raise ValueError(f"Only one task can be in_progress at a time: {self.line(other)}")
        task["status"] = status
        return self.line(task)

    def list(self) -> str:
        """Show all tasks, with their numbers."""
        return self.render()

    def tools(self) -> Sequence[Tool]:
        """Return the three tools: `task_create`, `task_update` and `task_list`."""
        return [make_tool(method) for method in (self.create, self.update, self.list)]


def make_tool(method: Callable[..., str]) -> Tool:
    """Return a method as a tool. The user is not asked, because it changes only the tasks."""
    fields = {name: SCHEMAS[name] for name in signature(method).parameters}
    schema = {"type": "object", "properties": fields, "required": [*fields]}
    return Tool(f"task_{method.__name__}", method.__doc__ or "", schema, method, asks=False)
