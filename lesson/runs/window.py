"""Follow what a model sees of its plan, in what the program sends of a conversation.

A model sees the request and nothing else. With a window, the program sends the prompt and the last
messages, so what is older has left the window. A loop can also leave messages out by itself.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from agentlib.window import is_reply
from safetylib.wire.run_file import begins_with

from ..common.message_blocks import (
    MESSAGES_PER_ROUND,
    Message,
    blocks_of,
    read_plans,
    texts_of,
)
from ..common.round import Round

SMALLEST_WINDOW = 4  # messages, or two rounds: with less, the practice model makes no progress


@dataclass(frozen=True)
class TodoList:
    """An accepted list: the round that wrote it, and the texts of its items."""

    round: int
    items: tuple[str, ...]


@dataclass(frozen=True)
class View:
    """What the model sees in a round, which is the request of this round.

    A request with none of the replies before it, after a reply that called no tool, begins a new
    conversation: `start` is how many rounds there were before it, and none of them has left a
    window.

    `number` is the round, and `numbers` has for each message of the request the round that it came
    in: 0 for those before the first reply. `left_out` has the messages of the rounds that the
    request lacks, by their numbers. `opening` are the texts with which the conversation began.
    `plan` is the newest list that did not replace one out of view, or None; `seen` is the list that
    the model sees, or None.
    """

    number: int
    numbers: tuple[int, ...]
    left_out: Mapping[int, Sequence[Message]] = field(default_factory=dict)
    opening: tuple[str, ...] = ()
    plan: TodoList | None = None
    seen: TodoList | None = None
    start: int = 0

    @property
    def frame(self) -> tuple[int, int]:
        """Return the rounds in view, in squares from the left end of a tape."""
        return max(self.left_out, default=self.start), self.number - 1

    @property
    def is_whole(self) -> bool:
        """Return whether the model sees every round before this one of its conversation."""
        return not self.left_out

    @property
    def is_lost(self) -> bool:
        """Return whether the model sees neither a list nor the start of its conversation."""
        return not self.is_whole and self.seen is None

    @property
    def has_left(self) -> bool:
        """Return whether the plan has left the window. A later message may still show the plan."""
        return self.plan is not None and self.plan.round in self.left_out

    @property
    def lost_plan(self) -> TodoList | None:
        """Return the plan if it is out of view, even if the model sees a shorter list."""
        return None if self.plan == self.seen else self.plan


class Viewer:
    """Follows a run, and says for each request what the model sees of the run."""

    def __init__(self) -> None:
        self._rounds: list[Round] = []
        self._keys: list[list[str]] = []  # what the reply of each round is known by
        self._lists: list[TodoList] = []
        self._plan: TodoList | None = None
        self._sent: dict[int, list[Message]] = {}  # the messages of each round, when first sent
        self._opening: tuple[str, ...] = ()
        self._start = 0  # how many rounds there were before this conversation
        self._looked: Sequence[Message] = ()  # the messages of the newest view
        self._view = View(0, ())

    def look(self, messages: Sequence[Message]) -> View:
        """Return what is seen of the request with these messages."""
        newest = len(self._rounds)
        numbers = self._number(messages)
        if newest and self._rounds[-1].is_last and not any(numbers):
            self._start, self._lists, self._plan = newest, [], None
        if newest == self._start:
            self._opening = tuple(text for message in messages for text in texts_of(message))
        if newest:
            sent = messages[bisect_left(numbers, newest) :]
            self._sent[newest] = [*sent] or list(self._rounds[-1].messages)
        present = set(numbers)
        left_out = {
            n: self._sent[n] for n in range(self._start + 1, newest + 1) if n not in present
        }
        visible = (each for each in reversed(self._lists) if each.round not in left_out)
        seen = next(visible, None)
        if seen is None and self._plan:
            pairs = zip(messages, numbers, strict=True)
            shown = [each for each, number in pairs if not number or has_results(each)]
            seen = self._plan if is_plan_shown(self._plan, shown) else None
        self._view = View(
            newest + 1, numbers, left_out, self._opening, self._plan, seen, self._start
        )
        return self._view

    def _number(self, messages: Sequence[Message]) -> tuple[int, ...]:
        """Return for each message the number of its round.

        If they are those of the request before with the round that came then, only these are looked
        at: the reply of this round is its own, so the replies before it keep their numbers.
        """
        newest = len(self._rounds)
        new = messages[len(self._looked) :] if begins_with(messages, self._looked) else ()
        self._looked = messages
        if 0 < self._view.number == newest and sum(map(is_reply, new)) == 1:
            numbers = (*find_rounds(new, self._keys, newest - 1),)
            if numbers[0] == newest:
                return (*self._view.numbers, *numbers)
        return tuple(find_rounds(messages, self._keys, self._start))

    def add(self, round_: Round) -> None:
        """Add the round of the newest request, with the list that it has written."""
        self._rounds.append(round_)
        self._keys.append(identify(round_.messages[0]))
        for texts in read_plans(round_.calls):
            self._add_list(TodoList(len(self._rounds), texts))

    def _add_list(self, written: TodoList) -> None:
        """Add a list. A shorter one than the plan that was out of view does not replace it."""
        lost = self._view.lost_plan
        self._lists.append(written)
        if not (lost and len(written.items) < len(lost.items)):
            self._plan = written


def find_rounds(
    messages: Sequence[Message], keys: Sequence[list[str]], start: int = 0
) -> Iterator[int]:
    """Yield for each message the number of the round that it came in, from the newest back.

    `keys` are those of all replies of the run, of which the first `start` are of conversations
    before this one. A reply is known by the ids of its calls or, without any, by its texts. A
    message after it belongs to its round, and one that the model has not written begins none.
    """
    numbers: dict[int, int] = {}  # of the replies, by their places
    before = len(keys)
    for place in reversed(range(len(messages))):
        if is_reply(messages[place]):
            key = identify(messages[place])
            number = next((n for n in range(before, start, -1) if key == keys[n - 1]), 0)
            if number:
                numbers[place], before = number, number - 1
    newest = 0
    for place in range(len(messages)):
        newest = numbers.get(place, newest)
        yield newest


def identify(reply: Message) -> list[str]:
    """Return what a reply is known by."""
    return ids_of(reply) or texts_of(reply)


def ids_of(message: Message) -> list[str]:
    """Return the ids of the calls in a message."""
    return [str(block.get("id")) for block in blocks_of(message) if block["type"] == "tool_use"]


def last_round_in_window(window: int) -> int:
    """Return the last round in which a model sees both messages of round 1.

    Each round after it adds MESSAGES_PER_ROUND.
    """
    return window // MESSAGES_PER_ROUND + 1


def has_results(message: Message) -> bool:
    """Return whether a message has tool results. A question when the model stops has none."""
    return any(block["type"] == "tool_result" for block in blocks_of(message))


def is_plan_shown(plan: TodoList, messages: Sequence[Message]) -> bool:
    """Return whether one text in these messages shows two items of the plan.

    A list shows each item on one line, even if its text has several.
    """
    items = [words for item in plan.items if (words := join_words(item))]
    texts = (join_words(text) for message in messages for text in texts_of(message))
    return any(sum(item in text for item in items) > 1 for text in texts)


def join_words(text: str) -> str:
    """Return a text with one space wherever it has whitespace."""
    return " ".join(text.split())
