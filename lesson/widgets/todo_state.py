"""A todo list, the evidence for it in the files, and the nag's count, as plain data to draw."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from agentlib.nag import Nag
from agentlib.todo import IN_THE_LINE

from ..message_window import InView
from ..picture_letters import OPEN, SHOWN, find_letter
from ..pluralize import pluralize
from ..runs.measured import count_claims

MOST_LETTERS = 120  # of a column: more messages are not drawn


def draw_plan(items: Iterable[Mapping[str, Any]], evidence: Mapping[str, bool]) -> dict[str, Any]:
    """Return what the browser draws of a todo list, with the fields that are shown by name.

    `evidence` says for the text of each step whether the files show that it is done; it is empty
    if the files were not checked. `files` has a letter for each step in it, SHOWN or OPEN.
    """
    shown = {text.casefold() for text, done in evidence.items() if done}
    files = "".join(SHOWN if done else OPEN for done in evidence.values())
    drawn = [
        {
            "id": str(item.get("id", position)),
            "text": str(item["text"]),
            "status": item["status"],
            "letter": find_letter(item, shown),
            "active": format_active_form(item),
            "more": [f"{key}: {item[key]}" for key in item if key not in IN_THE_LINE],
        }
        for position, item in enumerate(items, 1)
    ]
    return {"items": drawn, "files": files}


def describe_evidence(files: str) -> str:
    """Return the `files` of a drawn plan as a sentence, or "": "The files show 3 of 10."."""
    return f"The files show {files.count(SHOWN)} of {len(files)}." if files else ""


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


def describe_progress(items: Sequence[Mapping[str, Any]]) -> str:
    """Return the progress of a list: "3 of 10 completed"."""
    return f"{count_claims(items)} completed" if items else "no list"


def draw_view(view: InView) -> dict[str, Any]:
    """Return what the browser draws of a request: see `InView` in types.js."""
    return {
        "sent": view.sent,
        "prompt": view.prompt,
        "first": view.first,
        "column": view.column[:MOST_LETTERS],
        "lost": view.is_lost,
        "list": describe_list(view),
    }


def describe_list(view: InView) -> str:
    """Return whether the model sees its list, as text; "" if it has none and needs none."""
    if view.plan is None:
        return "The model no longer sees how it began." if view.is_lost else ""
    size = f"its list of {len(view.plan.items)}"
    if view.seen is None:
        return f"The model does not see {size} any more."
    if not view.plan_is_seen:
        return f"The model sees a list of {len(view.seen.items)}, not {size}."
    if view.window is None or view.plan.message < view.first:  # a reminder may show the list
        return f"The model sees {size}."
    room = view.window - (view.sent - view.plan.message)
    if room < 1:
        return f"The model sees {size}, until the next message."
    return (
        f"The model sees {size}, which stays in the window for {pluralize(room, 'more message')}."
    )
