"""About how many tokens something has: a rule of thumb in place of a tokenizer.

The words count, not the JSON around them: a string is as long as the block that it stands for.
"""

from typing import Any

from pydantic_core import to_json

BYTES_PER_TOKEN = 4  # for English text: "Token counting"
PICTURE = 1_600  # tokens for a large one, and about as many for a page: "Vision", "PDF support"

WORDS = ("name", "description", "text", "thinking", "content", "title", "context", "source", "data")
AS_JSON = ("input", "input_schema")


def prompt_tokens(request: dict[str, Any]) -> int:
    """About how many tokens the prompt has: system, tools and messages."""
    contents = [message["content"] for message in request["messages"]]
    return tokens_of([request.get("system"), request.get("tools"), contents])


def tokens_of(said: Any) -> int:
    """About how many tokens this has, rounded up: a text, a block, a tool, or a list of them."""
    return -(-size(said) // BYTES_PER_TOKEN)


def size(said: Any) -> int:
    """How many bytes this says. A call's input and a tool's schema count as JSON; a picture or a
    document counts as PICTURE tokens, whatever its size."""
    if isinstance(said, str):
        return len(said.encode())
    if isinstance(said, list):
        return sum(map(size, said))
    if not isinstance(said, dict):
        return 0
    if said.get("type") in ("base64", "file", "url"):
        return PICTURE * BYTES_PER_TOKEN
    words = sum(size(said[name]) for name in WORDS if name in said)
    return words + sum(len(to_json(said[name])) for name in AS_JSON if name in said)
