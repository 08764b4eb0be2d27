"""The code walkthrough: five steps through the code of this very package, with lines lit up."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import traitlets

from ..nag import Nag
from ..todo import TodoManager
from .base import View, script, style


@dataclass(frozen=True)
class Stop:
    """One step: the function that is shown, and from which line to which it is lit.

    A line is named by a piece of its code, so that it is found wherever it has moved to.
    """

    title: str
    words: str
    function: Callable
    spans: tuple[tuple[str, str], ...]


STOPS = (
    Stop(
        "update() is the only write",
        "The list changes here and nowhere else. The model calls the todo tool, the tool calls "
        "update(), and what update() returns is what the model reads. So this one function is "
        "all that has to be right.",
        TodoManager.update,
        (("def update", "def update"),),
    ),
    Stop(
        "Each item is checked",
        "An item that a model wrote may be anything. check() goes through the fields and makes a "
        "clean copy: text trimmed, status known, what was left out filled in. If a value does not "
        "fit its schema, it raises, and the message names the item and the rule.",
        TodoManager.check,
        (("for name, schema", "{name} required"), ("return clean", "return clean")),
    ),
    Stop(
        "Only one in progress",
        "This rule looks at the whole list, not at one item. With one task in progress the list "
        "says what is being done now. The model may put a task back to pending and take up "
        "another; it may not mark two.",
        TodoManager.update,
        (("started = [", "Only one task"),),
    ),
    Stop(
        "Replace, and show it",
        "Everything that can fail is above these two lines, so a refused list leaves the old one "
        "as it was. The whole list is replaced, never patched, and goes back to the model as "
        "text: that is how the model sees its own plan again.",
        TodoManager.update,
        (("self.items = checked", "return self.render()"),),
    ),
    Stop(
        "The reminder",
        "The loop asks this once a round. A call of the todo tool sets the count back to 0; any "
        "other round adds one. From the threshold on, every round gets the reminder, until the "
        "list is touched.",
        Nag.__call__,
        (("if any(", "return self.reminder()"),),
    ),
)


class Walkthrough(View):
    """Shows the steps one at a time. `at` is the step, from 0. The code is read when shown."""

    _esm = script("walkthrough")
    _css = style("walkthrough")
    at = traitlets.Int(0).tag(sync=True)

    def __init__(self, stops: tuple[Stop, ...] = STOPS) -> None:
        super().__init__()
        self.stops = stops
        self.state = {"stops": [drawn(stop) for stop in stops]}

    def text(self) -> str:
        """All steps, each with the lines that are lit."""
        parts = []
        for place, stop in enumerate(self.state["stops"], 1):
            code = [
                "".join(piece[1] for piece in line["pieces"])
                for line in stop["lines"]
                if line["lit"]
            ]
            parts.append(
                "\n".join([f"{place}. {stop['title']}  ({stop['where']})", stop["words"], *code])
            )
        return "\n\n".join(parts)


def drawn(stop: Stop) -> dict[str, Any]:
    """What the browser draws of one step."""
    lines, first = inspect.getsourcelines(stop.function)
    file = Path(inspect.getfile(stop.function)).name
    bright = lit(lines, stop.spans)
    return {
        "title": stop.title,
        "words": stop.words,
        "where": f"{file}, {stop.function.__qualname__}()",
        "lines": [
            {"number": first + index, "lit": index in bright, "pieces": pieces}
            for index, pieces in enumerate(coloured("".join(lines)))
        ],
    }


def lit(lines: list[str], spans: tuple[tuple[str, str], ...]) -> set[int]:
    """The indices of the lines to light up. A span whose ends are not there lights nothing."""
    bright: set[int] = set()
    for start, end in spans:
        first = next((n for n, line in enumerate(lines) if start in line), len(lines))
        last = next((n for n in range(first, len(lines)) if end in lines[n]), first - 1)
        bright.update(range(first, last + 1))
    return bright


def coloured(source: str) -> list[list[tuple[str, str]]]:
    """The source as lines of (kind, text): "k" a keyword, "s" a string, "c" a comment, "d" a name
    that is defined, "" all else."""
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
