"""Clean a reply, so that the API accepts it in the history, and read the tokens that it used.

The API can send an empty text block, a reply with only whitespace, thinking with nothing after it,
or a command as the name of a tool, but answers 400 when it gets them back. So a loop cannot send
every reply back unchanged.
"""

import json
from dataclasses import dataclass, field, fields
from typing import Any

from . import escape

THINKING = ("thinking", "redacted_thinking")
MAX_NAME_CHARS = 200  # of the tool in a tool_use block, in the API


def model_turn(reply: Any) -> list[dict[str, Any]]:
    """Return the reply as messages of plain dicts: one, or none if it has no content to keep."""
    blocks = plain_blocks(reply)
    if reply.stop_reason == "pause_turn":
        # A paused reply goes back as the last message, which must not end with whitespace.
        blocks = [b | {"text": b["text"].rstrip()} if "text" in b else b for b in blocks]
    content = [block for block in blocks if block.get("text") != ""]
    while content and content[-1]["type"] in THINKING:
        content.pop()
    if all("text" in block and not block["text"].strip() for block in content):
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


@dataclass(frozen=True)
class Usage:
    """The tokens of one reply, as the Messages API counts them, and the model that they are from.

    `input_tokens` are those that were neither written to the prompt cache nor read from it.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    cache_creation_input_tokens: int = 0
    cache_read_input_tokens: int = 0
    model: str = field(default="", compare=False)

    def __add__(self, other: "Usage") -> "Usage":
        """Return the sum of both; `model` is "" if they are from two models."""
        sums = {name: getattr(self, name) + getattr(other, name) for name in COUNTS}
        return Usage(**sums, model=self.model if self.model == other.model else "")

    @property
    def prompt_tokens(self) -> int:
        """Return the tokens of the request."""
        cached = self.cache_creation_input_tokens + self.cache_read_input_tokens
        return self.input_tokens + cached

    @property
    def total(self) -> int:
        """Return the tokens of the request and the reply."""
        return self.prompt_tokens + self.output_tokens


COUNTS = tuple(field.name for field in fields(Usage) if field.name != "model")
MAX_COUNT = 2**53  # no real count is as large; the page's JavaScript cannot add up larger numbers


def usage_of(reply: Any) -> Usage:
    """Return the usage of a reply. A count that is missing or is no number is 0."""
    return read_usage(getattr(reply, "usage", None), getattr(reply, "model", ""))


def read_usage(usage: Any, model: Any) -> Usage:
    """Return the same from a reply's fields `usage` and `model`, of the SDK or from JSON."""
    counts = fields_of(usage)
    known = {name: counts[name] for name in COUNTS if is_count(counts.get(name))}
    return Usage(**known, model=model if isinstance(model, str) else "")


def fields_of(value: Any) -> dict[str, Any]:
    """Return the fields of an SDK object or of a JSON object; {} for any other value."""
    return value if isinstance(value, dict) else getattr(value, "__dict__", {})


def is_count(value: Any) -> bool:
    """Return whether `value` is a whole number from 0 to MAX_COUNT."""
    return type(value) is int and 0 <= value <= MAX_COUNT
