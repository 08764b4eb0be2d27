"""The answer: from a policy's reply to the message that the API would send.

The message gets its ids, ends where the request says it should, and tells what it would cost.
Sources: "Create a Message", "Handling stop reasons".
"""

from __future__ import annotations

import traceback
from typing import Annotated, Any, Literal

from pydantic import TypeAdapter, ValidationError

from .errors import ApiError
from .memory import Written, write
from .request import Id, RedactedThinking, Shape, Text, Thinking, describe_fault, one_of
from .tokens import BYTES_PER_TOKEN, count_bytes, estimate_tokens


class Call(Shape):
    """A tool_use in a policy's reply. If it has no id, `answer` adds one."""

    type: Literal["tool_use"]
    name: str
    input: dict[str, Any]
    id: Id = ""


Said: TypeAdapter[Any] = TypeAdapter(
    list[Annotated[Any, one_of(Text, Call, Thinking, RedactedThinking)]]
)


def answer(
    request: dict[str, Any],
    reply: list[dict[str, Any]] | dict[str, Any],
    written: Written | None = None,
) -> dict[str, Any]:
    """The message that answers `request`, `written` as JSON, with `reply`, the reply of a policy.

    The blocks in a list get ids, and are cut at a stop sequence or at max_tokens. A dict is a whole
    message, and only missing fields are filled in. Anything else raises ApiError, a 500 that says
    what is wrong. The same request and reply always give the same message, streamed or not, and
    whatever is marked for the cache. Its usage is that of the answer only.
    """
    digest = (written or write(request)).make_digest()
    if isinstance(reply, dict):
        content, stop = reply.get("content", []), reply
    else:
        blocks = check_blocks(reply)
        check_ids_are_free(blocks, request)
        content, stop = cut_reply(
            blocks, request["max_tokens"], request.get("stop_sequences") or []
        )
    content = [add_id(block, f"toolu_{digest[:22]}{n:02}") for n, block in enumerate(content)]
    calls = any(block.get("type") == "tool_use" for block in content)
    return {
        "id": f"msg_{digest[-24:]}",
        "type": "message",
        "role": "assistant",
        "model": request["model"],
        "stop_reason": "tool_use" if calls else "end_turn",
        "stop_sequence": None,
        "stop_details": None,
        "usage": measure_output(request, content),
        **stop,
        "content": content,
    }


def check_blocks(reply: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the blocks of a policy's reply. Raises ApiError, a 500, if it is anything else."""
    try:
        Said.validate_python(reply)
    except ValidationError as error:
        place = error.errors()[0]["loc"]
        fault = describe_fault(error) if place else f"It returned a {type(reply).__name__}"
        raise unfit_reply(
            f'{fault}. A reply is a list of blocks: {{"type": "text", "text": …}} and '
            '{"type": "tool_use", "name": …, "input": {…}}.'
        ) from None
    return reply


def check_ids_are_free(blocks: list[dict[str, Any]], request: dict[str, Any]) -> None:
    """Raise ApiError, a 500, if a policy uses an id twice in a conversation: the API would refuse
    the next request."""
    given = [(n, block["id"]) for n, block in enumerate(blocks) if "id" in block]
    if not given:
        return
    contents = [message["content"] for message in request["messages"]]
    history = [block for content in contents if isinstance(content, list) for block in content]
    taken = {block["id"] for block in history if block["type"] == "tool_use"}
    for n, id in given:
        if id in taken:
            raise unfit_reply(
                f"{n}.tool_use.id: '{id}' is the id of another call. "
                "Leave `id` out, and each call gets one of its own."
            )
        taken.add(id)


def add_id(block: dict[str, Any], id: str) -> dict[str, Any]:
    """The block as the API sends it: a call has an id and a caller."""
    if block.get("type") != "tool_use":
        return block
    return {"type": "tool_use", "id": id, "caller": {"type": "direct"}} | block


def cut_reply(
    blocks: list[dict[str, Any]], max_tokens: int, stop_sequences: list[str]
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The part of the blocks that is generated, and why it ends early, if it does."""
    kept: list[dict[str, Any]] = []
    room = max_tokens * BYTES_PER_TOKEN
    for block in blocks:
        text = block["text"] if block["type"] == "text" else ""
        stop = min((s for s in stop_sequences if s in text), key=text.index, default=None)
        before = text[: text.index(stop)] if stop else ""
        if stop and count_bytes(before) <= room:
            kept += [block | {"text": before}] if before else []
            return kept, {"stop_reason": "stop_sequence", "stop_sequence": stop}
        if count_bytes(block) > room:
            rest = cut_block(block, room)
            kept += [rest] if room and count_bytes(rest) else []
            return kept, {"stop_reason": "max_tokens"}
        room -= count_bytes(block)
        kept.append(block)
    return kept, {}


def cut_block(block: dict[str, Any], room: int) -> dict[str, Any]:
    """A block that is too long, cut to `room` bytes. A call that is cut loses its input."""
    match block["type"]:
        case "text" | "thinking" as words:
            return block | {words: block[words].encode()[:room].decode(errors="ignore")}
        case "tool_use":
            return block | {"input": {}}
    return block


def measure_output(request: dict[str, Any], content: list[dict[str, Any]]) -> dict[str, Any]:
    """What the answer would be billed for; `cache` adds what its prompt would."""
    return {
        "output_tokens": min(estimate_tokens(content), request["max_tokens"]),
        "service_tier": "standard",
        "inference_geo": "not_available",
    }


def unfit_reply(fault: str) -> ApiError:
    """A 500 for a reply that does not have the right form."""
    return policy_failed(f"The policy's reply does not fit. {fault}")


def policy_failed(problem: str | Exception) -> ApiError:
    """A 500: the fault is in the policy, not in the request."""
    if isinstance(problem, Exception):
        frame = traceback.extract_tb(problem.__traceback__)[-1]
        problem = (
            f"The policy raised {type(problem).__name__} in line {frame.lineno} of {frame.name}: "
            f"{problem}"
        )
    return ApiError(500, "api_error", problem)
