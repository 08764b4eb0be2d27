"""What a model with a window sees of a conversation, and whether its plan is among it.

A model with a window sees the newest prompt and the last messages after it. Where they begin is
the policy's rule (`find_start`, `find_edge`), which is asked here, so that a picture shows what the
model saw. A real agent's window is its harness's choice: without one, nothing is hidden.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..common.message_blocks import (
    MESSAGES_PER_ROUND,
    Message,
    blocks_of,
    contains,
    find_prompt,
    is_list_tool,
    read_items,
)
from ..practice.policy.history import find_edge, find_start


@dataclass(frozen=True)
class TodoList:
    """An accepted list: the index of the message that wrote it, and the texts of its items."""

    message: int
    items: tuple[str, ...]


@dataclass(frozen=True)
class View:
    """What the model sees of a request.

    `prompt` and `first` are the indices of the newest prompt and of the first message after it
    that is in the window. `plan` is the newest list that did not replace one out of view, or None;
    `seen` is the list that the model sees, or None.
    """

    prompt: int
    first: int
    plan: TodoList | None
    seen: TodoList | None

    @property
    def is_whole(self) -> bool:
        """Return whether the model sees everything after the newest prompt."""
        return self.first <= self.prompt + 1

    @property
    def is_lost(self) -> bool:
        """Return whether the model sees neither a list nor the start of the run."""
        return not self.is_whole and self.seen is None

    @property
    def has_left(self) -> bool:
        """Return whether the plan has left the window. A reminder in it may still show the plan."""
        return self.plan is not None and self.plan.message < self.first

    @property
    def lost_plan(self) -> TodoList | None:
        """Return the plan if it is out of view, even if the model sees a shorter list."""
        return None if self.plan == self.seen else self.plan


class Viewer:
    """Follows a conversation, and says for each request what the model sees of it."""

    def __init__(self, window: int | None) -> None:
        """Take the window in messages; None if everything is seen."""
        self.window = window
        self._lists: list[TodoList] = []
        self._plan: TodoList | None = None
        self._prompt = 0
        self._read = 0  # messages
        self._reminders: Sequence[str] = ()

    def look(self, messages: Sequence[Message], reminders: Sequence[str] = ()) -> View:
        """Return what is seen of the request `messages`, which has grown since the last call.

        `reminders` are those that the nag has returned up to now.
        """
        self._reminders = reminders
        for index in range(self._read, len(messages)):
            self._note(messages, index)
        self._read = len(messages)
        return self._see(messages)

    def _see(self, messages: Sequence[Message]) -> View:
        first = find_edge(self._prompt, len(messages), self.window)
        seen = next((each for each in reversed(self._lists) if each.message >= first), None)
        plan = self._plan
        if seen is None and plan and is_plan_shown(plan, messages[first:], self._reminders):
            seen = plan
        return View(self._prompt, first, self._plan, seen)

    def _note(self, messages: Sequence[Message], index: int) -> None:
        """Note a prompt, or the result of an accepted list."""
        message = messages[index]
        if find_prompt(message):
            self._prompt = find_start(messages[: index + 1])
        accepted = [  # no set: in a file, an id can be anything
            block.get("tool_use_id")
            for block in blocks_of(message)
            if block["type"] == "tool_result" and not block.get("is_error")
        ]
        for call in blocks_of(messages[index - 1]) if index else []:
            is_list = call["type"] == "tool_use" and is_list_tool(str(call.get("name", "")))
            if is_list and call.get("id") in accepted:
                items = read_items(call.get("input"))
                texts = tuple(str(item.get("text") or item.get("content") or "") for item in items)
                if texts:  # else it changes one task, and does not contain the list
                    self._add(TodoList(index - 1, texts), messages)

    def _add(self, written: TodoList, messages: Sequence[Message]) -> None:
        """Add a list. A shorter one than the plan that was out of view does not replace it."""
        lost = self._see(messages[: written.message]).lost_plan
        self._lists.append(written)
        if not (lost and len(written.items) < len(lost.items)):
            self._plan = written


def last_round_in_sight(window: int) -> int:
    """Return the last round in which a model sees both messages of round 1.

    Each round after it adds MESSAGES_PER_ROUND.
    """
    return window // MESSAGES_PER_ROUND + 1


def is_plan_shown(plan: TodoList, messages: Sequence[Message], reminders: Iterable[str]) -> bool:
    """Return whether one of the nag's reminders in these messages shows two items of the plan."""
    sent = [one for one in reminders if any(contains(message, one) for message in messages)]
    return any(sum(text != "" and text in one for text in plan.items) > 1 for one in sent)
