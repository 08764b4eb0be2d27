"""Read and relay the server-sent events of a streamed reply (API docs: "Streaming messages")."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import anthropic
import httpx2

from agentlib.loop import COMPLETE
from agentlib.replies import read_usage

from .error_messages import clip
from .quirks import repair_event
from .redaction import Redactor
from .responses import InvalidResponseError, decode

CONTENT_TYPE = "text/event-stream"
MAX_STREAM_BYTES = 2**26  # each word comes with a hundred bytes around it


def is_event_stream(response: httpx2.Response) -> bool:
    """Return whether a response is a successful stream of events."""
    return response.is_success and CONTENT_TYPE in response.headers.get("content-type", "")


def limit_bytes(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the chunks; raise httpx2.RemoteProtocolError if they are too many."""
    left = MAX_STREAM_BYTES
    for chunk in chunks:
        left -= len(chunk)
        if left < 0:
            raise httpx2.RemoteProtocolError("the stream does not end")
        yield chunk


class EventRelay(httpx2.SyncByteStream):
    """The body of a stream on its way to the SDK: redacted, repaired, counted and complete.

    Raises httpx2.RemoteProtocolError if the stream ends without `message_stop`, and
    InvalidResponseError for half a tool call: the SDK would return what arrived so far.
    """

    def __init__(
        self, response: httpx2.Response, redactor: Redactor, count: Callable[[int], None]
    ) -> None:
        self.response, self.redactor, self.count = response, redactor, count
        self._usage: dict[str, Any] = {}
        self._inputs: dict[Any, str] = {}  # JSON of the tool calls, by index of the block
        self._stop_reason: Any = None

    def __iter__(self) -> Iterator[bytes]:
        for event in self.read_events():
            kind = event.get("type")
            if not isinstance(kind, str):
                raise InvalidResponseError("a stream of events in an unknown format")
            self._usage |= usage_in(event)
            self.check_inputs(event)
            yield f"event: {kind}\ndata: {json.dumps(repair_event(event))}\n\n".encode()
            if kind in ("message_stop", "error"):
                return  # not every server closes the connection then
        raise httpx2.RemoteProtocolError("the stream ended before the message was complete")

    def read_events(self) -> Iterator[dict[str, Any]]:
        """Yield the events. Raise httpx2.RemoteProtocolError for a damaged one."""
        bounded = httpx2.Response(200, content=limit_bytes(self.response.iter_bytes()))
        try:
            for event in anthropic.Stream.raw_events(bounded):
                if event.data.startswith("{"):
                    yield decode(event.data, self.redactor)
        except ValueError:  # half a character, or half an object
            raise httpx2.RemoteProtocolError("an event of the stream is damaged") from None

    def check_inputs(self, event: dict[str, Any]) -> None:
        """Raise InvalidResponseError if the message ends before a tool call's input is complete.

        In a reply that was cut off, that may be its last block: the loop does not run it.
        """
        match event:
            case {"type": "content_block_start", "index": index}:
                self._inputs[index] = ""
            case {"index": index, "delta": {"partial_json": str(part)}}:
                self._inputs[index] = self._inputs.get(index, "") + part
            case {"delta": {"stop_reason": reason}}:
                self._stop_reason = reason
            case {"type": "message_stop"}:
                inputs = list(self._inputs.values())
                for text in inputs if self._stop_reason in COMPLETE else inputs[:-1]:
                    if not is_json(text or "{}"):
                        found = f"a tool call whose input is not JSON ({clip(text, 60)})"
                        raise InvalidResponseError(found)

    def close(self) -> None:
        """Close the connection, and count the tokens: the SDK calls this once, at any end."""
        self.response.close()
        self.count(read_usage(self._usage, "").total)


def usage_in(event: dict[str, Any]) -> dict[str, Any]:
    """Return the counts in an event: running totals, of which a later event may leave some out."""
    match event:
        case {"message": {"usage": dict(usage)}} | {"usage": dict(usage)}:
            return {name: usage[name] for name in usage if usage[name] is not None}
    return {}


def is_json(text: str) -> bool:
    """Return whether `text` is complete JSON."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
