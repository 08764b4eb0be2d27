"""The answer: from what a mind says to the message that the API would send.

It gets its ids, ends where the request wants it to end, and says what it would be billed for.
Sources: "Create a Message", "Handling stop reasons".
"""

from __future__ import annotations

import hashlib
import traceback
from typing import Annotated, Any, Literal

from pydantic import TypeAdapter, ValidationError
from pydantic_core import to_json

from .errors import ApiError
from .request import Id, RedactedThinking, Shape, Text, Thinking, first_fault, one_of
from .tokens import BYTES_PER_TOKEN, prompt_tokens, size, tokens_of


class Call(Shape):
    """A tool_use as a mind says it; where it leaves out the id, `answer` gives one."""

    type: Literal["tool_use"]
    name: str
    input: dict[str, Any]
    id: Id = ""


Said: TypeAdapter[Any] = TypeAdapter(
    list[Annotated[Any, one_of(Text, Call, Thinking, RedactedThinking)]]
)


def answer(request: dict[str, Any], reply: list[dict[str, Any]] | dict[str, Any]) -> dict[str, Any]:
    """The message that brings `reply`, what a mind said, to whoever sent `request`.

    A list of content blocks gets its ids, and is cut at a stop sequence and at max_tokens. A dict
    is a message as it stands; what it leaves out is filled in. Anything else is a 500 that says
    what is wrong. The same request and reply always give the same message.
    """
    digest = hashlib.sha256(to_json(request)).hexdigest()
    if isinstance(reply, dict):
        content, stop = reply.get("content", []), reply
    else:
        blocks = check_blocks(reply)
        ids_are_free(blocks, request)
        content, stop = cut_short(
            blocks, request["max_tokens"], request.get("stop_sequences") or []
        )
    content = [with_id(block, f"toolu_{digest[:22]}{n:02}") for n, block in enumerate(content)]
    calls = any(block.get("type") == "tool_use" for block in content)
    return {
        "id": f"msg_{digest[-24:]}",
        "type": "message",
        "role": "assistant",
        "model": request["model"],
        "stop_reason": "tool_use" if calls else "end_turn",
        "stop_sequence": None,
        "stop_details": None,
        "usage": usage(request, content),
        **stop,
        "content": content,
    }


def check_blocks(reply: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The blocks of a mind's reply, if they are such."""
    try:
        Said.validate_python(reply)
    except ValidationError as error:
        place = error.errors()[0]["loc"]
        fault = first_fault(error) if place else f"It returned a {type(reply).__name__}"
        raise unfit_reply(
            f'{fault}. A reply is a list of blocks: {{"type": "text", "text": …}} and '
            '{"type": "tool_use", "name": …, "input": {…}}.'
        ) from None
    return reply


def ids_are_free(blocks: list[dict[str, Any]], request: dict[str, Any]) -> None:
    """A mind may choose an id, but no id twice in a conversation: the next request would be
    refused for it."""
    contents = [message["content"] for message in request["messages"]]
    history = [block for content in contents if isinstance(content, list) for block in content]
    taken = {block["id"] for block in history if block["type"] == "tool_use"}
    given = [(n, block["id"]) for n, block in enumerate(blocks) if "id" in block]
    for n, id in given:
        if id in taken:
            raise unfit_reply(
                f"{n}.tool_use.id: '{id}' is the id of another call. "
                "Leave `id` out, and each call gets one of its own."
            )
        taken.add(id)


def with_id(block: dict[str, Any], id: str) -> dict[str, Any]:
    """The block as the API sends it: a call has an id, and says who made it."""
    if block.get("type") != "tool_use":
        return block
    return {"type": "tool_use", "id": id, "caller": {"type": "direct"}} | block


def cut_short(
    blocks: list[dict[str, Any]], max_tokens: int, stop_sequences: list[str]
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """As much of the blocks as is generated, and why it stopped, where something stopped it."""
    kept: list[dict[str, Any]] = []
    room = max_tokens * BYTES_PER_TOKEN
    for block in blocks:
        text = block["text"] if block["type"] == "text" else ""
        stop = min((s for s in stop_sequences if s in text), key=text.index, default=None)
        before = text[: text.index(stop)] if stop else ""
        if stop and size(before) <= room:
            kept += [block | {"text": before}] if before else []
            return kept, {"stop_reason": "stop_sequence", "stop_sequence": stop}
        if size(block) > room:
            rest = shortened(block, room)
            kept += [rest] if room and size(rest) else []
            return kept, {"stop_reason": "max_tokens"}
        room -= size(block)
        kept.append(block)
    return kept, {}


def shortened(block: dict[str, Any], room: int) -> dict[str, Any]:
    """What is left of a block that is too long. A call that is cut keeps no input."""
    match block["type"]:
        case "text" | "thinking" as words:
            return block | {words: block[words].encode()[:room].decode(errors="ignore")}
        case "tool_use":
            return block | {"input": {}}
    return block


def usage(request: dict[str, Any], content: list[dict[str, Any]]) -> dict[str, Any]:
    """What the exchange would be billed for. Sizes are real, but there is no cache here: what a
    cache mark ends is input like the rest, neither written nor read."""
    return {
        "input_tokens": prompt_tokens(request),
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0,
        "cache_creation": {"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": 0},
        "output_tokens": min(tokens_of(content), request["max_tokens"]),
        "service_tier": "standard",
        "inference_geo": "not_available",
    }


def unfit_reply(fault: str) -> ApiError:
    """A 500 for a reply that is none."""
    return mind_failed(f"The mind's reply does not fit. {fault}")


def mind_failed(problem: str | Exception) -> ApiError:
    """A 500: not the request is at fault but the mind that should have answered it."""
    if isinstance(problem, Exception):
        frame = traceback.extract_tb(problem.__traceback__)[-1]
        problem = (
            f"The mind raised {type(problem).__name__} in line {frame.lineno} of {frame.name}: "
            f"{problem}"
        )
    return ApiError(500, "api_error", problem)
