"""Read content as blocks, and estimate its tokens by a rule of thumb, without a tokenizer.

Only the text counts, and not the JSON around it. So a string has as many tokens as the text block
for which it is short.
"""

from math import ceil
from typing import Any

from pydantic_core import to_json

BYTES_PER_TOKEN = 4  # for English text: "Token counting"
AS_TEXT = frozenset(("name", "description", "text", "thinking", "content"))
AS_JSON = frozenset(("input", "input_schema"))


def as_blocks(content: Any) -> Any:
    """Return content as blocks: a string is short for a list of one text block."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}] if content else []
    return content


def estimate_tokens(content: Any) -> int:
    """Return the tokens in a string, a block, a tool, or a list of them, rounded up."""
    return ceil(count_bytes(content) / BYTES_PER_TOKEN)


def estimate_prompt_tokens(request: dict[str, Any]) -> int:
    """Return the tokens in the tools, the system prompt and the messages of a request."""
    contents = [message["content"] for message in request["messages"]]
    return estimate_tokens([request.get("tools"), request.get("system"), *contents])


def count_bytes(content: Any) -> int:
    """Return the bytes of the text in `content`. A tool call's input and a tool's schema count as
    JSON; pictures and documents count as nothing."""
    if isinstance(content, str):
        return len(content.encode())
    if isinstance(content, list):
        return sum(map(count_bytes, content))
    if not isinstance(content, dict):
        return 0
    total = 0
    for name, value in content.items():
        if name in AS_TEXT:
            total += count_bytes(value)
        elif name in AS_JSON:
            total += len(to_json(value))
    return total
