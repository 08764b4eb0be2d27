"""Read a stream as the API documents it, and join its events to the message of a whole reply.

"Streaming messages" of the API's documentation has the sequence: `message_start`, then the blocks,
each with its deltas, `message_delta`, and `message_stop`. Anything else raises NoStreamError,
because a guess could lose words or run half a call.
"""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import httpx2
from pydantic_core import from_json

from ...guard.hide_keys import newest_words
from ..ends import read_end

SHOW_SECONDS = 0.1  # so often words are drawn at most: a page and a terminal take time for each
MAX_SHOWN_CHARS = 300  # of the newest words: about four lines of a terminal
# The types of the deltas, each with the type of its block and the field that it continues.
DELTAS = {
    "text_delta": ("text", "text"),
    "thinking_delta": ("thinking", "thinking"),
    "signature_delta": ("thinking", "signature"),
    "input_json_delta": ("tool_use", "partial_json"),  # also server_tool_use
}
NOT_SHOWN = 300  # characters of what is no stream: the message is shortened where it is shown


class StreamError(Exception):
    """An error event of a stream: its body."""

    def __init__(self, body: dict[str, Any]) -> None:
        super().__init__("an error in the middle of a stream")
        self.body = body


class NoStreamError(httpx2.RemoteProtocolError):
    """A reply that is not streamed as the API documents it. The message says what is not."""


def read_stream(
    parts: Iterator[bytes],
    show: Callable[[str], object],
    hear: Callable[[], object] = lambda: None,
) -> dict[str, Any] | None:
    """Return the message of a stream, or None if the stream has ended before its reply.

    `show` is called with the newest words, and with the names of the calls, every SHOW_SECONDS at
    most, and `hear` for each part of the reply: pings and comments are none. Raise StreamError for
    an error event, and NoStreamError.
    """
    reply, words, last, begin = JoinedReply(hear), "", 0.0, bytearray()

    def keep_begin() -> Iterator[bytes]:
        for part in parts:
            if not reply.message:
                begin.extend(part[: NOT_SHOWN - len(begin)])
            yield part

    for event in read_events(keep_begin()):
        try:
            words += reply.add(event)
        except (LookupError, TypeError, AttributeError) as problem:  # a field of another type
            raise NoStreamError(f"{event.get('type')}: {problem!r}") from None
        if reply.has_stopped:  # some servers keep the connection open
            break
        if words and (now := time.monotonic()) - last >= SHOW_SECONDS:
            last = now
            with suppress(Exception):  # a picture that fails must not cost the reply
                show(newest_words(words, MAX_SHOWN_CHARS))
    if not reply.message and begin.lstrip().startswith((b"<", b"{", b"[")):  # a page, or JSON
        raise NoStreamError(f"it has sent {begin.decode(errors='replace')}")
    return reply.finish()


def read_events(parts: Iterator[bytes]) -> Iterator[dict[str, Any]]:
    """Yield the events of a stream. Raise StreamError for an error.

    The SDK's own decoder takes time that grows with the square of an event.
    """
    kind = ""  # of the event that is read, by its line
    data: list[str] = []
    with suppress(UnicodeDecodeError):  # broken off in the middle of a character
        for line in map(bytes.decode, split_lines(parts)):
            name, _, value = line.partition(":")
            if name == "event":
                kind = value.removeprefix(" ")
            elif name == "data":
                data.append(value.removeprefix(" "))
            elif not line and (kind or data):
                yield read_event(kind, "\n".join(data))
                kind, data = "", []


