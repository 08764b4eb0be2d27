"""Make the response message from a policy's content blocks: add ids and a usage.

Sources: "Create a Message", "Handling stop reasons".
"""

from __future__ import annotations

import hashlib
import traceback
from typing import Any

from pydantic_core import to_json

from .errors import ApiError
from .tokens import estimate_tokens

# The fields that a block of a policy must have.
FIELDS = {"text": ("text",), "tool_use": ("name", "input")}
BLOCKS = (
    'A model returns a list of blocks: {"type": "text", "text": …} and '
    '{"type": "tool_use", "name": …, "input": {…}}.'
)


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
    fields = reply if isinstance(reply, dict) else {"content": reply}
    content = [
        add_id(block, f"toolu_{digest[:22]}{n:02}") for n, block in enumerate(fields["content"])
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
    return message | fields | {"content": content}


def add_id(block: dict[str, Any], id: str) -> dict[str, Any]:
    """Return the block as the API sends it: a tool call has an id and a caller."""
    if block["type"] != "tool_use":
        return block
    return {"type": "tool_use", "id": id, "caller": {"type": "direct"}} | block


def check_blocks(reply: Any, policy: Any) -> None:
    """Raise ApiError, a 500 with the policy's name, if it did not return a reply.

    Other values in a block are not checked: a test can send what an odd server sends.
    """
    if reply is None:
        raise not_a_reply(policy, "returned None, so a `return` is missing")
    blocks = reply.get("content", reply) if isinstance(reply, dict) else reply
    if not isinstance(blocks, list):
        raise not_a_reply(policy, f"returned a value of the type {type(blocks).__name__}")
    for number, block in enumerate(blocks, 1):
        kind = block.get("type") if isinstance(block, dict) else None
        if kind is None:
            raise not_a_reply(policy, f"returned a list, and its block {number} has no type")
        alike = [name for name, fields in FIELDS.items() if {*fields} <= block.keys()]
        if alike and kind not in FIELDS and not kind.endswith("_tool_use"):  # of a server's tool
            raise not_a_reply(policy, f"returned a block of the type {kind!r}, not {alike[0]!r}")
        missing = [field for field in FIELDS.get(kind, ()) if field not in block]
        if missing:
            raise not_a_reply(policy, f"returned a {kind} block without {' and '.join(missing)}")
        if kind == "tool_use" and isinstance(block["input"], str | list):
            name = type(block["input"]).__name__
            problem = f"returned a tool_use block whose input is a {name}, and not a dict"
            raise not_a_reply(policy, problem)


def not_a_reply(policy: Any, problem: str) -> ApiError:
    """Return a 500: the policy did not return a reply."""
    return ApiError(500, "api_error", f"{name_policy(policy)} {problem}. {BLOCKS}")


def name_policy(policy: Any) -> str:
    """Return the name of a policy's function, for a sentence that begins with it."""
    name = str(getattr(policy, "__name__", ""))
    return name if name.isidentifier() else "The policy"  # a lambda, or an object


def policy_failed(error: Exception, policy: Any) -> ApiError:
    """Return a 500: the error is in the policy, not in the request or the agent.

    It names the last line of the policy's own file, even if a library has raised the error.
    """
    code = getattr(policy, "__code__", None)
    lines = [line for line in traceback.extract_tb(error.__traceback__) if line.lineno]
    own = [line for line in lines if code and line.filename == code.co_filename] or lines
    is_ours = str(getattr(policy, "__module__", "")).startswith("lesson.")
    message = "An error of the lesson, and not of your agent: " if is_ours else ""
    message += f"{name_policy(policy)} raised {type(error).__name__}: {error}"
    message += f"\nin line {own[-1].lineno} of {own[-1].name}"
    if own[-1].line:
        message += f": {own[-1].line}"
    return ApiError(500, "api_error", message)
