"""Read the events of a stream, and join them to the message that a whole reply would be.

The SDK splits the bytes into events, and they are joined as the SDK joins them ("Streaming
messages" of the API's documentation), but what other servers leave out or write as null loses
nothing.
"""

import json
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import anthropic
import httpx2
from pydantic_core import from_json

from safetylib.ends import read_end

SHOW_SECONDS = 0.1  # so often words are drawn at most: a page and a terminal take time for each
MAX_SHOWN_CHARS = 300  # of the newest words: about four lines of a terminal
# The types of the deltas, each with the type of its block and the fields of both. A text grows with
# each delta, and other values are replaced.
GROWS = {
    "text_delta": ("text", "text"),
    "thinking_delta": ("thinking", "thinking"),
    "input_json_delta": ("tool_use", "partial_json"),  # also server_tool_use
}
REPLACES = {
    "signature_delta": ("thinking", ("signature",)),
    "compaction_delta": ("compaction", ("content", "encrypted_content")),
}
PARTS_OF_A_REPLY = (
    *("message_start", "content_block_start", "content_block_stop", "message_delta"),
    "message_stop",
)
ONLY_PINGS = "for {:g} seconds, the server has sent signs of life, but no part of the reply"


class StreamError(Exception):
    """An error event of a stream: its body."""

    def __init__(self, body: dict[str, Any]) -> None:
        super().__init__("an error in the middle of a stream")
        self.body = body


class UnreadableError(ValueError):
    """A part of a stream that cannot be read: what follows it is not read either."""


def read_events(answer: httpx2.Response, seconds: float | None) -> Iterator[dict[str, Any]]:
    """Yield the events of a stream, each with its type, to its first one that cannot be read.

    Without an event in the middle, a text would lack some words, and nobody would see it. Raise
    ReadTimeout if for so many `seconds` nothing has come but pings and comments.
    """
    has_content = False

    def read_bytes() -> Iterator[bytes]:
        nonlocal has_content
        began: float | None = None  # when the first part came after which nothing else has come
        for part in answer.iter_bytes():
            has_content = False
            yield part
            if has_content:
                began = None
            elif began is None:
                began = time.monotonic()
            elif seconds is not None and time.monotonic() - began >= seconds:
                raise httpx2.ReadTimeout(ONLY_PINGS.format(seconds), request=answer.request)
        yield b"\n\n"  # some servers do not end the last event

    try:
        for sent in anthropic.Stream.raw_events(httpx2.Response(200, content=read_bytes())):
            event = read_event(sent.event, sent.data)
            if event is not None:
                has_content = has_content or is_content(event)
                yield event
    except ValueError:  # no JSON, or no UTF-8
        return


def read_event(kind: str | None, data: str) -> dict[str, Any] | None:
    """Return an event with its type, or None if it has no data. Raise ValueError for what is none.

    Some servers write the type only into the line `event:`, others only into the data.
    """
    try:
        event = json.loads(data) if data else {}
    except (ValueError, RecursionError):
        if kind is None and not data.startswith("{"):  # [DONE], the mark of other APIs for the end
            return None
        if kind != "error":  # half an event
            raise UnreadableError(data) from None
        event = {"error": {"message": data}}
    if not isinstance(event, dict):
        raise UnreadableError(data)
    if kind == "error" or not kind and "type" not in event and event.get("error"):
        return event | {"type": "error"}
    return {"type": kind} | event if event else None


def is_content(event: dict[str, Any]) -> bool:
    """Return whether an event is a part of a reply: no ping, and no empty delta."""
    if event["type"] == "content_block_delta":
        return any(value for name, value in fields_of(event, "delta").items() if name != "type")
    return event["type"] in PARTS_OF_A_REPLY


def join_events(
    events: Iterable[dict[str, Any]], show: Callable[[str], object]
) -> dict[str, Any] | None:
    """Return the message of a stream, or None if the stream has ended before its reply.

    `show` is called with the newest words, and with the names of the calls, every SHOW_SECONDS at
    most. Raise StreamError for an error event.
    """
    reply, words, last = JoinedReply(), "", 0.0
    with suppress(UnreadableError):
        for event in events:
            words += reply.add(event)
            if event["type"] == "message_stop":  # some servers keep the connection open
                break
            if words and (now := time.monotonic()) - last >= SHOW_SECONDS:
                last = now
                with suppress(Exception):  # a picture that fails must not cost the reply
                    show(words[-MAX_SHOWN_CHARS:])
    return reply.finish()


