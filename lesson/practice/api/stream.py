"""Streaming: a message as the events that the API sends if a request has `stream`.

The events add up to the message that the same request gets without `stream`. They are sent as fast
as they are read. Source: "Streaming messages", and recorded streams.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pydantic_core import to_json

CONTENT_TYPE = "text/event-stream; charset=utf-8"
WORDS = re.compile(r"\s*\S+|\s+")  # Most tokens begin with the space before a word.
JSON_PIECE_CHARS = 16  # of a tool call's input


def encode(events: Iterator[dict[str, Any]]) -> Iterator[bytes]:
    """Yield the events as server-sent events."""
    for event in events:
        yield f"event: {event['type']}\ndata: ".encode() + to_json(event) + b"\n\n"


def write_message(message: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the events of a whole message. The first counts one token of output."""
    ending = ("stop_reason", "stop_sequence", "stop_details")
    usage = message.get("usage") or {}
    start = message | dict.fromkeys(ending) | {"content": []}
    yield {"type": "message_start", "message": start | {"usage": usage | {"output_tokens": 1}}}
    yield from write_content(message["content"])
    yield {
        "type": "message_delta",
        "delta": {name: message.get(name) for name in ending},
        "usage": {name: n for name, n in usage.items() if name.endswith("_tokens")},
    }
    yield {"type": "message_stop"}


def write_content(content: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the events of each block: its start, its deltas, its end, and a ping in the first."""
    for index, block in enumerate(content):
        start, deltas = split_block(block)
        yield {"type": "content_block_start", "index": index, "content_block": start}
        if index == 0:
            yield {"type": "ping"}
        for delta in deltas:
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}


def split_block(block: dict[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return a block as it starts, and its deltas. Most types of block have no deltas."""
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
            return block | {"input": {}}, [
                {"type": "input_json_delta", "partial_json": piece}
                for piece in ("", *split_json(block["input"]))
            ]
    return block, []


def split_json(input: dict[str, Any]) -> list[str]:
    """Return a tool call's input as pieces of JSON; none if it is empty, as in recorded streams."""
    text = to_json(input).decode() if input else ""
    return [text[n : n + JSON_PIECE_CHARS] for n in range(0, len(text), JSON_PIECE_CHARS)]
