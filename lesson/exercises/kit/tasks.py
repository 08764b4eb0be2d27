"""Lists that a story writes with some words for each task: `Tasks("Docs pending low")`."""

from copy import deepcopy
from functools import cache
from typing import Any

from agentlib import TodoManager

from .lists import LEVELS, LONG
from .updates import read_tasks

TEXTS = (
    "Add tests",
    "Use {braces} & <b> $$ in 90% of",
    r"Open C:\new",
    LONG[8:],
    "Größe: 5 € “ok” 你好",
)


class Tasks(TodoManager):
    """A list of tasks, each with a status, and perhaps a text and a priority.

    It keeps what was written last, so that a change of it can be seen.
    """

    def __init__(self, *tasks: str) -> None:
        super().__init__()
        self.write(*tasks)

    def write(self, *tasks: str) -> None:
        """Replace the list, as a call of the todo tool does."""
        self.items = [{**item} for item in make_items(type(self), tasks)]
        self.kept = [{**item} for item in self.items]
        self.objects = [*map(id, self.items)]


class Board(Tasks):
    """A list with priorities, and its own `render`: a title, and two lines for each task."""

    fields = TodoManager.fields | {
        "priority": {"type": "string", "enum": LEVELS, "default": "medium"}
    }

    def render(self) -> str:
        lines = (f"* {item['text']}\n    it is {item['status']}" for item in self.items)
        return "\n".join([f"BOARD {len(self.items)}", "", *lines, "end"])


class Own(Tasks):
    """A list like a learner's: its items have the fields that were sent, and no id."""

    def update(self, items: list[dict[str, Any]]) -> str:
        self.items = deepcopy(items)
        return self.render()


@cache
def make_items(kind: type[Tasks], tasks: tuple[str, ...]) -> list[dict[str, Any]]:
    """Return the items of a list of this kind after it was written."""
    if not tasks:
        return []
    todo = kind()
    todo.update([read_task(task, number) for number, task in enumerate(tasks)])
    return todo.items


def read_task(task: str, number: int) -> dict[str, str]:
    """Return the item of "Add tests pending high". A task without a text has one of TEXTS."""
    (item,) = read_tasks(task.split(" "))
    default = f"{TEXTS[number % len(TEXTS)]} {number or ''}".strip()
    return {"id": str(number + 1), **item, "text": item["text"] or default}
