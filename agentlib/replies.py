"""Check and clean a reply, so that the API accepts it in the history, and read its tokens.

The API can send an empty text block, a reply with only whitespace, thinking with nothing after it,
or a command as the name of a tool, but answers 400 when it gets them back. So a loop cannot send
every reply back unchanged. And the SDK does not check what a server sends.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from textwrap import shorten
from typing import Any

from . import escape

THINKING = ("thinking", "redacted_thinking")
MAX_NAME_CHARS = 200  # of the tool in a tool_use block, in the API
# The fields of a block that the loop reads, and their types. Other types of blocks, also those
# that this SDK does not know yet, go back as they came.
FIELDS: dict[str, dict[str, type]] = {
    "text": {"text": str},
    "thinking": {"thinking": str},
    "tool_use": {"id": str, "name": str, "input": dict},
}
MAX_SHOWN_CHARS = 200  # of an answer that is no message
NO_MESSAGE = (
    "The model's server sent no valid message, but this: {}. Run this again. If it happens again, "
    "choose another model or server."
)


def check_reply(reply: Any) -> None:
    """Repair a reply in place. Raise ValueError if the loop cannot use it or send it back."""
    try:
        repair(reply)
        if is_message(reply):
            plain_blocks(reply)  # fails if an object is nested too deeply to be sent back
            return
        sent = reply.to_json(warnings=False) if hasattr(reply, "to_json") else str(reply)
    except (ValueError, RecursionError) as problem:
        sent = f"content that cannot be written as JSON ({problem})"
    sent = shorten(escape.for_screen(sent), MAX_SHOWN_CHARS, placeholder=" …")
    raise ValueError(NO_MESSAGE.format(sent))


def repair(reply: Any) -> None:
    """Correct what some servers send and the API does not accept."""
    blocks = getattr(reply, "content", "")
    if blocks is None:  # Ollama sends this in an empty reply
        reply.content = []
    for block in blocks if isinstance(blocks, list) else []:
        if getattr(block, "type", None) == "tool_use":
            block.input = getattr(block, "input", None) or {}  # Ollama sends calls without one
            if isinstance(block.id, str):  # Kimi's are like `functions.bash:0`
                block.id = re.sub("[^a-zA-Z0-9_-]", "_", block.id)


def is_message(reply: Any) -> bool:
    """Return whether a reply is a model's message, and each field that the loop reads is valid."""
    # The SDK returns a web page, such as the login page of a proxy, as a string.
    if getattr(reply, "role", None) != "assistant" or not isinstance(reply.content, list):
        return False
    if not isinstance(reply.stop_reason, str | None) or not all(map(is_block, reply.content)):
        return False
    # Two results for one id would be a history that the API rejects.
    ids = [block.id for block in reply.content if block.type == "tool_use"]
    return len(set(ids)) == len(ids)


def is_block(block: Any) -> bool:
    """Return whether each field of a block that the loop reads is valid."""
    kind = getattr(block, "type", None)
    if not isinstance(kind, str) or kind == "tool_use" and not (block.id and block.name):
        return False
    types = FIELDS.get(kind, {})
    return all(isinstance(getattr(block, name, None), types[name]) for name in types)


def model_turn(reply: Any) -> list[dict[str, Any]]:
    """Return the reply as messages of plain dicts: one, or none if it has no content to keep."""
    content = plain_blocks(reply)
    if reply.stop_reason == "pause_turn":
        # A paused reply goes back as the last message, which must not end with whitespace.
        for block in content:
            if block["type"] == "text":
                block["text"] = block["text"].rstrip()
    content = [block for block in content if block["type"] != "text" or block["text"]]
    while content and content[-1]["type"] in THINKING:
        content.pop()
    if all(block["type"] == "text" and not block["text"].strip() for block in content):
        return []
    return [{"role": "assistant", "content": content}]


def plain_blocks(reply: Any) -> list[dict[str, Any]]:
    """Return the blocks of a reply as plain dicts, with "?" for each lone surrogate."""
    blocks: list[dict[str, Any]] = [
        block.to_dict(mode="json", warnings=False) for block in reply.content
    ]
    for block in blocks:
        if block["type"] == "tool_use":
            block["name"] = block["name"][:MAX_NAME_CHARS]
    text = json.dumps(blocks, ensure_ascii=False)
    sendable = escape.for_api(text)
    return blocks if sendable == text else json.loads(sendable)


def shown_text(blocks: Iterable[Mapping[str, Any]]) -> str:
    """Return what a user sees of blocks besides tool calls: their text, and the type of others."""
    shown = []
    for block in blocks:
        if block["type"] == "text":
            shown.append(block["text"])
        elif block["type"] not in (*THINKING, "tool_use"):
            shown.append(f"({block['type']})")
    return "\n".join(filter(None, shown))


@dataclass(frozen=True)
class Usage:
    """The tokens of one reply, as the Messages API counts them.

    `input_tokens` are those that were neither written to the prompt cache nor read from it.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    cache_creation_input_tokens: int = 0
    cache_read_input_tokens: int = 0

    @property
    def total(self) -> int:
        """Return the tokens of the request and the reply."""
        cached = self.cache_creation_input_tokens + self.cache_read_input_tokens
        return self.input_tokens + cached + self.output_tokens


COUNTS = tuple(field.name for field in fields(Usage))
MAX_COUNT = 2**53  # no real count is as large; the page's JavaScript cannot add up larger numbers


def usage_of(reply: Any) -> Usage:
    """Return the usage of a reply. A count that is missing or is no number is 0."""
    return read_usage(getattr(reply, "usage", None))


def read_usage(usage: Any) -> Usage:
    """Return the same from a reply's field `usage`, of the SDK or from JSON."""
    counts = fields_of(usage)
    return Usage(**{name: counts[name] for name in COUNTS if is_count(counts.get(name))})


def fields_of(value: Any) -> dict[str, Any]:
    """Return the fields of an SDK object or of a JSON object; {} for any other value."""
    return value if isinstance(value, dict) else getattr(value, "__dict__", {})


def is_count(value: Any) -> bool:
    """Return whether `value` is a whole number from 0 to MAX_COUNT."""
    return type(value) is int and 0 <= value <= MAX_COUNT
