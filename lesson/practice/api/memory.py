"""What is known of the last request, so that its beginning is neither checked nor kept twice.

A request is mostly the last one with two messages more. Its beginning was accepted then, and no
rule looks further back than to the turn before, except that no id comes twice. So a fault can only
be in what is new, or where the two meet. A test holds that memory changes no answer.

What is remembered is compared as JSON, with what came over the wire. So nobody who writes into a
request, or into a copy, changes a later answer.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic_core import from_json, to_json

if TYPE_CHECKING:
    from .cache import Layout
    from .conversation import Turn
    from .request import Request

NO_PART_OF_THE_REPLY = {"stream", "cache_control"}  # fields that change nothing in what is said


@dataclass(frozen=True)
class Written:
    """A request as JSON: each of its messages, and each of its other fields by name.

    The text of the messages in `fields` is left empty.
    """

    messages: list[bytes]
    fields: dict[str, bytes]

    @cached_property
    def text(self) -> bytes:
        """The request as JSON."""
        return self.join(self.fields)

    def join(self, names: Iterable[str]) -> bytes:
        """The fields with these names as JSON."""
        pieces = []
        for name in names:
            pieces += [b",", to_json(name), b":", self.fields[name]]
            if name == "messages":
                pieces += [b"[", b",".join(self.messages), b"]"]
        return b"".join([b"{", *pieces[1:], b"}"])

    def make_digest(self) -> str:
        """A digest of the request as JSON, without what changes no reply."""
        asked = [name for name in self.fields if name not in NO_PART_OF_THE_REPLY]
        text = self.text if len(asked) == len(self.fields) else self.join(asked)
        return hashlib.sha256(text).hexdigest()


class Known(NamedTuple):
    """What is known of a request: how it is written, and a copy of it.

    Where it goes on from one that was accepted before, also what was found out about that: its
    shape, its turns, and how its prompt is laid out.
    """

    written: Written
    copy: dict[str, Any]
    asked: Request | None = None
    turns: Sequence[Turn] = ()
    layout: Layout | None = None


class Memory:
    """Keeps what is known of the last accepted request of one client, and no more."""

    def __init__(self) -> None:
        self.last: Known | None = None

    def recall(self, request: dict[str, Any], body: bytes) -> Known:
        """What is known of a request that came as `body`.

        It goes on from the last one if that one's messages, as they were written, and behind them
        what is new make up this very body. Its copy then shares theirs, so that a long
        conversation is kept once, and not once a round.
        """
        if self.last:
            start = self.last.written.messages
            written = write(request, start)
            if written.fields == self.last.written.fields and written.text == body:
                new = [from_json(text) for text in written.messages[len(start) :]]
                copy = self.last.copy | {"messages": self.last.copy["messages"] + new}
                return self.last._replace(written=written, copy=copy)
        return Known(write(request), from_json(body))

    def keep(self, known: Known, asked: Request, turns: list[Turn], layout: Layout) -> None:
        """Keep what was found out about an accepted request."""
        copy = known.copy | {"messages": known.copy["messages"][:]}  # the other is handed out
        self.last = Known(known.written, copy, asked, turns, layout)


def write(request: dict[str, Any], start: Sequence[bytes] = ()) -> Written:
    """A request as JSON, if its first messages are those in `start`.

    `request` is any object; if it has no list of messages, it has none.
    """
    value = request.get("messages")
    messages = value if isinstance(value, list) else []
    texts = [*start, *map(to_json, messages[len(start) :])]
    fields = {n: b"" if value is messages else to_json(value) for n, value in request.items()}
    return Written(texts, fields)
