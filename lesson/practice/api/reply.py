"""The response message: the content blocks of a policy, as the API would send them.

The message gets ids, ends at max_tokens, and has a usage. Sources: "Create a Message", "Handling
stop reasons".
"""

from __future__ import annotations

import hashlib
import traceback
from typing import Any

from pydantic_core import to_json

from .errors import ApiError
from .tokens import BYTES_PER_TOKEN, count_bytes, estimate_tokens

NOT_IN_DIGEST = ("stream", "cache_control")  # fields that do not change the reply


def answer(request: dict[str, Any], reply: list[dict[str, Any]] | dict[str, Any]) -> dict[str, Any]:
    """Return the message that answers `request` with the policy's `reply`.

    The blocks of a list get ids, and are cut at max_tokens. A dict is a whole message: only missing
    fields are added. The same request and reply always give the same message. Its usage is that of
    the output only.
    """
    asked = {name: value for name, value in request.items() if name not in NOT_IN_DIGEST}
    digest = hashlib.sha256(to_json(asked)).hexdigest()
    given = reply if isinstance(reply, dict) else cut_reply(reply, request["max_tokens"])
    content = [
        add_id(block, f"toolu_{digest[:22]}{n:02}") for n, block in enumerate(given["content"])
    ]
    has_calls = any(block["type"] == "tool_use" for block in content)
    message = {
        "id": f"msg_{digest[-24:]}",
        "type": "message",
        "role": "assistant",
        "model": request["model"],
        "stop_reason": "tool_use" if has_calls else "end_turn",
        "stop_sequence": None,
        "usage": {"output_tokens": estimate_tokens(content)},
    }
    return message | given | {"content": content}


def add_id(block: dict[str, Any], id: str) -> dict[str, Any]:
    """Return the block as the API sends it: a tool call has an id and a caller."""
    if block["type"] != "tool_use":
        return block
    return {"type": "tool_use", "id": id, "caller": {"type": "direct"}} | block


def cut_reply(blocks: list[dict[str, Any]], max_tokens: int) -> dict[str, Any]:
    """Return the content that fits into `max_tokens`, and the stop reason if some does not.

    A text is cut in the middle, and a call that does not fit loses its input.
    """
    content: list[dict[str, Any]] = []
    room = max_tokens * BYTES_PER_TOKEN
    for block in blocks:
        size = count_bytes(block)
        if size > room:
            if block["type"] == "text":
                block = block | {"text": block["text"].encode()[:room].decode(errors="ignore")}
            else:
                block = block | {"input": {}}
            content += [block] if room and count_bytes(block) else []
            return {"content": content, "stop_reason": "max_tokens"}
        room -= size
        content.append(block)
    return {"content": content}


def policy_failed(error: Exception) -> ApiError:
    """Return a 500: the error is in the policy or its reply, not in the request."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    message = (
        f"The policy raised {type(error).__name__} in line {frame.lineno} of {frame.name}: "
        f"{error}. A policy returns a list of blocks: "
        '{"type": "text", "text": …} and {"type": "tool_use", "name": …, "input": {…}}.'
    )
    return ApiError(500, "api_error", message)
