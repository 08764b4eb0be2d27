"""The base class of a list: it shows the items, and `todo.py` has the rest."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from safetylib.guard import escape

__all__ = ["IN_THE_LINE", "MARKS", "RenderedList"]

MARKS = {"pending": "[ ]", "in_progress": "[>]", "completed": "[x]"}
# The fields that the line of an item shows in their own way. Any other field is shown by name.
IN_THE_LINE = ("id", "text", "status", "activeForm")


class RenderedList:
    """A list that shows its items. A subclass adds `fields` and `update`."""

    fields: Any

    def __init__(self) -> None:
        self.items: list[Any] = []
        if hasattr(self, "fields"):
            self.fields = deepcopy(dict(self.fields))  # or a list could change those of all lists

    def render(self) -> str:
        """Return the list as text: one line for each item, then how many are completed."""
        if not self.items:
            return "No todos."
        done = sum(item.get("status") == "completed" for item in self.items)
        # A line break inside `text` would look like another item, so each item is one line.
        lines = [" ".join(self.line(item).splitlines()) for item in self.items]
        lines += ["", f"({done}/{len(self.items)} completed)"]
        # Other control characters could clear the screen.
        return escape.for_screen("\n".join(lines))

    def line(self, item: Mapping[str, Any]) -> str:
        """Return one item as one line: `[>] #2: Add tests  <- Adding tests…`."""
        mark = MARKS.get(str(item.get("status")), "[?]")  # a subclass can add a status
        number = f" #{item['id']}:" if item.get("id") not in (None, "") else ""
        extra = [f"{name}: {item[name]}" for name in item if name not in IN_THE_LINE]
        text = f"{mark}{number} {item['text']}" + (f" ({', '.join(extra)})" if extra else "")
        active = str(item.get("activeForm") or "").rstrip(".… ")  # models often send the dots
        if active and item.get("status") == "in_progress":
            text += f"  <- {active}…"
        return text
