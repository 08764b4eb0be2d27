"""Write a message as the events of a stream: "Streaming messages"."""

import json
import re
from collections.abc import Iterator
from typing import Any

# The field of a block that its deltas continue, and the type of these deltas.
DELTAS = {
    "text": {"text": "text_delta"},
    "thinking": {"thinking": "thinking_delta", "signature": "signature_delta"},
}


def to_events(message: dict[str, Any]) -> bytes:
    """Return the body of a stream that sends this message."""
    return b"".join(write_event(event) for event in list_events(message))


def write_event(event: dict[str, Any]) -> bytes:
    """Return an event as the lines of a stream."""
    return f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode()


def list_events(message: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the events of a message, in the order of the API."""
    start = {"content": [], "stop_reason": None, "stop_sequence": None}
    usage = message["usage"] | {"output_tokens": 1}
    yield {"type": "message_start", "message": message | start | {"usage": usage}}
    for index, block in enumerate(message["content"]):
        empty = block | {name: "" for name in DELTAS.get(block["type"], {})}
        empty |= {"input": {}} if block["type"] == "tool_use" else {}
        yield {"type": "content_block_start", "index": index, "content_block": empty}
        if index == 0:
            yield {"type": "ping"}
        for delta in list_deltas(block):
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    ends = {name: message[name] for name in ("stop_reason", "stop_sequence")}
    yield {"type": "message_delta", "delta": ends, "usage": message["usage"]}
    yield {"type": "message_stop"}


def list_deltas(block: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the deltas of a block. A call's input is sent as pieces of its JSON."""
    if block["type"] == "tool_use":
        yield {"type": "input_json_delta", "partial_json": ""}
        for piece in split(json.dumps(block["input"]) if block["input"] else ""):
            yield {"type": "input_json_delta", "partial_json": piece}
    for name, kind in DELTAS.get(block["type"], {}).items():
        pieces = [block.get(name)] if name == "signature" else split(block.get(name) or "")
        for piece in pieces:
            yield {"type": kind, name: piece}


def split(text: str) -> list[str]:
    """Return a text in pieces of two words, or of what is left, which joined are the text."""
    return re.findall(r"\s*(?:\S+\s*){1,2}|\s+", text)
