"""A message as it is written: the events that the API sends where a request says `stream`.

What the events add up to is the message that the same request gets without `stream`. They come as
fast as they are read. Source: "Streaming messages", and recorded streams.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pydantic_core import to_json

CONTENT_TYPE = "text/event-stream; charset=utf-8"
WORDS = re.compile(r"\s*\S+|\s+")  # the pieces of a text: tokens mostly begin with the blank
JSON_PIECE_CHARS = 16  # of a call's input


def encode(events: Iterator[dict[str, Any]]) -> Iterator[bytes]:
    """The events as server-sent events, the form that they have on the wire."""
    for event in events:
        yield f"event: {event['type']}\ndata: ".encode() + to_json(event) + b"\n\n"


def write_message(message: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The events of a whole message."""
    yield from begin_message(message)
    yield from write_content(message["content"])
    usage = message.get("usage") or {"output_tokens": 0}
    ending = ("stop_reason", "stop_sequence", "stop_details")
    yield {
        "type": "message_delta",
        "delta": {name: message.get(name) for name in ending},
        "usage": {name: n for name, n in usage.items() if name.endswith("_tokens")},
    }
    yield {"type": "message_stop"}


def break_off(message: dict[str, Any], error: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The events of a message after whose content the server fails: "Errors", in a stream."""
    yield from begin_message(message)
    yield from write_content(message["content"])
    yield error


def begin_message(message: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The message without its content; the usage counts one token of the reply so far."""
    begun = message | {"content": [], "stop_reason": None, "stop_sequence": None}
    begun["stop_details"] = None
    if message.get("usage"):
        begun["usage"] = message["usage"] | {"output_tokens": 1}
    yield {"type": "message_start", "message": begun}


def write_content(content: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Each block: that it begins, its pieces, that it ends. The first may come with a ping."""
    for index, block in enumerate(content):
        begun, deltas = take_apart(block)
        yield {"type": "content_block_start", "index": index, "content_block": begun}
        if index == 0:
            yield {"type": "ping"}
        for delta in deltas:
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}


def take_apart(block: dict[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """A block as it begins, and the deltas that it then grows by. Most kinds come in one piece."""
    match block["type"]:
        case "text":
            return block | {"text": ""}, [
                {"type": "text_delta", "text": piece} for piece in WORDS.findall(block["text"])
            ]
        case "thinking":
            pieces = WORDS.findall(block["thinking"])
            deltas = [{"type": "thinking_delta", "thinking": piece} for piece in pieces]
            signed = {"type": "signature_delta", "signature": block["signature"]}
            return block | {"thinking": "", "signature": ""}, [*deltas, signed]
        case "tool_use":
            deltas = [
                {"type": "input_json_delta", "partial_json": piece}
                for piece in ("", *cut_json(block["input"]))
            ]
            return block | {"input": {}}, deltas
    return block, []


def cut_json(input: dict[str, Any]) -> list[str]:
    """A call's input as pieces of JSON; none where it is empty, as in recorded streams."""
    text = to_json(input).decode() if input else ""
    return [text[n : n + JSON_PIECE_CHARS] for n in range(0, len(text), JSON_PIECE_CHARS)]
