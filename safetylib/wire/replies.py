"""Make a reply one that any loop can use and send back, and read its tokens.

The SDK does not check what a server sends, and the API answers 400 when it gets some of it back, in
each later request. So a reply is repaired once, at the client. Each repair names who has sent this.
"""

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields
from decimal import Decimal
from itertools import count
from typing import Any

from ..guard import escape
from ..guard.hide_keys import clip, hide_keys_in
from .ends import NoMessageError, read_end

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
    "look at ANTHROPIC_BASE_URL, if it is set, or choose another model or server."
)
NO_RESULT = (
    "Error: no result was sent for this call. It may have run, or a part of it: look at what it "
    "has changed before you go on."
)


def check_reply(reply: Any) -> None:
    """Repair a reply of the SDK in place. Raise NoMessageError if no loop can use it."""
    try:
        fill_in(reply)
        if is_message(reply):
            repair(reply)
            return
        sent = reply.to_json(warnings=False) if hasattr(reply, "to_json") else str(reply)
    except (ValueError, RecursionError) as problem:  # lists that are nested 250 levels deep
        sent = f"content that cannot be written as JSON ({problem})"
    raise no_message(sent)


def no_message(sent: str) -> NoMessageError:
    """Return the error for an answer that is no message. It contains the beginning of `sent`."""
    return NoMessageError(NO_MESSAGE.format(clip(sent, MAX_SHOWN_CHARS) or "nothing"))


def fill_in(reply: Any) -> None:
    """Add what a server has left out, and what means nothing."""
    # Ollama in July 2026, in an empty reply: https://github.com/ollama/ollama/pull/17293
    if getattr(reply, "content", "") is None:
        reply.content = []
    blocks = getattr(reply, "content", "")
    for block in blocks if isinstance(blocks, list) else []:
        # llama.cpp in May 2026, in a stream: https://github.com/ggml-org/llama.cpp/pull/22960
        if getattr(block, "type", None) == "tool_use":
            block.input = getattr(block, "input", None) or {}
            # vLLM in September 2026, JSON in a string: https://github.com/vllm-project/vllm/pull/54964
            if isinstance(block.input, str):
                with suppress(ValueError, RecursionError):
                    block.input = json.loads(block.input)


def is_message(reply: Any) -> bool:
    """Return whether a reply is a model's message, and each field that the loop reads is valid."""
    # The SDK returns a web page, such as the login page of a proxy, as a string.
    if getattr(reply, "role", None) != "assistant" or not isinstance(reply.content, list):
        return False
    return isinstance(reply.stop_reason, str | None) and all(map(is_block, reply.content))


def is_block(block: Any) -> bool:
    """Return whether each field of a block that the loop reads is valid."""
    kind = getattr(block, "type", None)
    if not isinstance(kind, str) or kind == "tool_use" and not (block.id and block.name):
        return False
    types = FIELDS.get(kind, {})
    return all(isinstance(getattr(block, name, None), types[name]) for name in types)


def repair(reply: Any) -> None:
    """Change what the API would not accept in the history, and leave the rest as it is."""
    content = [make_sendable(block) for block in reply.content]
    taken: set[str] = set()
    for call in (block for block in content if block.type == "tool_use"):
        # Claude Sonnet 5, a command as the name of a tool, in September 2026:
        # https://github.com/anthropics/claude-code/issues/94799
        call.name = call.name[:MAX_NAME_CHARS]
        # Xinference in November 2025, all calls of a reply with one id. (An id of another reply is
        # not changed: Kimi's models count from 0 in each, and look for their own ids.)
        # https://github.com/xorbitsai/inference/issues/4237
        known, numbers = call.id, count(2)
        while call.id in taken:
            call.id = f"{known}_{next(numbers)}"
        taken.add(call.id)
    # Anthropic's API in May 2026, an empty text beside a call:
    # https://github.com/anthropics/claude-code/issues/62312
    content = [block for block in content if block.type != "text" or block.text]
    keep(content, reply)


