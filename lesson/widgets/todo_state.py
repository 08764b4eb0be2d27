"""A todo list, the evidence for it in the files, and the nag's count, as plain data to draw."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from agentlib.nag import Nag
from agentlib.todo import TodoManager

from ..practice.policy.tasks import load
from ..runs.bill import pluralize


def draw_plan(
    items: Iterable[Mapping[str, Any]],
    steps: Sequence[Mapping[str, Any]] | None,
) -> dict[str, Any]:
    """Return what the browser draws of a todo list, with the fields that a subclass added.

    `steps` is the result of `list_evidence`, or None if the files were not checked. "shown" says
    for each item whether they show that it is done.
    """
    done = {step["text"].casefold(): step["done"] for step in steps or ()}
    drawn = [
        {
            "id": str(item.get("id", position)),
            "text": str(item["text"]),
            "status": item["status"],
            "active": format_active_form(item),
            "more": [f"{key}: {item[key]}" for key in item if key not in TodoManager.fields],
            "shown": None if steps is None else done.get(str(item["text"]).casefold(), False),
        }
        for position, item in enumerate(items, 1)
    ]
    completed = sum(item["status"] == "completed" for item in drawn)
    return {"title": "The list", "items": drawn, "done": completed, "steps": steps}


def list_evidence(task: str, done: Sequence[bool]) -> list[dict[str, Any]]:
    """Return the steps of a practice task, and for each whether the files show that it is done."""
    steps = load(task).steps
    return [{"text": step.text, "done": is_done} for step, is_done in zip(steps, done, strict=True)]


def describe_evidence(steps: Sequence[Mapping[str, Any]] | None) -> str:
    """Return the evidence as a sentence: "The files show 3 of 10."; "" if it is not known."""
    if steps is None:
        return ""
    return f"The files show {sum(step['done'] for step in steps)} of {len(steps)}."


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
