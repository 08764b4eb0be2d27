"""A streamed answer: the events that it comes in, and the message that they add up to.

Source: "Streaming messages". The SDK adds them up, too, but takes half a tool call for a whole one
where a stream ends too early; here that is an error.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any

import anthropic
import httpx2

from .errors import clip
from .limits import USAGE, tokens_in
from .responses import UnsoundAnswerError

CONTENT_TYPE = "text/event-stream"
MAX_STREAM_BYTES = 2**26  # each word comes with a hundred bytes around it
NEED_A_MESSAGE = (
    "content_block_start",
    "content_block_delta",
    "content_block_stop",
    "message_delta",
    "message_stop",
)
CUT_SHORT = ("max_tokens", "model_context_window_exceeded", "refusal")

# The status that each error has where it comes instead of a stream: "Errors".
STATUSES = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "timeout_error": 504,
    "overloaded_error": 529,
}


class StreamedError(Exception):
    """An error of the server in the middle of a stream: its JSON `event`, its HTTP `status`."""

    def __init__(self, event: dict[str, Any]) -> None:
        super().__init__("the server reported an error in mid-stream")
        self.event = event
        kind = event["error"].get("type") if isinstance(event["error"], dict) else None
        self.status = STATUSES.get(str(kind), 500)


def is_stream(response: httpx2.Response) -> bool:
    """Whether an answer comes as a stream of events."""
    return response.is_success and CONTENT_TYPE in response.headers.get("content-type", "")


def read(response: httpx2.Response) -> Iterator[dict[str, Any]]:
    """The events of a response, as they come. Raises httpx2.RemoteProtocolError for a torn one."""
    bounded = httpx2.Response(200, content=limit_bytes(response.iter_bytes()))
    try:
        for event in anthropic.Stream.raw_events(bounded):
            if event.data.startswith("{"):
                yield event.json()
    except ValueError:  # half a character, or half an object
        raise httpx2.RemoteProtocolError("an event of the stream is damaged") from None


def limit_bytes(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """The chunks, and an end to them."""
    room = MAX_STREAM_BYTES
    for chunk in chunks:
        room -= len(chunk)
        if room < 0:
            raise httpx2.RemoteProtocolError("the stream does not end")
        yield chunk


def encode(event: dict[str, Any]) -> bytes:
    """An event, as it stands on the wire."""
    data = json.dumps(event)
    return f"event: {event.get('type', 'message')}\ndata: {data}\n\n".encode()


class Tally:
    """What an answer costs by its own account: `count` is told of every token once.

    A stream tells its totals when it begins and when it ends: "Streaming messages".
    """

    def __init__(self, count: Callable[[int], None]) -> None:
        self.count = count
        self._usage: dict[str, Any] = {}
        self._counted = 0

    def add(self, event: dict[str, Any]) -> None:
        """Take the usage in an event, or in a message, into account."""
        message = event.get("message")
        usage = (message if isinstance(message, dict) else event).get("usage")
        if not isinstance(usage, dict):
            return
        self._usage |= {name: usage[name] for name in USAGE if usage.get(name) is not None}
        total = tokens_in(self._usage)
        self.count(max(0, total - self._counted))
        self._counted = max(total, self._counted)


class Draft:
    """The message that the events so far add up to."""

    def __init__(self) -> None:
        self.message: dict[str, Any] = {}
        self.is_whole = False
        self._blocks: dict[int, dict[str, Any]] = {}
        self._inputs: dict[int, str] = {}  # of tool calls, as JSON

    def add(self, event: dict[str, Any]) -> str:
        """Add an event; return the words that it brings, and a line end after each text.

        Raises UnsoundAnswerError where it cannot be part of a message, StreamedError for an error.
        """
        try:
            return self._add(event)
        except (KeyError, TypeError, AttributeError):
            raise UnsoundAnswerError("a stream of events in a form of its own") from None

    def _add(self, event: dict[str, Any]) -> str:
        match event:
            case {"type": "error"}:
                raise StreamedError(event)
            case {"type": "message_start", "message": message}:
                self.message = {**message, "content": []}
            case {"type": str(kind)} if kind in NEED_A_MESSAGE and not self.message:
                raise UnsoundAnswerError("a stream of events that does not begin")
            case {"type": "content_block_start", "index": index, "content_block": block}:
                self._blocks[index] = {**block}
                return self._words(block)
            case {"type": "content_block_delta", "index": index, "delta": delta}:
                return self._grow(index, delta)
            case {"type": "content_block_stop", "index": index}:
                return "\n" if self._words(self._blocks[index]) else ""
            case {"type": "message_delta", "delta": delta}:
                self._end(delta, event.get("usage"))
            case {"type": "message_stop"}:
                self.is_whole = True
            case {"type": str()}:
                pass  # a ping, or something new
            case _:
                raise UnsoundAnswerError("a stream of events in a form of its own")
        return ""

    @staticmethod
    def _words(block: dict[str, Any]) -> str:
        return str(block["text"]) if block["type"] == "text" else ""

    def _grow(self, index: int, delta: dict[str, Any]) -> str:
        """Add a piece to a block; return its words."""
        block = self._blocks[index]
        match delta:
            case {"type": "text_delta", "text": text}:
                block["text"] += text
                return str(text)
            case {"type": "input_json_delta", "partial_json": text}:
                self._inputs[index] = self._inputs.get(index, "") + text
            case {"type": "thinking_delta", "thinking": text}:
                block["thinking"] += text
            case {"type": "signature_delta", "signature": signature}:
                block["signature"] = signature
            case {"type": "citations_delta", "citation": citation}:
                block["citations"] = [*(block.get("citations") or []), citation]
        return ""

    def _end(self, delta: dict[str, Any], usage: Any) -> None:
        """Note why the message ends, and what it cost. Some servers then send no more."""
        begun = self.message.get("usage")
        begun, usage = (each if isinstance(each, dict) else {} for each in (begun, usage))
        known = {name: value for name, value in usage.items() if value is not None}
        self.message |= delta
        self.message["usage"] = begun | known
        self.is_whole = delta.get("stop_reason") is not None

    def finish(self) -> bytes:
        """The message as JSON, as it would have come without a stream.

        Raises httpx2.RemoteProtocolError where its end is missing, and UnsoundAnswerError.
        """
        if not (self.message and self.is_whole):
            raise httpx2.RemoteProtocolError("the stream ended before the message did")
        for index, text in self._inputs.items():
            if text:
                self._blocks[index]["input"] = self._read_input(text)
        content = [block for _, block in sorted(self._blocks.items())]
        return json.dumps(self.message | {"content": content}).encode()

    def _read_input(self, text: str) -> Any:
        """The input of a tool call; of one that was cut short, and will not be run, nothing."""
        try:
            return json.loads(text)
        except ValueError:
            if self.message.get("stop_reason") in CUT_SHORT:
                return {}
            words = f"a tool call whose input is not JSON ({clip(text, 60)})"
            raise UnsoundAnswerError(words) from None
