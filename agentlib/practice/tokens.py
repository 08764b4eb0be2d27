"""About how many tokens: a rule of thumb in place of a tokenizer, so that sizes are still real."""

from typing import Any

from pydantic_core import to_json

BYTES_PER_TOKEN = 4  # for English text: "Token counting"


def tokens_of(value: Any) -> int:
    """About how many tokens this JSON value has, rounded up."""
    return -(-len(to_json(value)) // BYTES_PER_TOKEN)


def prompt_tokens(request: dict) -> int:
    """About how many tokens the prompt has: system, tools and messages as they are sent."""
    return tokens_of([request.get("system"), request.get("tools"), request["messages"]])
