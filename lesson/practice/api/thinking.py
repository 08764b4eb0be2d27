"""Sign thinking blocks, and check what was before them: "Prefix checks on thinking blocks".

A thinking block that this API has sent has a signature over the system prompt, the tools, and all
messages and blocks before it. One with the signature of another server is not checked.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

from pydantic_core import to_json

from .errors import invalid
from .tokens import as_blocks

PREFIX = "practice-"  # of each signature of this API
# "Fix a thinking block bound to a different conversation". The real error may go on with what has
# changed: anomalyco/opencode #48637.
BOUND = (
    "messages.{}.content.{}: Invalid `signature` in `thinking` block. The block is bound to a "
    "different conversation. Remove the block, or set "
    '`thinking.block_binding.prefix_mismatch_behavior` to "drop_block".'
)


def sign_thinking(request: dict[str, Any], content: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the content of the reply to `request`, with signatures in its thinking blocks.

    A block that has a signature keeps it. Each of several is bound to those before it.
    """
    content = [{**block} for block in content]
    place = len(request["messages"])
    reply = {"role": "assistant", "content": content}
    messages = [*request["messages"], reply]
    for number, index, signature in find_thinking(request | {"messages": messages}):
        if number == place:
            content[index].setdefault("signature", ".".join(signature))
    return content


def check_thinking(request: dict[str, Any]) -> None:
    """Raise ApiError for the first thinking block before which something has changed.

    Thinking may be missing before the first block that is there, but not between two.
    """
    for number, index, (before, link) in find_thinking(request):
        block = request["messages"][number]["content"][index]
        signed_before, _, signed_link = str(block.get("signature")).partition(".")
        is_changed = signed_before != before or link not in ("", signed_link)
        if signed_before.startswith(PREFIX) and is_changed:
            raise invalid(BOUND.format(number, index))


def find_thinking(request: dict[str, Any]) -> Iterator[tuple[int, int, tuple[str, str]]]:
    """Yield the place of each thinking block, and the two halves of its signature.

    The first half is a digest of everything before the block except thinking. The second is a
    digest of the thinking before it, or "". The caller may sign a block before it asks for the next
    one.
    """
    contents = [as_blocks(message["content"]) for message in request["messages"]]
    if not any(block["type"] == "thinking" for blocks in contents for block in blocks):
        return
    head = [as_blocks(request.get("system")), request.get("tools")]
    before, link = hashlib.sha256(to_json(normalize(head))), ""
    for number, blocks in enumerate(contents):
        for index, block in enumerate(blocks):
            if block["type"] == "thinking":
                yield number, index, (PREFIX + before.hexdigest(), link)
                link = hashlib.sha256(str(block.get("signature")).encode()).hexdigest()[:8]
            else:
                before.update(to_json(normalize(block)))


def normalize(value: Any) -> Any:
    """Return plain data without differences that do not count: order, nulls, and cache marks."""
    if isinstance(value, dict):
        names = [name for name in sorted(value) if name != "cache_control"]
        return {name: normalize(value[name]) for name in names if value[name] is not None}
    return [normalize(element) for element in value] if isinstance(value, list) else value
