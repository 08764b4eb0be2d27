"""What a reply leaves behind: the turn that goes into the history, and what it cost.

The API may send an empty text, a blank turn, or thinking with nothing after it, and answers 400
when they come back (practice/api has each of these rules with its source). A loop that sent every
reply back exactly as it came would end there.
"""

import json
from dataclasses import dataclass, field, fields
from typing import Any

THINKING = ("thinking", "redacted_thinking")


def model_turn(reply: Any) -> list[dict[str, Any]]:
    """The reply as a turn for `messages`, in plain dicts: a list of one, or of none if blank."""
    blocks = plain_blocks(reply)
    if reply.stop_reason == "pause_turn":
        # A paused turn goes back as the last one, and that may not end in white space.
        blocks = [without_trailing_space(block) for block in blocks]
    content = [block for block in blocks if block.get("text") != ""]
    while content and content[-1]["type"] in THINKING:
        content.pop()
    if all(is_blank(block) for block in content):
        return []
    return [{"role": "assistant", "content": content}]


def plain_blocks(reply: Any) -> list[dict[str, Any]]:
    """The blocks of a reply as plain dicts; "?" for what UTF-8 cannot encode."""
    blocks = [block.to_dict(mode="json", warnings=False) for block in reply.content]
    text = json.dumps(blocks, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        blocks = json.loads(text.encode("utf-8", "replace"))
    return blocks


def without_trailing_space(block: dict[str, Any]) -> dict[str, Any]:
    """A text block without white space at its end; any other block as it is."""
    return block | {"text": block["text"].rstrip()} if "text" in block else block


def is_blank(block: dict[str, Any]) -> bool:
    """Whether the block is a text that says nothing."""
    return "text" in block and not block["text"].strip()


@dataclass(frozen=True)
class Usage:
    """What one reply cost, in tokens, as the Messages API counts them, and whose tokens they are.

    `input_tokens` are those that the cache had nothing to do with. The last count is a part of
    `cache_creation_input_tokens`: what is kept for an hour, which costs more.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    cache_creation_input_tokens: int = 0
    cache_read_input_tokens: int = 0
    ephemeral_1h_input_tokens: int = 0
    model: str = field(default="", compare=False)

    @property
    def counts(self) -> tuple[int, ...]:
        """The counts, in the order of COUNTS."""
        return tuple(getattr(self, name) for name in COUNTS)

    def __add__(self, other: "Usage") -> "Usage":
        """What both cost together; of no model, if they are of two."""
        sums = (one + more for one, more in zip(self.counts, other.counts, strict=True))
        model = self.model if self.model == other.model else ""
        return Usage(**dict(zip(COUNTS, sums, strict=True)), model=model)

    @property
    def prompt_tokens(self) -> int:
        """All tokens of the request."""
        cached = self.cache_creation_input_tokens + self.cache_read_input_tokens
        return self.input_tokens + cached

    @property
    def total(self) -> int:
        """All tokens that were read or written."""
        return self.prompt_tokens + self.output_tokens


COUNTS = tuple(field.name for field in fields(Usage) if field.name != "model")


def usage_of(reply: Any) -> Usage:
    """Return what a reply cost. A count that is missing or unreadable is 0."""
    return read_usage(getattr(reply, "usage", None), getattr(reply, "model", ""))


def read_usage(usage: Any, model: Any) -> Usage:
    """Return the same from the fields `usage` and `model` of a reply, as objects or JSON."""
    found = fields_of(usage)
    counts = found | {COUNTS[-1]: fields_of(found.get("cache_creation")).get(COUNTS[-1])}
    # Servers send anything here. True is an int in Python, but not a count.
    known = {name: counts[name] for name in COUNTS if is_count(counts.get(name))}
    return Usage(**known, model=model if isinstance(model, str) else "")


def fields_of(value: Any) -> dict[str, Any]:
    """Return the fields of an SDK object or of a JSON object; {} for any other value."""
    return value if isinstance(value, dict) else getattr(value, "__dict__", {})


def is_count(value: Any) -> bool:
    """Return whether `value` is a whole number from 0."""
    return type(value) is int and value >= 0
