"""The rules of PriorityNag: its reminder ends with the next task.

A story has the names of `my_nag.py`, and `next_line(…)` leaves out the whitespace around the line.
"""

import re
from functools import partial
from typing import Any

from lesson.common.solutions import read_solutions

from .kit.lists import LEVELS
from .kit.tasks import Own
from .my_nag import CHANGES, END, STORIES, VIEWS, NagPage, make_names, make_random


def next_line(text: Any) -> Any:
    """Return a reminder without the whitespace before its last line and its last tag."""
    if not isinstance(text, str):
        return text
    before, line, after = re.sub(rf"\s*{END}\s*$", END, text).rpartition("\nNext: ")
    return f"{before.rstrip()}{line}{after}"


def find_next(items: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the item that a reminder names, or {}. Without a priority, an item is medium."""
    pending = [item for item in items if item["status"] == "pending"]
    return min(pending, key=lambda item: LEVELS.index(item.get("priority", "medium")), default={})


def describe(item: dict[str, Any]) -> str:
    """Return the text of an item, its status and its priority."""
    if not item:
        return "none"
    return f"{item['text']!r} ({item['status']}, {item.get('priority', 'without a priority')})"


def find_values(scope: dict[str, Any], got: Any, right: Any) -> dict[str, str]:
    """Return the task that is to be named, the one that is, and the reminder of the parent."""
    items = scope["todo"].items
    best = find_next(items)
    text = best.get("text", "")
    match = re.search(rf"(?s)Next: (.*)\.\s*{END}$", str(got))
    named: dict[str, str] = next((item for item in items if match and item["text"] == match[1]), {})
    pending = [item for item in items if item["status"] == "pending"]
    levels = [item.get("priority", "medium") for item in (named, *pending)]
    about = ["first round" if scope["nag"].rounds == 1 else ""]
    about += ["high" if "high" in levels[1:] else "none is high"]
    about += ["a tie" if levels[0] == best.get("priority", "medium") else ""]
    about += ["the lowest" if levels[0] == max(levels, key=LEVELS.index) else ""]
    return {
        "begin": str(right).removesuffix(END).removesuffix(f"\nNext: {text}.").rstrip(),
        "text": text,
        "best": describe(best),
        "named": named.get("text", "no task of the list"),
        "which": describe(named),
        "about": f"# {named.get('status', 'nothing')}, {', '.join(filter(None, about))}",
    }


PAGE = NagPage(
    "PriorityNag",
    __file__,
    partial(make_names, Own, "Add tests pending low"),
    views=(*VIEWS, next_line),
    values=find_values,
    solutions=read_solutions(),
)
PAGE.add(
    reminds_when_its_parent_does=[story.replace("MyNag", "PriorityNag") for story in STORIES],
    only_reads=make_random("PriorityNag", CHANGES, ["", *LEVELS])[::2],
    all_together=make_random("PriorityNag", "next_line(nag({calls}))", ["", *LEVELS]),
)
