"""Preserved thinking: a thinking block is valid only after what was sent when it was made.

The signature of a block that this API makes contains a digest of everything before it: the system
prompt, the tools, and the messages. If a request sends the block back after anything else, the API
rejects it, because the model's thinking was about another conversation. Signatures of other servers
are accepted unchecked.

Sources: "Preserved thinking", "Prefix checks on thinking blocks"; the words of the error are quoted
in https://github.com/anomalyco/opencode/issues/48637. Newer models check this, some only drop the
block, and older accounts have to ask for it; this API always returns the error.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic_core import to_json

from .errors import invalid
from .tokens import as_blocks

OURS = "practice-"  # how a signature of this API begins
DIFFERENT = (
    "{path}: Invalid `signature` in `thinking` block. The block is bound to a different "
    "conversation. Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to "
    '"drop_block". That setting requires the `thinking-binding-controls-2026-08-01` value in the '
    "`anthropic-beta` header."
)
OTHER_SYSTEM = " The `system` prompt differs from the one this block was created with."


def think_first(request: Mapping[str, Any], reply: Any) -> Any:
    """Return a policy's reply to `request` with a thinking block before it: no text, a signature.

    An empty reply stays empty.
    """
    *_, signature = list_signatures(request)
    block = {"type": "thinking", "thinking": "", "signature": signature}
    content = reply["content"] if isinstance(reply, dict) else reply
    content = [block, *content] if content else content
    return reply | {"content": content} if isinstance(reply, dict) else content


def check_thinking(request: Mapping[str, Any]) -> None:
    """Raise ApiError for the first thinking block of this API that has something else before it."""
    signatures = list_signatures(request)
    for i, (message, expected) in enumerate(zip(request["messages"], signatures, strict=False)):
        for j, block in enumerate(as_blocks(message["content"])):
            signature = str(block.get("signature", "")) if block["type"] == "thinking" else ""
            if signature.startswith(OURS) and signature != expected:
                said = DIFFERENT.format(path=f"messages.{i}.content.{j}")
                # The first part of a signature is about the system prompt alone.
                is_other_system = signature.split("-")[1] != expected.split("-")[1]
                raise invalid(said + OTHER_SYSTEM * is_other_system)


def list_signatures(request: Mapping[str, Any]) -> Iterator[str]:
    """Yield the signature of a block in each message, and last that of one in the reply."""
    system = digest(as_blocks(request.get("system") or []))
    before = digest([system, request.get("tools") or []])
    for message in request["messages"]:
        yield f"{OURS}{system}-{before}"
        before = digest([before, message | {"content": as_blocks(message["content"])}])
    yield f"{OURS}{system}-{before}"


def digest(content: Any) -> str:
    """Return a digest of JSON data. Marks for the cache do not count."""
    return hashlib.sha256(to_json(drop_cache_marks(content))).hexdigest()[:16]


def drop_cache_marks(content: Any) -> Any:
    if isinstance(content, list):
        return [drop_cache_marks(one) for one in content]
    if isinstance(content, dict):
        kept = {name: one for name, one in content.items() if name != "cache_control"}
        return {name: drop_cache_marks(one) for name, one in kept.items()}
    return content