def split_lines(parts: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the lines in the parts of a stream, which end with \\n, \\r\\n or \\r."""
    begun, has_return = bytearray(), False
    for part in filter(None, parts):
        is_rest = has_return and part.startswith(b"\n")  # of the end of the line before
        for line in part[is_rest:].splitlines(keepends=True):
            begun += line
            if line.endswith((b"\n", b"\r")):
                yield bytes(begun).rstrip(b"\r\n")
                begun.clear()
        has_return = part.endswith(b"\r")


def read_event(kind: str, data: str) -> dict[str, Any]:
    """Return an event. Raise StreamError if it is an error, and NoStreamError if it is no JSON."""
    try:
        event = json.loads(data or '{"type": "ping"}')
    except (ValueError, RecursionError):
        event = None
    if not isinstance(event, dict):
        raise NoStreamError(f"an event is {data:.30}")
    # llama.cpp has the type in the line alone, and others have none.
    if "error" in (kind, event.get("type")) or "error" in event and "type" not in event:
        raise StreamError(event | {"type": "error"})
    return event


class JoinedReply:
    """A message that is joined from the events of its stream."""

    def __init__(self, hear: Callable[[], object]) -> None:
        self.message: dict[str, Any] = {}
        self.blocks: list[dict[str, Any]] = []
        self.has_ended = self.has_stopped = False
        self.hear = hear

    def add(self, event: dict[str, Any]) -> str:
        """Add an event, and return the words in it."""
        kind, words = event["type"], ""
        if kind == "ping":
            return ""
        if (kind == "message_start") == bool(self.message):
            raise NoStreamError(f"{kind} is out of order")
        if kind == "message_start":
            # vLLM left both out until June 2026: https://github.com/vllm-project/vllm/issues/45367
            self.message = {"type": "message", "role": "assistant", **event["message"]}
            # A reply of the API that was there already, in April 2026: vercel/ai, ed857f50.
            given = self.message.get("content") or []
            self.blocks += [{**block} for block in given if block.get("text") != ""]
        elif kind == "content_block_start":
            if event["index"] != len(self.blocks):
                raise NoStreamError(f"block {event['index']} comes after {len(self.blocks)} others")
            block = {**event["content_block"]}
            self.blocks.append(block)
            words = f" {block['name']} …" if block["type"] == "tool_use" else ""
        elif kind == "content_block_delta":
            added = continue_block(self.blocks[event["index"]], event["delta"])
            if not added:  # no more than a ping
                return ""
            words = added if event["delta"]["type"] == "text_delta" else ""
        elif kind == "message_delta":
            self.message |= known(event["delta"])
            counts = known(self.message.get("usage"))  # the later ones are the sums
            self.message["usage"] = counts | known(event.get("usage"))
            self.has_ended = self.has_ended or bool(event["delta"].get("stop_reason"))
        elif kind == "message_stop":
            self.has_stopped = True
        else:
            # The end of a block, which Kimi leaves out and llama.cpp sends last, or a new type of
            # event: the API may add some.
            return ""
        self.hear()
        return words

    def finish(self) -> dict[str, Any] | None:
        """Return the message, or None if its end is missing. Raise NoStreamError."""
        if not (self.has_ended or self.has_stopped):
            return None
        halves = [block for block in self.blocks if not has_whole_input(block)]
        self.message["content"] = self.blocks
        if halves and read_end(self.message.get("stop_reason")).may_run:
            if len(halves) > 1 or halves[0] is not self.blocks[-1]:
                raise NoStreamError("half a call is before the end")
            self.message["stop_reason"] = "max_tokens"  # half a call must not run
        return self.message


def continue_block(block: dict[str, Any], delta: dict[str, Any]) -> str:
    """Add a delta to its block, and return what is new."""
    of, name = DELTAS.get(delta["type"], ("", ""))
    added = delta.get(name)
    if not isinstance(added, str) or not block["type"].endswith(of):
        raise NoStreamError(f"{delta['type']} in a block {block['type']}")
    block[name] = added if name == "signature" else (block.get(name) or "") + added
    return added


def has_whole_input(block: dict[str, Any]) -> bool:
    """Read the input of a call. Return False if it was cut off, and is what has come of it."""
    sent = block.pop("partial_json", "")
    try:
        block |= {"input": json.loads(sent)} if sent.strip() else {}
    except (ValueError, RecursionError):
        with suppress(ValueError):
            block["input"] = from_json(sent, allow_partial="trailing-strings")
        return False
    return True


def known(fields: Any) -> dict[str, Any]:
    """Return the fields of an object that are not null; {} if it is no object."""
    given = fields.items() if isinstance(fields, dict) else ()
    return {name: value for name, value in given if value is not None}
