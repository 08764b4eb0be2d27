"""Read the stream of a reply, as the API documents it, and join its events to a message.

"Streaming messages" of the API's documentation has the sequence: `message_start`, then the blocks,
each with its deltas, `message_delta`, and `message_stop`. Anything else raises NoStreamError,
because a guess could lose words or run half a call.
"""

import json
import re
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import httpx2
from pydantic_core import from_json

from ...guard.hide_keys import newest_words
from ..call_input import NO_JSON
from ..ends import read_end

SHOW_SECONDS = 0.1  # the shortest time between two drawings of the newest words
MAX_SHOWN_CHARS = 300  # of the newest words: about four lines of a terminal
# The types of the deltas, each with the type of its block and the field that it continues.
DELTAS = {
    "text_delta": ("text", "text"),
    "thinking_delta": ("thinking", "thinking"),
    "signature_delta": ("thinking", "signature"),
    "input_json_delta": ("tool_use", "partial_json"),  # also server_tool_use
}
PAGE_OR_JSON = (b"<", b"{", b"[")  # the first character of a web page, or of JSON
MAX_KEPT_BYTES = 300  # of an answer that is not a stream, for the error message


class StreamError(Exception):
    """An error event of a stream, with its body."""

    def __init__(self, body: dict[str, Any]) -> None:
        super().__init__("an error in the middle of a stream")
        self.body = body


class NoStreamError(httpx2.RemoteProtocolError):
    """A reply that is not streamed as the API documents it. The message says what is different."""


def read_stream(
    parts: Iterator[bytes],
    show: Callable[[str], object],
    note_part: Callable[[], object] = lambda: None,
) -> dict[str, Any] | None:
    """Return the message of a stream, or None if the stream has ended before its reply.

    `show` is called with the newest words and names of calls, at most every SHOW_SECONDS.
    `note_part` is called for each part of the reply, but not for pings and comments. Raise
    StreamError for an error event, and NoStreamError for anything that the API does not document.
    """
    reply, words, last_shown, beginning = JoinedReply(note_part), "", 0.0, bytearray()

    def keep_beginning() -> Iterator[bytes]:
        for part in parts:
            if not reply.message:
                beginning.extend(part[: MAX_KEPT_BYTES - len(beginning)])
            yield part

    for event in read_events(keep_beginning()):
        try:
            words += reply.add(event)
        except (LookupError, TypeError, AttributeError) as problem:  # a field of another type
            raise NoStreamError(f"{event.get('type')}: {problem!r}") from None
        if reply.has_stopped:  # some servers keep the connection open
            break
        now = time.monotonic()
        if words and now - last_shown >= SHOW_SECONDS:
            last_shown = now
            with suppress(Exception):  # an error of the display must not lose the reply
                show(newest_words(words, MAX_SHOWN_CHARS))
    if not reply.message and beginning.lstrip().startswith(PAGE_OR_JSON):
        raise NoStreamError(f"it has sent {beginning.decode(errors='replace')}")
    return reply.finish()


def read_events(parts: Iterator[bytes]) -> Iterator[dict[str, Any]]:
    """Yield the events of a stream. Raise StreamError for an error.

    The SDK's own decoder is not used: its time grows with the square of an event's length.
    """
    kind = ""  # the type in the line `event:` of the event that is read
    data: list[str] = []
    with suppress(UnicodeDecodeError):  # the stream broke off in the middle of a character
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
    unfinished, ended_with_return = bytearray(), False
    for part in filter(None, parts):
        # A line end \r\n may be in two parts.
        new = part.removeprefix(b"\n") if ended_with_return else part
        for line in new.splitlines(keepends=True):
            unfinished += line
            if line.endswith((b"\n", b"\r")):
                yield bytes(unfinished).rstrip(b"\r\n")
                unfinished.clear()
        ended_with_return = part.endswith(b"\r")


def read_event(kind: str, data: str) -> dict[str, Any]:
    """Return an event. Raise StreamError for an error, and NoStreamError if it is not JSON."""
    try:
        event = json.loads(data or '{"type": "ping"}')
    except (ValueError, RecursionError):
        event = None
    if not isinstance(event, dict):
        raise NoStreamError(f"an event is {data:.30}")
    # llama.cpp sends the type only in the line `event:`, and other servers send no type.
    if "error" in (kind, event.get("type")) or ("error" in event and "type" not in event):
        raise StreamError(event | {"type": "error"})
    return event


