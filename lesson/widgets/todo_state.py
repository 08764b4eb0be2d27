"""A todo list, the evidence for it in the files, and the nag's count, as plain data to draw."""

from collections.abc import Iterable, Mapping
from typing import Any

from agentlib.nag import Nag
from agentlib.todo import TodoManager

from ..runs.bill import pluralize
from ..runs.measured import find_letter


def draw_plan(items: Iterable[Mapping[str, Any]], evidence: Mapping[str, bool]) -> dict[str, Any]:
    """Return what the browser draws of a todo list, with the fields that a subclass added.

    `evidence` says for the text of each step whether the files show that it is done; it is empty
    if the files were not checked. `files` has a letter for each step in it: "x" or ".".
    """
    shown = {text.casefold() for text, done in evidence.items() if done}
    files = "".join("x" if done else "." for done in evidence.values())
    drawn = [
        {
            "id": str(item.get("id", position)),
            "text": str(item["text"]),
            "status": item["status"],
            "letter": find_letter(item, shown),
            "active": format_active_form(item),
            "more": [f"{key}: {item[key]}" for key in item if key not in TodoManager.fields],
        }
        for position, item in enumerate(items, 1)
    ]
    return {"title": "The list", "items": drawn, "files": files}


def describe_evidence(files: str) -> str:
    """Return the `files` of a drawn plan as a sentence, or "": "The files show 3 of 10."."""
    return f"The files show {files.count('x')} of {len(files)}." if files else ""


def format_active_form(item: Mapping[str, Any]) -> str | None:
    """Return the active form of the item in progress, "Adding tests…"; None for any other item."""
    form = str(item.get("activeForm") or "").rstrip(".… ")
    return f"{form}…" if form and item["status"] == "in_progress" else None


def draw_counter(nag: Nag | None, reminded: bool = False) -> dict[str, Any]:
    """Return what the browser draws of a nag: the rounds without a todo call, and its threshold.

    A learner's nag may have no `rounds` and `after`. Then there is no counter to draw.
    """
    if nag is None or not (hasattr(nag, "rounds") and hasattr(nag, "after")):
        return {"waited": 0, "after": None, "reminded": False}
    return {"waited": nag.rounds, "after": nag.after, "reminded": reminded}


def describe_progress(items: Iterable[Mapping[str, Any]]) -> str:
    """Return the progress of a list: "3 of 10 completed"."""
    statuses = [item["status"] for item in items]
    return f"{statuses.count('completed')} of {len(statuses)} completed" if statuses else "no list"


def describe_waiting(count: Mapping[str, Any]) -> str:
    """Return a counter as a sentence; empty if there is no nag."""
    if count["after"] is None:
        return ""
    sent = " Reminder sent." if count["reminded"] else ""
    return f"{count['waited']} of {pluralize(count['after'], 'round')} without a todo call.{sent}"