def make_sendable(block: Any) -> Any:
    """Return a block that can be sent back, or the same one if it can.

    Half a character was in a tool's input in July 2026, and no later request could be written:
    https://github.com/NousResearch/hermes-agent/issues/66822
    """
    plain = to_plain(block)
    sendable = write_sendable(plain)
    return block if sendable == plain else type(block).construct(**sendable)


def write_sendable(value: Any) -> Any:
    """Return what JSON writes of messages or a part of one, as a request can contain it.

    It has "?" for each half of a character, and null for NaN and infinity.
    """
    text = escape.for_api(json.dumps(value, default=to_plain, ensure_ascii=False))
    return json.loads(text, parse_constant=lambda name: None)


def to_plain(block: Any) -> Any:
    """Return an object of the SDK as plain data."""
    return block.to_dict(mode="json", warnings=False)


def make_history_sendable(messages: Any) -> Any:
    """Return messages as the API accepts them. What is no list is the SDK's to reject.

    Each call has a result, no message of the model is empty, and none has half of a character.
    """
    if not isinstance(messages, list | tuple):
        return messages
    return [replace_halves(one) for one in answer_calls(without_empty(messages))]


def replace_halves(message: Any) -> Any:
    """Return a message with "?" for each half of a character, such as in a tool's result.

    Python reads the name of a file that is not UTF-8 so, and no request can contain it.
    """
    try:
        json.dumps(message, default=to_plain, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return write_sendable(message)
    except (AttributeError, TypeError, ValueError, RecursionError):  # the SDK says what is wrong
        pass
    return message


def without_empty(messages: Any) -> Any:
    """Return messages without the model's empty ones, which the API rejects.

    A loop may keep one. It is left out where it is sent, and stays in the history of the loop.
    """
    if not isinstance(messages, list | tuple):
        return messages
    return [one for one in messages if not is_empty(one)]


def is_empty(message: Any) -> bool:
    """Return whether a message is the model's, and has nothing but whitespace."""
    content = fields_of(message).get("content")
    if isinstance(content, str):
        content = [{"type": "text", "text": content}]
    if fields_of(message).get("role") != "assistant" or not isinstance(content, list | tuple):
        return False
    blocks = map(fields_of, content)
    return all(one.get("type") == "text" and not str(one.get("text")).strip() for one in blocks)


def answer_calls(messages: Any) -> Any:
    """Return messages with a result for each call that has none, as after an interrupt.

    The API rejects a call without its result. It is added where it is sent, and the history of the
    loop stays as it is.
    """
    if not isinstance(messages, list | tuple):
        return messages
    answered: list[Any] = []
    open_calls: list[Any] = []
    for message in [*messages, None]:
        blocks = list_blocks(message) if fields_of(message).get("role") == "user" else []
        results = [one for one in blocks if fields_of(one).get("type") == "tool_result"]
        known = {fields_of(one).get("tool_use_id") for one in results}
        added = [tool_result(one, NO_RESULT, ok=False) for one in open_calls if one not in known]
        if added and blocks:  # results come first
            rest = [one for one in blocks if one not in results]
            message = {**message, "content": [*results, *added, *rest]}
        elif added:
            answered.append({"role": "user", "content": added})
        calls = list_blocks(message) if fields_of(message).get("role") == "assistant" else []
        uses = [fields_of(one) for one in calls]
        open_calls = [one.get("id") for one in uses if one.get("type") == "tool_use"]
        answered.append(message)
    return answered[:-1]


def tool_result(tool_use_id: str, output: str, ok: bool) -> dict[str, Any]:
    """Return the tool_result block of a call, with its output, or with an error if not `ok`."""
    block = {"type": "tool_result", "tool_use_id": tool_use_id, "content": escape.for_api(output)}
    return block if ok else block | {"is_error": True}


def list_blocks(message: Any) -> list[Any]:
    """Return the content of a message as blocks."""
    content = fields_of(message).get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [*content] if isinstance(content, list | tuple) else []


def calls_of(reply: Any) -> list[Any]:
    """Return the tool calls of a reply."""
    return [block for block in reply.content if block.type == "tool_use"]


def newest_calls(messages: Any) -> list[tuple[Any, Any]]:
    """Return the ids and inputs of the calls in the newest reply of a conversation."""
    replies = [one for one in messages if fields_of(one).get("role") == "assistant"]
    blocks = [fields_of(one) for message in replies[-1:] for one in list_blocks(message)]
    return [(one.get("id"), one.get("input")) for one in blocks if one.get("type") == "tool_use"]


def take_out(calls: list[Any], reply: Any) -> None:
    """Leave these calls out of a reply."""
    kept = [block for block in reply.content if not any(block is one for one in calls)]
    if len(kept) < len(reply.content):
        keep(kept, reply)


def keep(content: list[Any], reply: Any) -> None:
    """Give a reply these blocks, but no thinking at its end, and none if they say nothing."""
    while content and content[-1].type in THINKING:  # Anthropic's API, at max_tokens
        content.pop()
    reply.content = content
    if is_empty(reply):
        reply.content = []


def plain_blocks(reply: Any) -> list[dict[str, Any]]:
    """Return the blocks of a reply as plain dicts."""
    return [to_plain(block) for block in reply.content]


def hide_keys_of(reply: Any) -> None:
    """Take the user's keys out of a reply: a model may repeat what it has read."""
    known = plain_blocks(reply)
    if (hidden := hide_keys_in(known)) != known:
        pairs = zip(reply.content, hidden, strict=True)
        reply.content = [type(block).construct(**one) for block, one in pairs]


def shown_text(blocks: Iterable[Mapping[str, Any]]) -> str:
    """Return what a user sees of blocks besides tool calls: their text, and the type of others."""
    shown = []
    for block in blocks:
        if block["type"] == "text":
            shown.append(block["text"])
        elif block["type"] not in (*THINKING, "tool_use"):
            shown.append(f"({block['type']})")
    return "\n".join(filter(None, shown))


MOST_TOKENS = 10**9  # of a count: no model reads as many, and what is drawn divides them


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
    """Return the usage of a reply, of the SDK or from JSON. A count that is none is 0."""
    counts = fields_of(fields_of(reply).get("usage"))
    found = {field.name: read_count(counts.get(field.name)) for field in fields(Usage)}
    if counts.get("cache_creation_input_tokens") is None:  # the same tokens, by how long they stay
        parts = fields_of(counts.get("cache_creation")).values()
        found["cache_creation_input_tokens"] = min(sum(map(read_count, parts)), MOST_TOKENS)
    return Usage(**found)


def read_count(value: Any) -> int:
    """Return a count of tokens, which a gateway may send as 50.0 or "50"; 0 for what is none.

    One that no reply can have, as of a server at fault, is MOST_TOKENS.
    """
    try:
        count = Decimal(value if type(value) in (int, float, str) else 0)
    except ArithmeticError:  # a string that is no number
        return 0
    return int(min(max(count, Decimal(0)), Decimal(MOST_TOKENS))) if count.is_finite() else 0


def find_end(reply: Any, max_tokens: Any) -> str | None:
    """Return the stop reason of a reply, or "max_tokens" if it has used all of them.

    vLLM reports a complete call at max_tokens, in September 2026:
    https://github.com/vllm-project/vllm/issues/58228 (A server that counts more tokens does not cut
    at this number.) `max_tokens` is the request's, if it has one.
    """
    used = usage_of(reply).output_tokens
    is_full = used and used == max_tokens and reply.stop_reason != "refusal"
    return "max_tokens" if is_full else reply.stop_reason


def find_half(reply: Any, max_tokens: Any) -> Any:
    """Return the call in the middle of which `reply` may have ended, or None: see `find_end`."""
    # Half a call must not run, though its input can look valid: half of the content for write_file
    # is a string. The model gets an error instead and can send the call again. Some servers add
    # thinking or whitespace after the call that was cut off, so only text with words counts.
    said = [b for b in reply.content if b.type == "tool_use" or b.type == "text" and b.text.strip()]
    is_call = bool(said) and said[-1].type == "tool_use"
    return said[-1] if is_call and not read_end(find_end(reply, max_tokens)).may_run else None


def fields_of(value: Any) -> dict[str, Any]:
    """Return the fields of an SDK object or of a JSON object; {} for any other value."""
    return value if isinstance(value, dict) else getattr(value, "__dict__", {})
