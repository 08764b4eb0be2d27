"""Read and relay the server-sent events of a streamed reply (API docs: "Streaming messages")."""

import json
from collections.abc import Iterator
from typing import Any

import anthropic
import httpx2

from .limits import TokenCounter, is_count
from .redaction import Redactor
from .responses import InvalidResponseError, redact_data, repair_block

CONTENT_TYPE = "text/event-stream"
MAX_STREAM_BYTES = 2**26  # each word comes with a hundred bytes around it


def is_event_stream(response: httpx2.Response) -> bool:
    """Return whether a response is a successful stream of events."""
    return response.is_success and CONTENT_TYPE in response.headers.get("content-type", "")


def read_events(response: httpx2.Response) -> Iterator[dict[str, Any]]:
    """Yield the events of a response. Raise httpx2.RemoteProtocolError for a damaged one."""
    bounded = httpx2.Response(200, content=limit_bytes(response.iter_bytes()))
    try:
        for event in anthropic.Stream.raw_events(bounded):
            if event.data.startswith("{"):
                yield event.json()
    except ValueError:  # half a character, or half an object
        raise httpx2.RemoteProtocolError("an event of the stream is damaged") from None


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

    Raises httpx2.RemoteProtocolError if the stream ends without `message_stop`: the SDK would
    return what arrived so far, perhaps half a tool call.
    """

    def __init__(
        self, response: httpx2.Response, redactor: Redactor, counter: TokenCounter
    ) -> None:
        self.response, self.redactor, self.counter = response, redactor, counter

    def __iter__(self) -> Iterator[bytes]:
        for event in read_events(self.response):
            kind = event.get("type")
            if not isinstance(kind, str):
                raise InvalidResponseError("a stream of events in an unknown format")
            self.counter.add(event)
            data = json.dumps(redact_data(repair_event(event), self.redactor))
            yield f"event: {kind}\ndata: {data}\n\n".encode()
            if kind in ("message_stop", "error"):
                return  # not every server closes the connection then
        raise httpx2.RemoteProtocolError("the stream ended before the message did")

    def close(self) -> None:
        """Close the connection."""
        self.response.close()


def repair_event(event: dict[str, Any]) -> dict[str, Any]:
    """Return an event with the fields that the SDK requires and some servers leave out."""
    match event:
        case {"type": "message_start", "message": dict(message)}:
            usage = repair_usage(message.get("usage"))
            return event | {"message": message | {"content": [], "usage": usage}}
        case {"type": "message_delta", "delta": dict(delta)}:
            delta = {"stop_reason": None, "stop_sequence": None} | delta
            return event | {"delta": delta, "usage": repair_usage(event.get("usage"))}
        case {"type": "content_block_start", "content_block": block}:
            return event | {"content_block": repair_block(block)}
    return event


def repair_usage(usage: Any) -> dict[str, Any]:
    """Return a usage with its readable counts and its service tier."""
    known = usage if isinstance(usage, dict) else {}
    numbers = {name: value for name, value in known.items() if is_count(value)}
    nested = {name: repair_usage(value) for name, value in known.items() if isinstance(value, dict)}
    tier = {"service_tier": known["service_tier"]} if "service_tier" in known else {}
    return {"output_tokens": 0} | numbers | nested | tier
