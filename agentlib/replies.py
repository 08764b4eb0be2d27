"""Check and clean a reply, so that the API accepts it in the history, and read its tokens.

The API can send an empty text block, a reply with only whitespace, thinking with nothing after it,
or a command as the name of a tool, but answers 400 when it gets them back. Other servers number the
calls of each reply from 1, or have blocks and fields of their own. So a loop cannot send every
reply back unchanged. And the SDK does not check what a server sends.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from itertools import count
from typing import Any, get_args

from safetylib import escape

from .ends import NoMessageError, read_end

__all__ = [
    "Usage",
    "check_reply",
    "find_end",
    "is_cut_off",
    "no_message",
    "plain_blocks",
    "usage_of",
    "shown_text",
]

THINKING = ("thinking", "redacted_thinking")
MAX_NAME_CHARS = 200  # of the tool in a tool_use block, in the API
# The fields of a block that the loop reads, and their types.
FIELDS: dict[str, dict[str, type]] = {
    "text": {"text": str},
    "thinking": {"thinking": str},
    "tool_use": {"id": str, "name": str, "input": dict},
}
MAX_SHOWN_CHARS = 150  # of an answer that is no message: two lines of a terminal
NO_MESSAGE = (
    "The model's server sent no valid message, but this: {}. Run this again. If it happens again, "
    "choose another model or server."
)


def check_reply(reply: Any, messages: Iterable[Any]) -> None:
    """Repair a reply in place. Raise NoMessageError if the loop cannot use it or send it back.

    `reply` has the SDK's types, and `messages` are those of the request.
    """
    try:
        repair(reply)
        if is_message(reply):
            repair_calls(reply, messages)
            plain_blocks(reply)  # the SDK cannot write lists 250 levels deep
            return
        sent = reply.to_json(warnings=False) if hasattr(reply, "to_json") else str(reply)
    except ValueError as problem:
        sent = f"content that cannot be written as JSON ({problem})"
    raise no_message(sent)


def no_message(sent: str) -> NoMessageError:
    """Return the error for an answer that is no message. It contains the beginning of `sent`."""
    line = " ".join(escape.for_screen(sent[: 2 * MAX_SHOWN_CHARS]).split())
    shown = line if len(line) <= MAX_SHOWN_CHARS else f"{line[:MAX_SHOWN_CHARS]} …"
    return NoMessageError(NO_MESSAGE.format(shown or "nothing"))


def repair(reply: Any) -> None:
    """Correct what some servers send and the API does not accept."""
    blocks = getattr(reply, "content", "")
    if blocks is None:  # Ollama sends this in an empty reply
        reply.content = []
    for block in blocks if isinstance(blocks, list) else []:
        if getattr(block, "type", None) == "tool_use":
            block.input = getattr(block, "input", None) or {}  # Ollama sends calls without one
            if isinstance(block.id, str):  # Kimi's are like `functions.bash:0`
                block.id = re.sub("[^a-zA-Z0-9_-]", "_", block.id)


def is_message(reply: Any) -> bool:
    """Return whether a reply is a model's message, and each field that the loop reads is valid."""
    # The SDK returns a web page, such as the login page of a proxy, as a string.
    if getattr(reply, "role", None) != "assistant" or not isinstance(reply.content, list):
        return False
    return isinstance(reply.stop_reason, str | None) and all(map(is_block, reply.content))


def repair_calls(reply: Any, messages: Iterable[Any]) -> None:
    """Drop a call that came twice, and change an id that was used before: `call_1` to `call_1_2`.

    A badly joined stream repeats a whole call, which must not run again. The API rejects two calls
    with one id in one message; in two, it would be unclear to a reader whose result a result is.
    """
    contents = [fields_of(message).get("content") for message in messages]
    lists = [content for content in contents if isinstance(content, list | tuple)]
    taken = {str(fields_of(block).get("id")) for content in lists for block in content}
    calls: list[Any] = []
    for block in [block for block in reply.content if block.type == "tool_use"]:
        call = block.id, block.name, block.input
        if call in calls:
            reply.content = [other for other in reply.content if other is not block]
            continue
        calls.append(call)
        numbers = count(2)
        while block.id in taken:
            block.id = f"{call[0]}_{next(numbers)}"
        taken.add(block.id)


def is_block(block: Any) -> bool:
    """Return whether each field of a block that the loop reads is valid."""
    kind = getattr(block, "type", None)
    if not isinstance(kind, str) or kind == "tool_use" and not (block.id and block.name):
        return False
    types = FIELDS.get(kind, {})
    return all(isinstance(getattr(block, name, None), types[name]) for name in types)


