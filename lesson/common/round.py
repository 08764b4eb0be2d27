"""One round of any loop, as the lesson draws and counts it."""

from dataclasses import dataclass
from typing import Any

from agentlib.tools import Call
from safetylib.guard import escape
from safetylib.wire import replies


@dataclass(frozen=True)
class Round:
    """One round of the loop (others say step or turn): a request, its reply, and its tool calls.

    `number` counts from 1. `text` is the reply's text, `calls` are its tool calls with their
    output, and `reminder` is the text that was sent with the results. `usage` and `stop_reason` are
    the reply's. `messages` are those that the round appended. `is_last` is true if the run ended
    with it.
    """

    number: int
    text: str
    calls: tuple[Call, ...]
    reminder: str | None
    usage: replies.Usage
    stop_reason: str | None
    messages: tuple[dict[str, Any], ...] = ()
    is_last: bool = False

    def __str__(self) -> str:
        """Return the round as one line for a log."""
        text = " ".join(self.text.split())
        parts = [str(call) for call in self.calls] or [escape.for_print(text) or "(empty)"]
        if self.reminder:
            parts.append("+ reminder")
        return "  ".join([f"{self.number:2}", *parts])
