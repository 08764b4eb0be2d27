"""What a model with a window of so many messages sees of a request, and whether its list is in it.

It sees the newest prompt and the last `window` messages after it, as the practice model does (see
`practice.policy.window`). A real agent's window is its harness's choice: name it, or nothing is
hidden.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..practice.policy.window import REMINDER, read_items
from ..runs.bill import pluralize
from ..runs.messages import Message, blocks_of, text_of
from ..runs.step import is_list_tool


@dataclass(frozen=True)
class TodoList:
    """An accepted list: the index of the message that wrote it, and the text of its items."""

    message: int
    items: tuple[str, ...]


@dataclass(frozen=True)
class InView:
    """What the model sees of a request of `sent` messages.

    `prompt` and `first` are the indices of the newest prompt and of the first message after it
    that is in the window. `plan` is the newest list that did not replace one out of view, or None;
    `seen` is the list that the model sees, or None.
    """

    sent: int
    prompt: int
    first: int
    plan: TodoList | None
    seen: TodoList | None
    window: int | None = None

    @property
    def is_whole(self) -> bool:
        """Return whether the model sees everything after the newest prompt."""
        return self.first <= self.prompt + 1

    @property
    def is_lost(self) -> bool:
        """Return whether the model sees neither a list nor the start of the run."""
        return not self.is_whole and self.seen is None

    @property
    def plan_is_seen(self) -> bool:
        """Return whether the plan is in view, and not only a shorter list that replaced it."""
        return self.plan is not None and self.plan == self.seen

    @property
    def is_gone(self) -> bool:
        """Return whether the plan has left the window, and no reminder shows it."""
        is_out = self.plan is not None and self.plan.message < self.first
        return is_out and not self.plan_is_seen

    def as_data(self) -> dict[str, Any]:
        """Return the data that the browser draws."""
        plan, seen = self.plan, self.seen
        return {
            "sent": self.sent,
            "prompt": self.prompt,
            "first": self.first,
            "plan": [plan.message, plan.message + 1] if plan else [],
            "short": [seen.message, seen.message + 1] if seen and seen != plan else [],
            "gone": self.is_gone,
            "lost": self.is_lost,
            "words": self.describe_messages(),
            "list": self.describe_list(),
        }

    def describe_messages(self) -> str:
        """Return a sentence about how much of the request the model sees."""
        count = pluralize(self.sent, "message")
        if self.is_whole:
            return f"The model sees {'all ' if self.sent > 1 else ''}{count}."
        return f"The model sees the prompt and the last {self.sent - self.first} of {count}."

    def describe_room(self) -> str:
        """Return how many messages may follow before the list leaves the window, as text."""
        if self.window is None or self.plan is None or self.plan.message < self.first:
            return ""
        room = self.window - (self.sent - self.plan.message)
        if room < 1:
            return ", until the next message"
        return f"; after {pluralize(room, 'more message')} it leaves the window"

    def describe_list(self) -> str:
        """Return whether the model sees its list, as text; "" if it has none and needs none."""
        if self.plan is None:
            return "The model no longer sees how it began." if self.is_lost else ""
        size = f"its list of {len(self.plan.items)}"
        if self.plan_is_seen:
            return f"The model sees {size}{self.describe_room()}."
        if self.seen is None:
            return f"The model does not see {size} any more."
        return f"The model sees a list of {len(self.seen.items)}, not {size}."


def is_prompt(message: Message) -> bool:
    """Return whether a message is a prompt: the user's own words, not a tool result."""
    blocks = blocks_of(message)
    if message["role"] != "user" or any(block["type"] == "tool_result" for block in blocks):
        return False
    return any(REMINDER.sub("", text_of(block)).strip() for block in blocks)


class Viewer:
    """Follows a conversation, and says for each request what the model sees of it."""

    def __init__(self, window: int | None) -> None:
        """Take the window in messages; None if everything is seen."""
        self.window = window
        self._lists: list[TodoList] = []
        self._plan: TodoList | None = None
        self._prompt = self._read = 0

    def look(self, messages: Sequence[Message]) -> InView:
        """Return what is seen of the request `messages`, which has grown since the last call."""
        for index in range(self._read, len(messages)):
            self._note(messages, index)
        self._read = len(messages)
        return self._see(messages)

    def _see(self, messages: Sequence[Message]) -> InView:
        prompt, size = self._prompt, self.window
        first = prompt + 1 if size is None else max(prompt + 1, len(messages) - size)
        seen = next((each for each in reversed(self._lists) if each.message >= first), None)
        if seen is None and self._plan and is_shown(self._plan, messages[first:]):
            seen = self._plan
        return InView(len(messages), prompt, first, self._plan, seen, self.window)

    def _note(self, messages: Sequence[Message], index: int) -> None:
        """Note a prompt, or a list that was accepted: its result is in the message at `index`."""
        if is_prompt(messages[index]):
            self._prompt = index
        results = {
            block.get("tool_use_id")
            for block in blocks_of(messages[index])
            if block["type"] == "tool_result" and not block.get("is_error")
        }
        calls = blocks_of(messages[index - 1]) if index else []
        for call in calls:
            is_list = call["type"] == "tool_use" and is_list_tool(str(call.get("name", "")))
            if not is_list or call.get("id") not in results:
                continue
            given = call.get("input")
            items = read_items(given) if isinstance(given, Mapping) else []
            texts = tuple(str(item.get("text") or item.get("content") or "") for item in items)
            if not texts:  # it changes one task, and does not contain the list
                continue
            view = self._see(messages[: index - 1])
            is_short = self._plan and view.seen != self._plan and len(texts) < len(self._plan.items)
            self._lists.append(TodoList(index - 1, texts))
            if not is_short:
                self._plan = self._lists[-1]


def is_shown(plan: TodoList, messages: Sequence[Message]) -> bool:
    """Return whether a reminder in these messages shows two items of the plan or more."""
    parts = [block for message in messages for block in blocks_of(message)]
    parts += [part for block in parts for part in blocks_of(block)]
    reminders = "\n".join(found for part in parts for found in REMINDER.findall(text_of(part)))
    return sum(text != "" and text in reminders for text in plan.items) > 1
