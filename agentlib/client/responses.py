"""Check, repair and redact what a server answers, so that it can go into the history."""

import json
from math import isfinite
from typing import Any

from . import escape
from .error_messages import clip
from .redaction import Redactor

MAX_DEPTH = 100  # nested lists and objects; the SDK cannot send about 250 back
MAX_PAGE_BYTES = 500  # of an error that is not JSON: a traceback shows it


class InvalidResponseError(ValueError):
    """An answer that cannot be used. The text is a noun phrase: "an answer that …"."""


def decode(body: bytes, redactor: Redactor) -> Any:
    """Return an answer's JSON, redacted. Raise InvalidResponseError."""
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        raise InvalidResponseError("an answer that is not valid JSON") from None
    return redact_data(data, redactor)


def encode(data: Any) -> bytes:
    """Return data as JSON, with "?" for lone surrogates, which UTF-8 cannot encode."""
    return json.dumps(data, ensure_ascii=False).encode("utf-8", "replace")


def redact_data(value: Any, redactor: Redactor, depth: int = 0) -> Any:
    """Return the value with every string and every key in it redacted.

    Raise InvalidResponseError for what cannot be sent back: deep nesting, NaN, infinity.
    """
    if depth > MAX_DEPTH:
        raise InvalidResponseError(f"an answer that is nested more than {MAX_DEPTH} levels deep")
    match value:
        case str():
            return redactor.redact(value)
        case list():
            return [redact_data(item, redactor, depth + 1) for item in value]
        case float() if not isfinite(value):
            raise InvalidResponseError("an answer with a number that JSON does not have")
        case dict():
            return {
                redactor.redact(name): redact_data(item, redactor, depth + 1)
                for name, item in value.items()
            }
    return value


def clean_error(body: bytes, redactor: Redactor) -> bytes:
    """Return the body of an error, redacted and escaped, because a traceback prints it."""
    if not body.lstrip().startswith(b"{"):
        body = body[:MAX_PAGE_BYTES]
    text = redactor.redact(body.decode("utf-8", "replace"))
    try:
        # JSON may spell a key or a control character with escapes, so redact it once decoded.
        text = escape.prose(json.dumps(redact_data(json.loads(text), redactor), ensure_ascii=False))
    except (ValueError, RecursionError):
        text = escape.prose(text)
    return text.encode("utf-8", "replace")


def check_message(data: Any, used_ids: set[str]) -> dict[str, Any]:
    """Return the message in an answer, in the API's format. Raise InvalidResponseError.

    Repairs what some servers write differently, and gives tool calls new ids if they repeat one
    of `used_ids`. One invalid message in the history, and every later request would be rejected.
    """
    message = repair(data)
    match message:
        case {"type": "error", "error": {"message": str(words)}}:
            raise InvalidResponseError(f"an error in place of an answer ({clip(words)})")
        case {"content": [*blocks]} if all(map(is_valid_block, blocks)):
            if not isinstance(message.get("stop_reason"), str | None):
                raise InvalidResponseError("an answer with an invalid stop_reason")
            give_new_ids(blocks, used_ids)
            return dict(message)
    raise InvalidResponseError("an answer that is not a message")


def repair(data: Any) -> Any:
    """Return a message in the API's format.

    Ollama sends `"content": null` in an empty reply, and a tool call without `input`.
    """
    match data:
        case {"role": "assistant", "content": None}:
            return data | {"content": []}
        case {"content": [*blocks]}:
            return data | {"content": [repair_block(block) for block in blocks]}
    return data


def repair_block(block: Any) -> Any:
    """Return a tool call without arguments with an empty input, any other block unchanged."""
    if isinstance(block, dict) and block.get("type") == "tool_use" and block.get("input") is None:
        return block | {"input": {}}
    return block


def is_valid_block(block: Any) -> bool:
    """Return whether the loop can use a content block and send it back."""
    match block:
        case {"type": "text", "text": str()}:
            return True
        case {"type": "tool_use", "id": str(id), "name": str(name), "input": dict()}:
            return bool(id and name)
        case {"type": "text" | "tool_use" | "tool_result"}:
            return False
        case {"type": str()}:
            return isinstance(block.get("text", ""), str)
    return False


def give_new_ids(blocks: list[dict[str, Any]], used: set[str]) -> None:
    """Change the ids of tool calls that are already in `used` or in this reply.

    Some servers count from call_0 in each reply. The API rejects a history with one id twice.
    """
    for block in blocks:
        if block["type"] != "tool_use":
            continue
        first, number = block["id"], 2
        while block["id"] in used:
            block["id"] = f"{first}_{number}"
            number += 1
        used.add(block["id"])


def ids_in(body: Any) -> set[str]:
    """Return the ids of all content blocks in a request."""
    contents = [turn["content"] for turn in body.get("messages", [])]
    blocks = [block for content in contents if isinstance(content, list) for block in content]
    return {
        block["id"]
        for block in blocks
        if isinstance(block, dict) and isinstance(block.get("id"), str)
    }
