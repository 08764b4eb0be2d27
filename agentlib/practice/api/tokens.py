"""An estimate of how many tokens something has, by a rule of thumb instead of a tokenizer.

Only the words count, not the JSON around them, so a string is as long as the block it stands for.
"""

from typing import Any

from pydantic_core import to_json

BYTES_PER_TOKEN = 4  # for English text: "Token counting"
PICTURE_TOKENS = 1_600  # for a large picture, or about a page: "Vision", "PDF support"

WORDS = frozenset("name description text thinking content title context source data".split())
AS_JSON = frozenset(("input", "input_schema"))


def estimate_prompt_tokens(request: dict[str, Any]) -> int:
    """An estimate of the tokens in a prompt: system, tools and messages."""
    contents = [message["content"] for message in request["messages"]]
    return estimate_tokens([request.get("system"), request.get("tools"), contents])


def estimate_tokens(said: Any) -> int:
    """An estimate of the tokens in a text, a block, a tool, or a list of them, rounded up."""
    return -(-count_bytes(said) // BYTES_PER_TOKEN)


def count_bytes(said: Any) -> int:
    """The bytes of the words in this. A call's input and a tool's schema count as JSON; a picture
    or a document counts as PICTURE_TOKENS, whatever its size."""
    if isinstance(said, str):
        return len(said.encode())
    if isinstance(said, list):
        return sum(map(count_bytes, said))
    if not isinstance(said, dict):
        return 0
    if said.get("type") in ("base64", "file", "url"):
        return PICTURE_TOKENS * BYTES_PER_TOKEN
    total = 0
    for name, value in said.items():
        if name in WORDS:
            is_plain = type(value) is str and value.isascii()  # as nearly all are
            total += len(value) if is_plain else count_bytes(value)
        elif name in AS_JSON:
            total += len(to_json(value))
    return total
