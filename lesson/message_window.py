"""What is in view: which messages of a request a model sees, and what each of them is.

A model with a window sees the newest prompt and the last messages after it. Where they begin is
the policy's rule (`find_start`, `find_edge`); the widgets and the pictures ask this module, so that
a picture shows what the model saw. A real agent's window is its harness's choice: name it, or
nothing is hidden.

A *kind* is the letter of a message: see `picture_letters`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .message_blocks import (
    Message,
    blocks_of,
    find_prompt,
    find_reminders,
    is_list_tool,
    read_items,
)
from .picture_letters import GHOST, OTHER, PLAN, REMOVED, SHORT
from .practice.policy.history import find_edge, find_start


@dataclass(frozen=True)
class TodoList:
    """An accepted list: the index of the message that wrote it, and the text of its items."""

    message: int
    items: tuple[str, ...]


@dataclass(frozen=True)
class InView:
    """What the model sees of a request of `sent` messages.

    `prompt` and `first` are the indices of the newest prompt and of the first message after it
    that is in the window. `column` has the letters of the messages after the prompt, see `column`.
    `plan` is the newest list that did not replace one out of view, or None; `seen` is the list that
    the model sees, or None.
    """

    sent: int
    prompt: int
    first: int
    column: str
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


class Viewer:
    """Follows a conversation, and says for each request what the model sees of it."""

    def __init__(self, window: int | None) -> None:
        """Take the window in messages; None if everything is seen."""
        self.window = window
        self._lists: list[TodoList] = []
        self._plan: TodoList | None = None
        self._prompt = 0
        self._kinds: list[str] = []  # of the messages that were read

    def look(self, messages: Sequence[Message]) -> InView:
        """Return what is seen of the request `messages`, which has grown since the last call."""
        for index in range(len(self._kinds), len(messages)):
            self._read(messages, index)
        return self._see(messages)

    def _see(self, messages: Sequence[Message]) -> InView:
        first = find_edge(self._prompt, len(messages), self.window)
        seen = next((each for each in reversed(self._lists) if each.message >= first), None)
        if seen is None and self._plan and is_shown(self._plan, messages[first:]):
            seen = self._plan
        letters = column("".join(self._kinds[self._prompt + 1 :]), self.window)
        return InView(len(messages), self._prompt, first, letters, self._plan, seen, self.window)

    def _read(self, messages: Sequence[Message], index: int) -> None:
        """Read a message: a prompt, the result of an accepted list, or anything else."""
        message = messages[index]
        self._kinds.append(OTHER.upper() if find_reminders(message) else OTHER)
        if find_prompt(message):
            self._prompt = find_start(messages[: index + 1])
        results = [  # no set: in a file, an id can be anything
            block.get("tool_use_id")
            for block in blocks_of(message)
            if block["type"] == "tool_result" and not block.get("is_error")
        ]
        calls = blocks_of(messages[index - 1]) if index else []
        for call in calls:
            is_list = call["type"] == "tool_use" and is_list_tool(str(call.get("name", "")))
            if not is_list or call.get("id") not in results:
                continue
            items = read_items(call.get("input"))
            texts = tuple(str(item.get("text") or item.get("content") or "") for item in items)
            if texts:  # else it changes one task, and does not contain the list
                self._note_list(TodoList(index - 1, texts), messages)

    def _note_list(self, written: TodoList, messages: Sequence[Message]) -> None:
        """Note a list. A shorter one than the plan that was out of view does not replace it."""
        plan, view = self._plan, self._see(messages[: written.message])
        is_short = plan and view.seen != plan and len(written.items) < len(plan.items)
        self._lists.append(written)
        if not is_short:
            self._plan = written
        for index in (written.message, written.message + 1):
            has_reminder = self._kinds[index].isupper()
            letter = SHORT if is_short else PLAN
            self._kinds[index] = letter.upper() if has_reminder else letter


def column(kinds: str, window: int | None = None) -> str:
    """Return what a column of the picture contains: a letter for each message, the newest first.

    `kinds` are those of the messages after the prompt, the oldest first. The first `window` letters
    of the result are in view. Above them, GHOST is the plan that has left the window, and REMOVED
    any other message. The result of a call that has left is OTHER: without the call it is no list.
    """
    letters = list(reversed(kinds))
    if window is None or len(letters) <= window:
        return "".join(letters)
    seen, above = letters[:window], "".join(letters[window:]).lower()
    is_cut = len(above) % 2 == 1  # each round adds a call and its result
    if is_cut and seen[-1].lower() in PLAN + SHORT:
        seen[-1] = OTHER.upper() if seen[-1].isupper() else OTHER
    start = -1 if PLAN in "".join(seen).lower() else above.find(PLAN)
    size = 1 if is_cut and start == 0 else 2  # the result of a cut call is still in view
    ghosts = range(start, start + size) if start >= 0 else ()
    return "".join(seen) + "".join(GHOST if n in ghosts else REMOVED for n in range(len(above)))


def last_round_in_sight(window: int) -> int:
    """Return the last round in which a model sees both messages of round 1.

    Each round adds two messages: a call and its result.
    """
    return window // 2 + 1


def is_shown(plan: TodoList, messages: Iterable[Message]) -> bool:
    """Return whether a reminder in these messages shows two items of the plan or more."""
    reminders = "\n".join(found for message in messages for found in find_reminders(message))
    return sum(text != "" and text in reminders for text in plan.items) > 1
