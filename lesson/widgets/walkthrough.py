"""The code walkthrough: five steps through the code of this package, with lines highlighted."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import traitlets

from agentlib.nag import Nag
from agentlib.todo import TodoManager

from ..my_agent import FILE, read_parts
from .base import View


@dataclass(frozen=True)
class Stop:
    """One step: the function to show, and the first and the last of its highlighted lines.

    A line is named by a piece of its code, so that it is found even after it has moved.
    """

    title: str
    words: str
    function: Callable
    span: tuple[str, str]
    # The learner's part that does the same, and what its lines for this step contain.
    own_part: str
    own_lines: tuple[str, ...]


STOPS = (
    Stop(
        "Only update() changes the list",
        "The list changes here and nowhere else. The model calls the todo tool, the tool calls "
        "update(), and the model reads what update() returns. So only this function has to be "
        "right.",
        TodoManager.update,
        ("def update", "def update"),
        "MyTodo",
        ("def update",),
    ),
    Stop(
        "Each item is checked",
        "A model can send anything as an item. check() goes through the fields and makes a clean "
        "copy: tidy() trims text, a missing field gets its default, and validate() compares the "
        "value with the field's schema. If it does not fit, the error names the item and the rule.",
        TodoManager.check,
        ("for name, schema", "return clean"),
        "MyTodo",
        ("text", "strip", "status"),
    ),
    Stop(
        "Only one in progress",
        "check_list() has the rules about the whole list, not about one item. With one task in "
        "progress the list says what is being done now. The model may put a task back to pending "
        "and take up another; it may not mark two.",
        TodoManager.check_list,
        ("started = [", "Only one task"),
        "MyTodo",
        ("in_progress",),
    ),
    Stop(
        "Replace, and show it",
        "Everything that can fail comes before these two lines, so a rejected list leaves the old "
        "one unchanged. The whole list is replaced, never patched, and goes back to the model as "
        "text: that is how the model sees its own plan again.",
        TodoManager.update,
        ("self.items = checked", "return self.render()"),
        "MyTodo",
        ("self.items =", "self.items[:]", "return self.render()"),
    ),
    Stop(
        "The reminder",
        "The loop calls this once a round. A call of the todo tool sets the count back to 0; any "
        "other round adds 1. When the count has reached the threshold, every round gets the "
        "reminder, until the model calls the tool again.",
        Nag.__call__,
        ("if any(", "return self.reminder()"),
        "MyReminder",
        ("rounds", "todo", "return"),
    ),
)


class Walkthrough(View):
    """Shows the steps one at a time. `at` is the number of the step, from 0.

    If `file` exists, the learner's part that does the same is next to the package's code: the
    lines that are likely to belong to the step are highlighted.
    """

    kind = "walkthrough"
    at = traitlets.Int(0).tag(sync=True)

    def __init__(self, file: str | Path = FILE) -> None:
        super().__init__()
        parts = read_own_parts(Path(file))
        self.state = {"stops": [draw_stop(stop, parts) for stop in STOPS]}

    def text(self) -> str:
        """Return all steps, each with its highlighted lines."""
        parts = []
        for place, stop in enumerate(self.state["stops"], 1):
            title = f"{place}. {stop['title']}  ({stop['where']})"
            code = [line["text"] for line in stop["lines"] if line["lit"]]
            parts.append("\n".join([title, stop["words"], *code]))
        return "\n\n".join(parts)


def read_own_parts(file: Path) -> dict[str, str]:
    """Return the source of the parts that `keep` has saved in `file`, by name; {} without one."""
    try:
        parts = read_parts(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        return {}
    if "MyNag" in parts:  # the reminder that shows the list replaces it
        parts.setdefault("MyReminder", parts["MyNag"])
    return parts


def draw_stop(stop: Stop, parts: Mapping[str, str]) -> dict[str, Any]:
    """Return a step as the browser draws it, with the learner's code if it is in `parts`."""
    lines, first = inspect.getsourcelines(stop.function)
    where = f"{Path(inspect.getfile(stop.function)).name}, {stop.function.__qualname__}()"
    code = draw_code(where, lines, first, find_lit_lines(lines, *stop.span))
    drawn = {"title": stop.title, "words": stop.words, **code}
    if stop.own_part in parts:
        own = parts[stop.own_part].strip().splitlines()
        lit = {n for n, line in enumerate(own) if any(word in line for word in stop.own_lines)}
        drawn["own"] = draw_code(f"your {stop.own_part}", own, 1, lit)
    return drawn


def draw_code(where: str, lines: list[str], first: int, lit: set[int]) -> dict[str, Any]:
    return {
        "where": where,
        "lines": [
            {"number": first + n, "lit": n in lit, "text": line.rstrip("\n")}
            for n, line in enumerate(lines)
        ],
    }


def find_lit_lines(lines: list[str], start: str, end: str) -> set[int]:
    """Return the indices of highlighted lines; none if one of the two pieces is not found."""
    first = next((n for n, line in enumerate(lines) if start in line), len(lines))
    last = next((n for n in range(first, len(lines)) if end in lines[n]), first - 1)
    return set(range(first, last + 1))