def model_turn(reply: Any) -> list[dict[str, Any]]:
    """Return the reply as messages of plain dicts: one, or none if it has no content to keep."""
    blocks = plain_blocks(reply)
    # The API rejects a call that its own server should have run, without the result. (A list,
    # because in the reply of another server an id can be anything.)
    answered = [block["tool_use_id"] for block in blocks if "tool_use_id" in block]
    content = [
        plain
        for plain, block in zip(blocks, reply.content, strict=True)
        if is_known_block(block)
        and (plain["type"] != "text" or plain["text"])
        and (plain["type"] != "server_tool_use" or plain.get("id") in answered)
    ]
    while content and content[-1]["type"] in THINKING:
        content.pop()
    if all(block["type"] == "text" and not block["text"].strip() for block in content):
        return []
    return [{"role": "assistant", "content": content}]


def is_known_block(block: Any) -> bool:
    """Return whether a model's message may have a block of this type, as far as the SDK knows.

    The API rejects a history with a type that it does not know, or that is not the model's, such as
    tool_result. The SDK reads such a block as one of another type.
    """
    return block.type in get_args(type(block).model_fields["type"].annotation)


def plain_blocks(reply: Any) -> list[dict[str, Any]]:
    """Return the blocks of a reply as plain dicts, with "?" for each lone surrogate.

    A text or a call has only the fields that the API accepts. Other blocks are complete, because
    the API checks whether thinking has changed.
    """
    blocks: list[dict[str, Any]] = []
    for block in reply.content:
        plain = block.to_dict(mode="json", warnings=False)
        if plain["type"] in ("text", "tool_use"):
            plain = {name: plain[name] for name in type(block).model_fields if name in plain}
        if plain["type"] == "tool_use":
            plain["name"] = plain["name"][:MAX_NAME_CHARS]
        blocks.append(plain)
    text = json.dumps(blocks, ensure_ascii=False)
    sendable = escape.for_api(text)
    return blocks if sendable == text else json.loads(sendable)


def shown_text(blocks: Iterable[Mapping[str, Any]]) -> str:
    """Return what a user sees of blocks besides tool calls: their text, and the type of others."""
    shown = []
    for block in blocks:
        if block["type"] == "text":
            shown.append(block["text"])
        elif block["type"] not in (*THINKING, "tool_use"):
            shown.append(f"({block['type']})")
    return "\n".join(filter(None, shown))


@dataclass(frozen=True)
class Usage:
    """The tokens of one reply, as the Messages API counts them.

    `input_tokens` are those that were neither written to the prompt cache nor read from it.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    cache_creation_input_tokens: int = 0
    cache_read_input_tokens: int = 0

    @property
    def total(self) -> int:
        """Return the tokens of the request and the reply."""
        cached = self.cache_creation_input_tokens + self.cache_read_input_tokens
        return self.input_tokens + cached + self.output_tokens


def usage_of(reply: Any) -> Usage:
    """Return the usage of a reply, of the SDK or from JSON. A count that is no number is 0."""
    counts = fields_of(fields_of(reply).get("usage"))
    names = [field.name for field in fields(Usage)]
    return Usage(**{name: counts[name] for name in names if type(counts.get(name)) is int})


def find_end(reply: Any, max_tokens: Any) -> str | None:
    """Return the stop reason of a reply, or "max_tokens" if it has used all of them.

    Some servers report a complete call at max_tokens, which is the request's, if it has one. (One
    that counts more tokens does not cut at this number.)
    """
    used = usage_of(reply).output_tokens
    return "max_tokens" if used and used == max_tokens else reply.stop_reason


def is_cut_off(use: Any, reply: Any, end: str | None) -> bool:
    """Return whether `reply` may have ended in the middle of the call `use`: see `find_end`."""
    # Half a call must not run, though its input can look valid: half of the content for write_file
    # is a string. The model gets an error instead and can send the call again. Some servers add
    # thinking or whitespace after the call that was cut off, so only text with words counts.
    if read_end(end).may_run:
        return False
    said = (b for b in reversed(reply.content) if b.type in ("text", "tool_use"))
    return use is next(b for b in said if b.type == "tool_use" or b.text.strip())


def fields_of(value: Any) -> dict[str, Any]:
    """Return the fields of an SDK object or of a JSON object; {} for any other value."""
    return value if isinstance(value, dict) else getattr(value, "__dict__", {})
