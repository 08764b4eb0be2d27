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
    """One step: the function to show, and the first and last lines of each highlighted span.

    A line is named by a piece of its code, so that it is found even after it has moved.
    """

    title: str
    words: str
    function: Callable
    spans: tuple[tuple[str, str], ...]
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
        (("def update", "def update"),),
        "MyTodo",
        ("def update",),
    ),
    Stop(
        "Each item is checked",
        "A model can send anything as an item. check() goes through the fields and makes a clean "
        "copy: tidy() trims text, a missing field gets its default, and validate() compares the "
        "value with the field's schema. If it does not fit, the error names the item and the rule.",
        TodoManager.check,
        (("for name, schema", "{name} required"), ("return clean", "return clean")),
        "MyTodo",
        ("text", "strip", "status"),
    ),
    Stop(
        "Only one in progress",
        "check_list() has the rules about the whole list, not about one item. With one task in "
        "progress the list says what is being done now. The model may put a task back to pending "
        "and take up another; it may not mark two.",
        TodoManager.check_list,
        (("started = [", "Only one task"),),
        "MyTodo",
        ("in_progress",),
    ),
    Stop(
        "Replace, and show it",
        "Everything that can fail comes before these two lines, so a rejected list leaves the old "
        "one unchanged. The whole list is replaced, never patched, and goes back to the model as "
        "text: that is how the model sees its own plan again.",
        TodoManager.update,
        (("self.items = checked", "return self.render()"),),
        "MyTodo",
        ("self.items =", "self.items[:]", "return self.render()"),
    ),
    Stop(
        "The reminder",
        "The loop calls this once a round. A call of the todo tool sets the count back to 0; any "
        "other round adds 1. When the count has reached the threshold, every round gets the "
        "reminder, until the model calls the tool again.",
        Nag.__call__,
        (("if any(", "return self.reminder()"),),
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

    def __init__(self, file: str | Path = FILE, stops: tuple[Stop, ...] = STOPS) -> None:
        super().__init__()
        self.stops = stops
        parts = read_own_parts(Path(file))
        self.state = {"stops": [draw_stop(stop) | draw_own(stop, parts) for stop in stops]}

    def text(self) -> str:
        """Return all steps, each with its highlighted lines."""
        parts = []
        for place, stop in enumerate(self.state["stops"], 1):
            title = f"{place}. {stop['title']}  ({stop['where']})"
            lit_lines = [line["pieces"] for line in stop["lines"] if line["lit"]]
            code = ["".join(text for _, text in pieces) for pieces in lit_lines]
            parts.append("\n".join([title, stop["words"], *code]))
        return "\n\n".join(parts)


def draw_stop(stop: Stop) -> dict[str, Any]:
    """Return the data that the browser draws of one step."""
    lines, first = inspect.getsourcelines(stop.function)
    file = Path(inspect.getfile(stop.function)).name
    bright = find_lit_lines(lines, stop.spans)
    return {
        "title": stop.title,
        "words": stop.words,
        "where": f"{file}, {stop.function.__qualname__}()",
        "lines": [
            {"number": first + index, "lit": index in bright, "pieces": pieces}
            for index, pieces in enumerate(split_into_tokens("".join(lines)))
        ],
    }


def read_own_parts(file: Path) -> dict[str, str]:
    """Return the source of the parts that `keep` has saved in `file`, by name; {} without one."""
    try:
        parts = read_parts(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        return {}
    if "MyNag" in parts:  # the reminder that shows the list replaces it
        parts.setdefault("MyReminder", parts["MyNag"])
    return parts


def draw_own(stop: Stop, parts: Mapping[str, str]) -> dict[str, Any]:
    """Return the learner's code for a step, or nothing if it is not there."""
    if stop.own_part not in parts:
        return {}
    source = parts[stop.own_part].strip() + "\n"
    lines = [
        {"number": number, "lit": any(word in text for word in stop.own_lines), "pieces": pieces}
        for number, (text, pieces) in enumerate(
            zip(source.splitlines(), split_into_tokens(source), strict=True), 1
        )
    ]
    return {"own": {"where": f"your {stop.own_part}", "lines": lines}}


def find_lit_lines(lines: list[str], spans: tuple[tuple[str, str], ...]) -> set[int]:
    """Return the indices of highlighted lines. A span whose ends are not found adds none."""
    bright: set[int] = set()
    for start, end in spans:
        first = next((n for n, line in enumerate(lines) if start in line), len(lines))
        last = next((n for n in range(first, len(lines)) if end in lines[n]), first - 1)
        bright.update(range(first, last + 1))
    return bright


def split_into_tokens(source: str) -> list[list[tuple[str, str]]]:
    """Return the source as lines of (kind, text).

    "k" is a keyword, "s" a string, "c" a comment, "d" a name that is being defined, "" the rest.
    """
    from pygments import lex
    from pygments.lexers import PythonLexer
    from pygments.token import Comment, Keyword, Name, Operator, String

    kinds = (
        (Keyword, "k"),
        (Operator.Word, "k"),
        (String, "s"),
        (Comment, "c"),
        (Name.Function, "d"),
    )
    lines: list[list[tuple[str, str]]] = [[]]
    for token, text in lex(source, PythonLexer(stripnl=False)):
        kind = next((name for group, name in kinds if token in group), "")
        for place, part in enumerate(text.split("\n")):
            if place:
                lines.append([])
            if part:
                lines[-1].append((kind, part))
    return lines[:-1]
