"""A todo list and the nag's count as plain data, for every widget that shows them."""

from collections.abc import Iterable, Mapping
from typing import Any

from ..nag import Nag
from ..todo import TodoManager

EMPTY = "No list yet: the model writes it with the todo tool."


def plan(items: Iterable[Mapping[str, Any]], title: str = "The plan", empty: str = EMPTY) -> dict:
    """What the browser draws of a todo list. Fields that a subclass added are shown as they are."""
    shown = [
        {
            "id": str(item["id"]),
            "text": str(item["text"]),
            "status": item["status"],
            "active": active(item),
            "more": [f"{key}: {item[key]}" for key in item if key not in TodoManager.fields],
        }
        for item in items
    ]
    done = sum(item["status"] == "completed" for item in shown)
    return {"title": title, "items": shown, "done": done, "empty": empty}


def active(item: Mapping[str, Any]) -> str | None:
    """The active form, on the line in progress only: "Adding tests…"."""
    form = str(item.get("activeForm") or "").rstrip(".… ")
    return f"{form}…" if form and item["status"] == "in_progress" else None


def counter(nag: Nag | None, reminded: bool = False) -> dict:
    """What the browser draws of a nag: rounds without a todo call, out of its threshold."""
    if nag is None:
        return {"waited": 0, "after": None, "reminded": False}
    return {"waited": nag.rounds, "after": nag.after, "reminded": reminded}


def completed(items: Iterable[Mapping[str, Any]]) -> str:
    """How far a list is: "3 of 10 completed"."""
    statuses = [item["status"] for item in items]
    return f"{statuses.count('completed')} of {len(statuses)} completed" if statuses else "no list"


def waiting(count: Mapping[str, Any]) -> str:
    """A counter as a sentence; empty where there is no nag."""
    if count["after"] is None:
        return ""
    sent = " Reminder sent." if count["reminded"] else ""
    return f"{count['waited']} of {number(count['after'], 'round')} without a todo call.{sent}"


def number(count: int, word: str) -> str:
    """A count with its noun: "1 round", "2 rounds", "12,345 tokens"."""
    return f"{count:,} {word}" + ("" if count == 1 else "s")