def fields_of(event: dict[str, Any], name: str) -> dict[str, Any]:
    """Return a copy of an object in an event; {} if it is missing, null or something else."""
    value = event.get(name)
    return dict(value) if isinstance(value, dict) else {}


@dataclass(eq=False)
class Block:
    """A block of a reply: the fields of its start, and the parts of the texts that grow."""

    fields: dict[str, Any]
    parts: dict[str, list[str]] = field(default_factory=dict)

    def add(self, delta: dict[str, Any]) -> str:
        """Add a delta. Return the words in it, or "" if it has none for the user."""
        kind, of = str(delta.get("type")), str(self.fields.get("type"))
        if kind == "citations_delta" and of == "text":
            before = self.fields.get("citations") or ()
            self.fields["citations"] = [*before, delta.get("citation")]
        if kind in REPLACES and of == REPLACES[kind][0]:
            given = {name: delta.get(name) for name in REPLACES[kind][1]}
            self.fields |= {name: value for name, value in given.items() if value is not None}
        if kind not in GROWS or not of.endswith(GROWS[kind][0]):
            return ""  # the SDK also leaves out what belongs to another type of block
        name = GROWS[kind][1]
        added = "" if delta.get(name) is None else delta[name]
        if not isinstance(added, str):
            raise UnreadableError(name)
        self.parts.setdefault(name, []).append(added)
        return added if name == "text" else ""

    def finish(self) -> bool:
        """Join the parts. Return whether the input of a call is complete.

        The input of a call that was cut off is what has come of it.
        """
        for name, parts in self.parts.items():
            added = "".join(parts)
            if name != "partial_json":
                self.fields[name] = str(self.fields.get(name) or "") + added
            elif added.strip():
                try:
                    self.fields["input"] = json.loads(added)
                except (ValueError, RecursionError):
                    with suppress(ValueError):
                        self.fields["input"] = from_json(added, allow_partial="trailing-strings")
                    return False
        return True


class JoinedReply:
    """A message that is joined from the events of its stream."""

    def __init__(self) -> None:
        self.message: dict[str, Any] | None = None
        self.blocks: list[Block] = []
        self.numbered: dict[str, Block] = {}  # the newest block with an index
        self.has_ended = False

    def add(self, event: dict[str, Any]) -> str:
        """Add an event, and return the words in it. Raise UnreadableError, and StreamError."""
        kind = event["type"]
        if kind == "error":
            raise StreamError(event)
        if self.message is None:
            if kind == "message_start":
                self.message = fields_of(event, "message")
            return ""
        if kind == "content_block_start":
            block = Block(fields_of(event, "content_block"))
            self.blocks.append(block)
            self.numbered[str(event.get("index"))] = block
            if block.fields.get("type") == "tool_use":
                return f" {block.fields.get('name')} …"
            return str(block.fields.get("text") or "")
        if kind == "content_block_delta":
            newest = self.blocks[-1] if self.blocks and event.get("index") is None else None
            found = self.numbered.get(str(event.get("index")), newest)
            if found is None:
                raise UnreadableError("a delta without its block")
            return found.add(fields_of(event, "delta"))
        if kind == "message_delta":
            self.end(event)
        self.has_ended = self.has_ended or kind == "message_stop"
        return ""

    def end(self, event: dict[str, Any]) -> None:
        """Add the event that has the stop reason and the tokens. A null replaces nothing."""
        assert self.message is not None
        more = {name: event[name] for name in event if name not in ("type", "delta", "usage")}
        for name, value in (more | fields_of(event, "delta")).items():
            if value is not None and name not in ("content", "role"):
                self.message[name] = value
        counts = fields_of(event, "usage").items()
        known = {name: count for name, count in counts if count is not None}
        self.message["usage"] = fields_of(self.message, "usage") | known
        self.has_ended = self.has_ended or bool(self.message.get("stop_reason"))

    def finish(self) -> dict[str, Any] | None:
        """Return the message, or None if its end is missing or a call before the last is half."""
        if self.message is None or not self.has_ended:
            return None
        message, halves = self.message, [one for one in self.blocks if not one.finish()]
        message["content"] = [block.fields for block in self.blocks]
        if halves and read_end(message.get("stop_reason")).may_run:
            if halves != self.blocks[-1:]:
                return None
            message["stop_reason"] = "max_tokens"  # half a call must not run, whatever it says
        return message
