"""Check, repair and redact what a server answers, so that it can go into the history."""

import json
from typing import Any

from ..redaction import Keys, redact_keys
from .error_messages import clip

MAX_PAGE_CHARS = 500  # of an error that is not JSON: a traceback shows it

# What other APIs call the stop reasons of the Messages API.
STOP_REASONS = {"stop": "end_turn", "tool_calls": "tool_use", "length": "max_tokens"}


class InvalidResponseError(ValueError):
    """An answer that cannot be used. The text is a noun phrase: "an answer that …"."""


def decode(body: bytes, keys: Keys) -> Any:
    """Return an answer's JSON, redacted, with "?" for lone surrogates, which UTF-8 cannot encode.

    Raise InvalidResponseError for JSON that cannot be sent back, with NaN or infinity.
    """
    try:
        # Written without escapes, a key looks the same however the server wrote it.
        text = json.dumps(json.loads(body), ensure_ascii=False, allow_nan=False)
    except (ValueError, RecursionError):
        raise InvalidResponseError("an answer that is not valid JSON") from None
    return json.loads(redact_keys(text, keys).encode("utf-8", "replace"))


def redact_error(body: bytes, keys: Keys) -> bytes:
    """Return the body of an error without the key; of a web page, only the beginning."""
    try:
        # Written without escapes, a key looks the same however the server wrote it.
        text = redact_keys(json.dumps(json.loads(body), ensure_ascii=False), keys)
    except (ValueError, RecursionError):
        # Redacted before it is cut, because the cut may be in the middle of a key.
        text = redact_keys(body.decode("utf-8", "replace"), keys)[:MAX_PAGE_CHARS]
    return text.encode("utf-8", "replace")


def read_message(body: bytes, keys: Keys, used_ids: set[str]) -> dict[str, Any]:
    """Return the message in an answer, in the API's format. Raise InvalidResponseError.

    Repairs what some servers write differently, and gives tool calls new ids if they repeat one
    of `used_ids`. One invalid message in the history, and every later request would be rejected.
    """
    message = repair_message(decode(body, keys))
    match message:
        case {"type": "error", "error": {"message": str(words)}}:
            raise InvalidResponseError(f"an error in place of an answer ({clip(words)})")
        case {"content": [*blocks]} if all(map(is_valid_block, blocks)):
            give_new_ids(blocks, used_ids)
            return dict(message)
    raise InvalidResponseError("an answer that is not a message")


def repair_message(data: Any) -> Any:
    """Return a message in the API's format, if a server writes it a little differently.

    Ollama sends `"content": null` in an empty reply, and a tool call without `input`. Some gateways
    send the stop reasons of another API: the loop would take a complete call for a cut-off one.
    """
    if isinstance(data, dict) and isinstance(reason := data.get("stop_reason"), str):
        data["stop_reason"] = STOP_REASONS.get(reason, reason)
    match data:
        case {"role": "assistant", "content": None}:
            data["content"] = []
        case {"content": [*blocks]}:
            for block in blocks:
                if isinstance(block, dict) and block.get("type") == "tool_use":
                    block["input"] = block.get("input") or {}
    return data


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
    number = 2
    for block in blocks:
        if block["type"] != "tool_use":
            continue
        first = block["id"]
        while block["id"] in used:
            block["id"] = f"{first}_{number}"
            number += 1
        used.add(block["id"])


def ids_in(body: dict[str, Any]) -> set[str]:
    """Return the ids of all content blocks in a request."""
    return {
        block["id"]
        for turn in body["messages"]
        for block in turn["content"]  # blocks, or the characters of a string
        if isinstance(block, dict) and "id" in block
    }
