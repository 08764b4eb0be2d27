"""A run as frames, made from its rounds or from the messages of any loop."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from agentlib.loop import Round

from ..message_blocks import Message, is_list_tool
from .from_messages import plain, rounds_of, todo_items


@dataclass(frozen=True)
class Frame:
    """One frame of a run: a Round, and the state after it.

    `round` is None for the first frame, which is the prompt. `messages` are those the frame added,
    in the API's format; `items` is the todo list; `waited` is the number of rounds since the last
    todo call.
    """

    round: Round | None
    messages: tuple[Message, ...]
    items: tuple[dict[str, Any], ...]
    waited: int


class Trace:
    """A run as `frames`. `after` is its nag's threshold in rounds, or None.

    It is made from the Rounds that `rounds()` yields. For a run of any other loop, use its
    messages: see `from_messages`.
    """

    def __init__(
        self,
        rounds: Iterable[Round],
        opening: Iterable[Mapping[str, Any]] = (),
        *,
        after: int | None = None,
    ) -> None:
        """Make the frames of these rounds, and of the messages before them, `opening`."""
        self.after = after
        self.frames = [Frame(None, tuple(plain(opening)), (), 0)]
        for turn in rounds:
            self._add(turn)

    @classmethod
    def from_messages(
        cls, messages: Iterable[Mapping[str, Any]], *, after: int | None = None
    ) -> "Trace":
        """Return the Trace of any agent's conversation, from messages in the Messages API's format.

        Use this for your own loop, whatever it yields. Messages do not contain token counts, so
        each Round's usage is 0. Raise TypeError if `messages` is not a list of messages.
        """
        opening, rounds = rounds_of(messages)
        return cls(rounds, opening, after=after)

    def _add(self, turn: Round) -> None:
        """Add the frame of a round. Its list and its count are derived from the calls."""
        items, waited = self.frames[-1].items, self.frames[-1].waited + bool(turn.calls)
        for call in turn.calls:
            if is_list_tool(call.name):
                waited, items = 0, todo_items(call.input) if call.ok else items
        self.frames.append(Frame(turn, tuple(plain(turn.messages)), items, waited))

    @property
    def rounds(self) -> list[Round]:
        return [frame.round for frame in self.frames if frame.round]

    @property
    def messages(self) -> list[Message]:
        return [message for frame in self.frames for message in frame.messages]
