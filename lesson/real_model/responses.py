"""Check and redact what a server answers, so that it can go into the history."""

import json
from typing import Any

from .error_messages import clip
from .quirks import give_new_ids, repair_message
from .redaction import Redactor

MAX_DEPTH = 100  # nested lists and objects; the SDK cannot send about 250 back
MAX_PAGE_CHARS = 500  # of an error that is not JSON: a traceback shows it


class InvalidResponseError(ValueError):
    """An answer that cannot be used. The text is a noun phrase: "an answer that …"."""


def decode(body: bytes | str, redactor: Redactor) -> Any:
    """Return an answer's JSON, redacted, with "?" for lone surrogates, which UTF-8 cannot encode.

    Raise InvalidResponseError for JSON that cannot be sent back: NaN, infinity, deep nesting.
    """
    try:
        # Written without escapes, a key looks the same however the server wrote it.
        text = json.dumps(json.loads(body), ensure_ascii=False, allow_nan=False)
        data = json.loads(redactor.redact(text).encode("utf-8", "replace"))
        is_deep = depth(data) > MAX_DEPTH
    except (ValueError, RecursionError):
        raise InvalidResponseError("an answer that is not valid JSON") from None
    if is_deep:
        raise InvalidResponseError(f"an answer that is nested more than {MAX_DEPTH} levels deep")
    return data


def depth(data: Any) -> int:
    """Return how deep lists and objects are nested in `data`."""
    match data:
        case dict():
            return 1 + max(map(depth, data.values()), default=0)
        case list():
            return 1 + max(map(depth, data), default=0)
    return 0


def redact_error(body: bytes, redactor: Redactor) -> bytes:
    """Return the body of an error without the key; of a web page, only the beginning."""
    try:
        # Written without escapes, a key looks the same however the server wrote it.
        text = redactor.redact(json.dumps(json.loads(body), ensure_ascii=False))
    except (ValueError, RecursionError):
        # Redacted before it is cut, because the cut may be in the middle of a key.
        text = redactor.redact(body.decode("utf-8", "replace"))[:MAX_PAGE_CHARS]
    return text.encode("utf-8", "replace")


def read_message(body: bytes | str, redactor: Redactor, used_ids: set[str]) -> dict[str, Any]:
    """Return the message in an answer, in the API's format. Raise InvalidResponseError.

    Repairs what some servers write differently, and gives tool calls new ids if they repeat one
    of `used_ids`. One invalid message in the history, and every later request would be rejected.
    """
    message = repair_message(decode(body, redactor))
    match message:
        case {"type": "error", "error": {"message": str(words)}}:
            raise InvalidResponseError(f"an error in place of an answer ({clip(words)})")
        case {"content": [*blocks]} if all(map(is_valid_block, blocks)):
            if not isinstance(message.get("stop_reason"), str | None):
                raise InvalidResponseError("an answer with an invalid stop_reason")
            give_new_ids(blocks, used_ids)
            return dict(message)
    raise InvalidResponseError("an answer that is not a message")


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
