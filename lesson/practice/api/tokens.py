"""An estimate of how many tokens something has, by a rule of thumb instead of a tokenizer.

Only the words count, not the JSON around them, so a string is as long as the block it stands for.
"""

from typing import Any

from pydantic_core import to_json

from .models import Model, find_model

BYTES_PER_TOKEN = 4  # for English text: "Token counting"
PICTURE_TOKENS = 1_600  # for a large picture, or about a page: "Vision", "PDF support"

WORDS = frozenset("name description text thinking content title context source data".split())
AS_JSON = frozenset(("input", "input_schema"))
THINKING = ("thinking", "redacted_thinking")


def estimate_prompt_tokens(request: dict[str, Any]) -> int:
    """An estimate of the tokens in a prompt: system, tools and messages."""
    messages = list_visible_messages(request["messages"], find_model(request["model"]))
    contents = [message["content"] for message in messages]
    return estimate_tokens([request.get("system"), request.get("tools"), contents])


def list_visible_messages(messages: list[dict[str, Any]], model: Model) -> list[dict[str, Any]]:
    """The messages that the model sees: "Thinking", "Caching with thinking blocks".

    Earlier models do not see what they thought before the user last said something other than
    tool results, and it is not charged.
    """
    if model.keeps_thinking or not any([is_thinking(block) for block in list_blocks(messages)]):
        return messages
    spoke = [n for n, message in enumerate(messages) if is_from_person(message)]
    last = spoke[-1] if spoke else 0
    return [*map(without_thinking, messages[:last]), *messages[last:]]


def list_blocks(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Every block of the messages, and then those inside tool results; a string has none."""
    contents = [message["content"] for message in messages]
    blocks = [block for content in contents if isinstance(content, list) for block in content]
    results = [block.get("content") for block in blocks if block["type"] == "tool_result"]
    return blocks + [block for held in results if isinstance(held, list) for block in held]


def is_thinking(block: dict[str, Any]) -> bool:
    """Whether the block is something that the model thought."""
    return block["type"] in THINKING


def is_from_person(message: dict[str, Any]) -> bool:
    """Whether a message of the user says something other than tool results."""
    content = message["content"]
    return message["role"] == "user" and (
        isinstance(content, str) or any(block["type"] != "tool_result" for block in content)
    )


def without_thinking(message: dict[str, Any]) -> dict[str, Any]:
    """A message without its thinking blocks."""
    content = message["content"]
    if isinstance(content, str):
        return message
    return message | {"content": [block for block in content if not is_thinking(block)]}


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
