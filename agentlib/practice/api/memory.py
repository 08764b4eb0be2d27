"""What was accepted before, so that it is not checked again.

A request is mostly the last one with two messages more. Its beginning was accepted then, and no
rule looks further back than to the turn before, except that no id comes twice. So a fault can only
be in what is new, or where the two meet. A test holds that memory changes no answer.
"""

from __future__ import annotations

import marshal
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from .conversation import Turn
    from .request import Message


class Accepted(NamedTuple):
    """The messages of an accepted request: as they were sent, as shapes, and as turns."""

    sent: tuple[bytes, ...] = ()
    messages: tuple[Message, ...] = ()
    turns: tuple[Turn, ...] = ()


class Memory:
    """Keeps the last accepted conversation of one model, and no more."""

    def __init__(self) -> None:
        self.last = Accepted()

    def recall(self, messages: Any) -> Accepted:
        """As much of the last conversation as these `messages`, any JSON, begin with."""
        last, count = self.last, 0
        for sent, message in zip(last.sent, as_list(messages), strict=False):
            if sent != to_bytes(message):
                break
            count += 1
        turns = [turn for turn in last.turns if turn.first < count]
        return Accepted(last.sent[:count], last.messages[:count], tuple(turns))

    def keep(
        self, known: Accepted, sent: list[Any], messages: list[Message], turns: list[Turn]
    ) -> None:
        """Keep an accepted conversation, which begins with what was `known` of it."""
        new = tuple(map(to_bytes, sent[len(known.sent) :]))
        self.last = Accepted(known.sent + new, tuple(messages), tuple(turns))


def as_list(messages: Any) -> list[Any]:
    """The messages, or none where this is not a list."""
    return messages if isinstance(messages, list) else []


def to_bytes(message: Any) -> bytes:
    """A message as bytes, to compare with: True is not 1, and the order of keys counts."""
    return marshal.dumps(message, 2)  # this version holds no references: equal means equal
