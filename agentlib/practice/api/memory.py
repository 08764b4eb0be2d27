"""What was accepted before, so that it is not checked again.

A request is mostly the last one with two messages more. Its beginning was accepted then, and no
rule looks further back than to the turn before, except that no id comes twice. So a fault can only
be in what is new, or where the two meet. A test holds that memory changes no answer.

What is remembered is compared as JSON, written before a mind sees the request: whoever changes a
request that he was given changes no later answer.
"""

from __future__ import annotations

import hashlib
import marshal
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic_core import to_json

if TYPE_CHECKING:
    from .conversation import Turn
    from .request import Message, Request


class Written(NamedTuple):
    """A request as JSON: each of its messages, and each of its other fields by name.

    As text, True is not 1, and the order of keys counts. The text of the messages in `fields` is
    left empty.
    """

    messages: list[bytes]
    fields: dict[str, bytes]

    def make_digest(self) -> str:
        """A digest of the request as JSON, without what changes no reply."""
        fields = self.fields | {"messages": b"[" + b",".join(self.messages) + b"]"}
        asked = [f for f in fields if f not in ("stream", "cache_control")]
        text = b",".join([to_json(name) + b":" + fields[name] for name in asked])
        return hashlib.sha256(b"{" + text + b"}").hexdigest()


class Accepted(NamedTuple):
    """What is known of a request: how its first messages are written, as shapes, and as turns.

    `asked` is the last request as a shape, if the settings are the same.
    """

    sent: list[bytes] = []
    messages: list[Message] = []
    turns: list[Turn] = []
    asked: Request | None = None


class Memory:
    """Keeps the last accepted request of one model, and the last copy, and no more."""

    def __init__(self) -> None:
        self.last = Accepted()
        self.fields: dict[str, bytes] = {}  # of the last accepted request
        self.copied = Written([], {})  # the last request that was copied
        self.copy: dict[str, Any] = {}

    def recall(self, written: Written) -> Accepted:
        """What of the last accepted request this one begins with."""
        last, count = self.last, count_same(self.last.sent, written.messages)
        turns = [turn for turn in last.turns if turn.first < count]
        asked = last.asked if count and written.fields == self.fields else None
        return Accepted(last.sent[:count], last.messages[:count], turns, asked)

    def keep(self, written: Written, asked: Request, turns: list[Turn]) -> None:
        """Keep an accepted request."""
        self.last = Accepted(written.messages, asked.messages, turns, asked)
        self.fields = written.fields

    def make_copy(self, request: dict[str, Any], written: Written) -> dict[str, Any]:
        """A copy of the request to look at, which shares its beginning with the last copy.

        So a long conversation is kept once, and not once a round.
        """
        same = 0
        if written.fields == self.copied.fields:
            same = count_same(self.copied.messages, written.messages)
        if same:
            new = clone(request["messages"][same:])
            shared = self.copy | {"messages": self.copy["messages"][:same] + new}
            copy = {name: shared[name] for name in request}
        else:
            copy = clone(request)
        if written.messages:
            self.copied, self.copy = written, copy | {"messages": copy["messages"][:]}
        return copy


def write(request: dict[str, Any]) -> Written:
    """A request as JSON. `request` is any object; if it has no list of messages, it has none."""
    messages = request.get("messages")
    texts = [to_json(message) for message in messages] if isinstance(messages, list) else []
    fields = {
        name: b"" if name == "messages" else to_json(value) for name, value in request.items()
    }
    return Written(texts, fields)


def count_same(before: Iterable[bytes], now: Iterable[bytes]) -> int:
    """With how many of those before these begin."""
    same = 0
    for one, other in zip(before, now, strict=False):
        if one != other:
            break
        same += 1
    return same


def clone(value: Any) -> Any:
    """A copy of what was read from JSON, to the last detail."""
    return marshal.loads(marshal.dumps(value))
