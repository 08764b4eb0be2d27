"""The response message: the content blocks of a policy, as the API would send them.

The message gets ids and a usage. Sources: "Create a Message", "Handling stop reasons".
"""

from __future__ import annotations

import hashlib
import traceback
from typing import Any

from pydantic_core import to_json

from .errors import ApiError
from .tokens import estimate_tokens


def make_message(
    request: dict[str, Any], reply: list[dict[str, Any]] | dict[str, Any], prompt_tokens: int
) -> dict[str, Any]:
    """Return the message that answers `request` with the policy's `reply`.

    The blocks of a list get ids; no reply is cut at max_tokens. A dict is a whole message: only
    missing fields are added. The same request and reply always give the same message.

    A request with `cache_control` is answered like any other: there is no prompt cache, so its
    counts in `usage` are 0, and all of the prompt is input.
    """
    digest = hashlib.sha256(to_json(request)).hexdigest()
    given = reply if isinstance(reply, dict) else {"content": reply}
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
        "usage": {
            "input_tokens": prompt_tokens,
            "output_tokens": estimate_tokens(content),
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
        },
    }
    return message | given | {"content": content}


def add_id(block: dict[str, Any], id: str) -> dict[str, Any]:
    """Return the block as the API sends it: a tool call has an id and a caller."""
    if block["type"] != "tool_use":
        return block
    return {"type": "tool_use", "id": id, "caller": {"type": "direct"}} | block


def policy_failed(error: Exception) -> ApiError:
    """Return a 500: the error is in the policy or its reply, not in the request."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    message = (
        f"The policy raised {type(error).__name__} in line {frame.lineno} of {frame.name}: "
        f"{error}. A policy returns a list of blocks: "
        '{"type": "text", "text": …} and {"type": "tool_use", "name": …, "input": {…}}.'
    )
    return ApiError(500, "api_error", message)
