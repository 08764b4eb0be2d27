"""The base of the learner's list: it shows the items, and the learner writes the rest."""

from typing import Any

from agentlib.schemas import SharedFields
from agentlib.todo import IN_THE_LINE, MARKS
from safetylib import escape


class Shown(metaclass=SharedFields):
    """A list that can show its items, whatever they are. It has no `fields` and no `update` yet.

    The `fields` of a class that extends it cannot be changed once the class is made.
    """

    def __init__(self) -> None:
        self.items: list[Any] = []

    def render(self) -> str:
        """Return the list as text: one line for each item, then how many are completed."""
        if not self.items:
            return "No todos."
        done = sum(item.get("status") == "completed" for item in self.items)
        # A line break in a text would look like another item, so each item becomes one line.
        lines = [" ".join(self.line(item).splitlines()) for item in self.items]
        lines += ["", f"({done}/{len(self.items)} completed)"]
        # Other control characters could clear the screen.
        return escape.for_screen("\n".join(lines))

    def line(self, item: Any) -> str:
        """Return one item as a line: `[>] #2: Add tests (priority: high)  <- Adding tests…`."""
        # A list without rules can have items with an unknown status, and without an id.
        text = MARKS.get(str(item.get("status")), "[?]")
        text += f" #{item['id']}:" if item.get("id") not in (None, "") else ""
        text += f" {item['text']}"
        extra = [f"{name}: {value}" for name, value in item.items() if name not in IN_THE_LINE]
        if extra:
            text += f" ({', '.join(extra)})"
        active = str(item.get("activeForm") or "").rstrip(".… ")  # models often send the dots
        if active and item.get("status") == "in_progress":
            text += f"  <- {active}…"
        return text
