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
from .summaries import classify_tool


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

    @property
    def is_whole(self) -> bool:
        """Whether the model sees everything after the newest prompt."""
        return self.first <= self.prompt + 1

    @property
    def is_lost(self) -> bool:
        """Whether it sees neither a list nor how it began."""
        return not self.is_whole and self.seen is None

    @property
    def plan_is_seen(self) -> bool:
        """Whether the plan itself is in view, and not only a shorter list that replaced it."""
        return self.plan is not None and self.plan == self.seen

    def as_data(self) -> dict[str, Any]:
        """What the browser draws."""
        plan = self.plan if self.plan and self.plan.message < self.first else None
        return {
            "sent": self.sent,
            "prompt": self.prompt,
            "first": self.first,
            "plan": [self.plan.message, self.plan.message + 1] if self.plan else [],
            "gone": plan is not None and not self.plan_is_seen,
            "lost": self.is_lost,
            "words": self.describe_messages(),
            "list": self.describe_list(),
        }

    def describe_messages(self) -> str:
        """How much of the request the model sees."""
        count = pluralize(self.sent, "message")
        if self.is_whole:
            return f"The model sees {'all ' if self.sent > 1 else ''}{count}."
        return f"The model sees the prompt and the last {self.sent - self.first} of {count}."

    def describe_list(self) -> str:
        """Whether the model sees its list; "" if it has none and still sees how it began."""
        if self.plan is None:
            return "It no longer sees how it began." if self.is_lost else ""
        size = f"its list of {len(self.plan.items)}"
        if self.plan_is_seen:
            return f"It sees {size}."
        if self.seen is None:
            return f"It does not see {size} any more."
        return f"It sees a list of {len(self.seen.items)}, not {size}."


def find_prompt(messages: Sequence[Message]) -> int:
    """Return the index of the newest prompt: the user's own words, not a tool result."""
    for index in range(len(messages) - 1, -1, -1):
        blocks = blocks_of(messages[index])
        is_result = any(block["type"] == "tool_result" for block in blocks)
        words = "".join(REMINDER.sub("", text_of(block)) for block in blocks)
        if messages[index]["role"] == "user" and not is_result and words.strip():
            return index
    return 0


def find_first(messages: Sequence[Message], window: int | None) -> tuple[int, int]:
    """Return the indices of the newest prompt and of the first message in view after it."""
    prompt = find_prompt(messages)
    if window is None:
        return prompt, prompt + 1
    return prompt, max(prompt + 1, len(messages) - window)


class Viewer:
    """Follows a conversation, and says for each request what the model sees of it."""

    def __init__(self, window: int | None) -> None:
        """`window` is in messages; None if everything is seen."""
        self.window = window
        self._lists: list[TodoList] = []
        self._plan: TodoList | None = None
        self._read = 0

    def look(self, messages: Sequence[Message]) -> InView:
        """Return what is seen of the request `messages`, which has grown since the last call."""
        for index in range(self._read, len(messages)):
            self._note(messages, index)
        self._read = len(messages)
        return self._see(messages)

    def _see(self, messages: Sequence[Message]) -> InView:
        prompt, first = find_first(messages, self.window)
        seen = next((each for each in reversed(self._lists) if each.message >= first), None)
        if seen is None and self._plan and is_shown(self._plan, messages[first:]):
            seen = self._plan
        return InView(len(messages), prompt, first, self._plan, seen)

    def _note(self, messages: Sequence[Message], index: int) -> None:
        """Note a list that was accepted: its result is in the message at `index`."""
        results = {
            block.get("tool_use_id")
            for block in blocks_of(messages[index])
            if block["type"] == "tool_result" and not block.get("is_error")
        }
        calls = blocks_of(messages[index - 1]) if index else []
        for call in calls:
            is_list = call["type"] == "tool_use" and classify_tool(call.get("name", "")) == "plan"
            if not is_list or call.get("id") not in results:
                continue
            given = call.get("input")
            items = read_items(given) if isinstance(given, Mapping) else []
            texts = tuple(str(item.get("text") or item.get("content") or "") for item in items)
            view = self._see(messages[: index - 1])
            is_short = self._plan and view.seen != self._plan and len(texts) < len(self._plan.items)
            self._lists.append(TodoList(index - 1, texts))
            if not is_short:
                self._plan = self._lists[-1]


def is_shown(plan: TodoList, messages: Sequence[Message]) -> bool:
    """Whether a reminder in these messages shows two items of the plan or more."""
    parts = [block for message in messages for block in blocks_of(message)]
    parts += [part for block in parts for part in blocks_of(block)]
    reminders = "\n".join(found for part in parts for found in REMINDER.findall(text_of(part)))
    return sum(text != "" and text in reminders for text in plan.items) > 1