class JoinedReply:
    """A message that is joined from the events of its stream."""

    def __init__(self, note_part: Callable[[], object]) -> None:
        self.message: dict[str, Any] = {}
        self.blocks: list[dict[str, Any]] = []
        self.has_ended = self.has_stopped = False
        self.note_part = note_part

    def add(self, event: dict[str, Any]) -> str:
        """Add an event, and return the words in it."""
        kind, words = event["type"], ""
        if kind == "ping":
            return ""
        if (kind == "message_start") == bool(self.message):
            raise NoStreamError(f"{kind} is out of order")
        if kind == "message_start":
            # vLLM left out `type` and `role` until June 2026:
            # https://github.com/vllm-project/vllm/issues/45367
            self.message = {"type": "message", "role": "assistant", **event["message"]}
            # In April 2026, the API's first event could have blocks: vercel/ai, ed857f50.
            first_blocks = self.message.get("content") or []
            self.blocks += [{**block} for block in first_blocks if block.get("text") != ""]
        elif kind == "content_block_start":
            if event["index"] != len(self.blocks):
                raise NoStreamError(f"block {event['index']} comes after {len(self.blocks)} others")
            block = {**event["content_block"]}
            self.blocks.append(block)
            words = f" {block['name']} …" if block["type"] == "tool_use" else ""
        elif kind == "content_block_delta":
            added = continue_block(self.blocks[event["index"]], event["delta"])
            if not added:  # an empty delta counts as a ping
                return ""
            words = added if event["delta"]["type"] == "text_delta" else ""
        elif kind == "message_delta":
            self.message |= without_nulls(event["delta"])
            counts = without_nulls(self.message.get("usage"))  # later counts are the sums
            self.message["usage"] = counts | without_nulls(event.get("usage"))
            self.has_ended = self.has_ended or bool(event["delta"].get("stop_reason"))
        elif kind == "message_stop":
            self.has_stopped = True
        else:
            # The end of a block, which Kimi leaves out and llama.cpp sends last, or a new type of
            # event, which the API may add.
            return ""
        self.note_part()
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
            # With this reason, half a call does not run.
            self.message["stop_reason"] = f"{self.message['stop_reason']} (ended too early)"
        return self.message


def continue_block(block: dict[str, Any], delta: dict[str, Any]) -> str:
    """Add a delta to its block, and return the text that it adds."""
    block_type, name = DELTAS.get(delta["type"], ("", ""))
    added = delta.get(name)
    if not isinstance(added, str) or not block["type"].endswith(block_type):
        raise NoStreamError(f"{delta['type']} in a block {block['type']}")
    block[name] = added if name == "signature" else (block.get(name) or "") + added
    return added


def has_whole_input(block: dict[str, Any]) -> bool:
    """Read the input of a call. If it was cut off, keep what has come, and return False."""
    sent, is_whole = block.pop("partial_json", ""), True
    if sent.strip():
        block["input"], is_whole = read_input(sent)
    return is_whole


def read_input(sent: str) -> tuple[Any, bool]:
    """Return the input of a call, and whether all of it has come.

    Only the beginning of some JSON is cut off. The parser's place does not tell it: a model that
    does not escape the quotes of a text also has an error at its end. Line breaks in a text are
    read, as models send them.
    """
    try:
        return json.loads(sent, strict=False), True
    except (ValueError, RecursionError):
        plain = re.sub(r"[\x00-\x1f]", " ", sent)  # `from_json` reads no line break in a text
        try:
            from_json(plain)
        except ValueError as problem:
            if str(problem).startswith("EOF"):
                with suppress(ValueError):
                    return from_json(plain, allow_partial="trailing-strings"), False
                return {}, False
        return {NO_JSON: sent}, True


def without_nulls(fields: Any) -> dict[str, Any]:
    """Return the fields of an object that are not null, or {} if it is not an object."""
    if not isinstance(fields, dict):
        return {}
    return {name: value for name, value in fields.items() if value is not None}
