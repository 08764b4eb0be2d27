"""Repair a reply so that any loop can use it and send it back, and read its tokens.

The SDK does not check what a server sends. Some replies, when they are sent back, make the API
answer 400 to each later request. So a reply is repaired once, in the client. Each repair names the
server that needs it.
"""

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields
from decimal import Decimal
from itertools import count, groupby, pairwise
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
MAX_SHOWN_CHARS = 150  # of an answer that is not a message: two lines of a terminal
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
    except (ValueError, RecursionError) as problem:  # such as lists that are nested 250 levels deep
        sent = f"content that cannot be written as JSON ({problem})"
    raise no_message(sent)


def no_message(sent: str) -> NoMessageError:
    """Return the error for an answer that is not a message, with the beginning of `sent`."""
    return NoMessageError(NO_MESSAGE.format(clip(sent, MAX_SHOWN_CHARS) or "nothing"))


def fill_in(reply: Any) -> None:
    """Fill in fields that a server has left out, if their meaning is certain."""
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
    """Return whether a reply is a model's message, and the fields that a loop reads are valid."""
    # The SDK returns a web page, such as the login page of a proxy, as a string.
    if getattr(reply, "role", None) != "assistant" or not isinstance(reply.content, list):
        return False
    return isinstance(reply.stop_reason, str | None) and all(map(is_block, reply.content))


def is_block(block: Any) -> bool:
    """Return whether the fields of a block that a loop reads are valid."""
    kind = getattr(block, "type", None)
    if not isinstance(kind, str):
        return False
    if kind == "tool_use" and not (block.id and block.name):
        return False
    types = FIELDS.get(kind, {})
    return all(isinstance(getattr(block, name, None), types[name]) for name in types)


def repair(reply: Any) -> None:
    """Change only what the API would not accept in the history."""
    content = [make_sendable(block) for block in reply.content]
    taken_ids: set[str] = set()
    for call in (block for block in content if block.type == "tool_use"):
        # Claude Sonnet 5, a command as the name of a tool, in September 2026:
        # https://github.com/anthropics/claude-code/issues/94799
        call.name = call.name[:MAX_NAME_CHARS]
        # Xinference in November 2025, all calls of a reply with one id. (An id of another reply is
        # not changed: Kimi's models count from 0 in each, and look for their own ids.)
        # https://github.com/xorbitsai/inference/issues/4237
        servers_id, numbers = call.id, count(2)
        while call.id in taken_ids:
            call.id = f"{servers_id}_{next(numbers)}"
        taken_ids.add(call.id)
    # Anthropic's API in May 2026, an empty text beside a call:
    # https://github.com/anthropics/claude-code/issues/62312
    content = [block for block in content if block.type != "text" or block.text]
    set_content(reply, content)


def make_sendable(block: Any) -> Any:
    """Return a block that can be sent back. If `block` can be sent, it is returned itself.

    Half a character was in a tool's input in July 2026, so no later request could be sent:
    https://github.com/NousResearch/hermes-agent/issues/66822
    """
    plain = to_plain(block)
    sendable = write_sendable(plain)
    return block if sendable == plain else type(block).construct(**sendable)


def write_sendable(value: Any) -> Any:
    """Return messages, or a part of a message, as plain data that a request can contain.

    It has "?" for each half of a character, and None for NaN and infinity.
    """
    text = escape.for_api(json.dumps(value, default=to_plain, ensure_ascii=False))
    return json.loads(text, parse_constant=lambda name: None)


def to_plain(block: Any) -> Any:
    """Return an object of the SDK as plain data."""
    return block.to_dict(mode="json", warnings=False)


def make_history_sendable(messages: Any) -> Any:
    """Return messages that the API accepts. A value that is not a list is left to the SDK.

    The API reads messages of one role in a row as one turn. Each call has its result in the next
    turn of the user. A missing one is added, as after an interrupt. Empty messages are left out: a
    loop may keep an empty reply, or an empty list of results. An empty message of the user at the
    end stays, because the API then says what is wrong. The loop's history stays as it is.
    """
    if not isinstance(messages, list | tuple):
        return messages
    sendable: list[Any] = []
    open_ids: list[Any] = []  # of the calls in the model's newest turn that have no result yet
    after = 0  # the number of messages up to the end of that turn
    last = messages[-1] if messages else None
    for message in [*messages, None]:  # the last turn may have open calls as well
        fields = fields_of(message)
        role, blocks = fields.get("role"), read_blocks(fields.get("content"))
        if role == "assistant":
            calls = [block.get("id") for block in blocks if block.get("type") == "tool_use"]
            if not calls and are_empty(blocks):
                continue
            if open_ids and after < len(sendable):  # the user's turn has ended
                add_results(sendable, after, open_ids)
                open_ids = []
            sendable.append(message)
            open_ids += calls
            after = len(sendable)
        elif role == "user":
            if are_empty(blocks) and (message is not last or open_ids):
                continue
            if open_ids:
                ids = [block.get("tool_use_id") for block in blocks if is_result(block)]
                open_ids = [call_id for call_id in open_ids if call_id not in ids]
            sendable.append(message)
        else:
            add_results(sendable, after, open_ids)
            open_ids = []
            sendable.append(message)
    return sendable[:-1]


def add_results(messages: list[Any], place: int, call_ids: list[Any]) -> None:
    """Add a result for each of these calls to the message at `place`, if it has results.

    Otherwise it is a prompt, which stays one for a window, and the results are a message before it.
    """
    if not call_ids:
        return
    results = [tool_result(call_id, NO_RESULT, ok=False) for call_id in call_ids]
    message: Any = messages[place] if place < len(messages) else None
    blocks = list_blocks(message)
    if any(is_result(fields_of(block)) for block in blocks):
        messages[place] = {**message, "content": put_results_first([*blocks, *results])}
    else:
        messages.insert(place, {"role": "user", "content": results})


def put_results_first(blocks: list[Any]) -> list[Any]:
    """Return the blocks of a message with its tool results first, as the API demands."""
    return sorted(blocks, key=lambda block: not is_result(fields_of(block)))


def is_empty(message: Any) -> bool:
    """Return whether a message has no content, or only whitespace."""
    return are_empty(read_blocks(fields_of(message).get("content")))


def are_empty(blocks: Iterable[Mapping[str, Any]]) -> bool:
    """Return whether there is no block, or only whitespace."""
    for block in blocks:
        if block.get("type") != "text" or str(block.get("text")).strip():
            return False
    return True


def read_blocks(content: Any) -> list[dict[str, Any]]:
    """Return the fields of each block; one block without fields for content that is no content."""
    if isinstance(content, (list, tuple)):
        return [*map(fields_of, content)]
    return [{"type": "text", "text": content}] if isinstance(content, str) else [{}]


def join_prompts(messages: Any) -> Any:
    """Return messages without two of the user's in a row: they become one, its results first.

    The API reads them as one turn, and the templates of other servers reject them:
    https://github.com/vllm-project/vllm/issues/6862
    """
    if not isinstance(messages, list | tuple):
        return messages
    roles = [fields_of(message).get("role") for message in messages]
    if ("user", "user") not in pairwise(roles):
        return messages
    joined: list[Any] = []
    for role, group in groupby(messages, lambda message: fields_of(message).get("role")):
        turn = [*group]
        if role == "user" and len(turn) > 1 and all(map(can_be_joined, turn)):
            blocks = [block for message in turn for block in list_blocks(message)]
            turn = [{"role": "user", "content": put_results_first(blocks)}]
        joined += turn
    return joined


def can_be_joined(message: Any) -> bool:
    """Return whether a message has content and a role alone: the API says what else is wrong."""
    fields = fields_of(message)
    return len(fields) == 2 and isinstance(fields.get("content"), str | list | tuple)


def is_result(block: Mapping[str, Any]) -> bool:
    """Return whether the fields of a block are those of a tool result."""
    return block.get("type") == "tool_result"


def replace_all_halves(messages: Any) -> Any:
    """Return messages with "?" for each half of a character, such as in a tool's result.

    Python has such halves in the name of a file that is not UTF-8. No request can contain them.
    """
    if not isinstance(messages, list | tuple) or replace_halves(messages) is messages:
        return messages
    return [*map(replace_halves, messages)]


def replace_halves(message: Any) -> Any:
    """Return a message that can be sent. If it can, it is returned itself."""
    try:
        json.dumps(message, default=to_plain, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return write_sendable(message)
    except (AttributeError, TypeError, ValueError, RecursionError):  # the SDK says what is wrong
        pass
    return message


def list_calls(message: Any) -> list[dict[str, Any]]:
    """Return the fields of each tool call in a message, if it is the model's."""
    if fields_of(message).get("role") != "assistant":
        return []
    blocks = [fields_of(block) for block in list_blocks(message)]
    return [block for block in blocks if block.get("type") == "tool_use"]


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
    replies = [message for message in messages if fields_of(message).get("role") == "assistant"]
    calls = list_calls(replies[-1]) if replies else []
    return [(call.get("id"), call.get("input")) for call in calls]


def take_out(calls: list[Any], reply: Any) -> None:
    """Remove these calls from a reply."""
    kept = [block for block in reply.content if not any(block is call for call in calls)]
    if len(kept) < len(reply.content):
        set_content(reply, kept)


def set_content(reply: Any, content: list[Any]) -> None:
    """Give a reply these blocks, without thinking at the end, or none if all are empty."""
    while content and content[-1].type in THINKING:  # Anthropic's API, at max_tokens
        content.pop()
    reply.content = content
    if is_empty(reply):
        reply.content = []


def plain_blocks(reply: Any) -> list[dict[str, Any]]:
    """Return the blocks of a reply as plain dicts."""
    return [to_plain(block) for block in reply.content]


def hide_keys_of(reply: Any) -> None:
    """Remove the user's keys from a reply: a model may repeat what it has read."""
    fields = plain_blocks(reply)
    hidden = hide_keys_in(fields)
    if hidden != fields:
        pairs = zip(reply.content, hidden, strict=True)
        reply.content = [type(block).construct(**new_fields) for block, new_fields in pairs]


def shown_text(blocks: Iterable[Mapping[str, Any]]) -> str:
    """Return the text of blocks for a user, and the type of unknown blocks. Calls are left out."""
    shown = []
    for block in blocks:
        if block["type"] == "text":
            shown.append(block["text"])
        elif block["type"] not in (*THINKING, "tool_use"):
            shown.append(f"({block['type']})")
    return "\n".join(filter(None, shown))


MOST_TOKENS = 10**9  # a larger count is a server's fault, and pictures divide counts


@dataclass(frozen=True)
class Usage:
    """The tokens of one reply, as the Messages API counts them.

    `input_tokens` does not include tokens that were written to the prompt cache or read from it.
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
    """Return the usage of a reply, of the SDK or from JSON. An invalid count is 0."""
    sent = fields_of(fields_of(reply).get("usage"))
    counts = {field.name: read_count(sent.get(field.name)) for field in fields(Usage)}
    if sent.get("cache_creation_input_tokens") is None:
        # Some servers send only the parts of this count, by how long the cache keeps the tokens.
        parts = fields_of(sent.get("cache_creation")).values()
        counts["cache_creation_input_tokens"] = min(sum(map(read_count, parts)), MOST_TOKENS)
    return Usage(**counts)


def read_count(value: Any) -> int:
    """Return a count of tokens, which a gateway may send as 50.0 or "50", or 0 for another value.

    The largest result is MOST_TOKENS.
    """
    try:
        count = Decimal(value if type(value) in (int, float, str) else 0)
    except ArithmeticError:  # a string that is not a number
        return 0
    return int(min(max(count, Decimal(0)), Decimal(MOST_TOKENS))) if count.is_finite() else 0


def find_end(reply: Any, max_tokens: Any) -> str | None:
    """Return the stop reason of a reply, or "max_tokens" if it has used all of them.

    In September 2026, vLLM reported a complete call at max_tokens:
    https://github.com/vllm-project/vllm/issues/58228 (A server that counts more tokens did not cut
    at this number.) `max_tokens` is the request's, or None.
    """
    used = read_count(fields_of(fields_of(reply).get("usage")).get("output_tokens"))
    is_full = used > 0 and used == max_tokens and reply.stop_reason != "refusal"
    return "max_tokens" if is_full else reply.stop_reason


def find_half(reply: Any, max_tokens: Any) -> Any:
    """Return the call in the middle of which `reply` may have ended, or None: see `find_end`.

    Half a call must not run, though its input can look valid: half of the content for write_file is
    a string. The model gets an error instead, and can send the call again.
    """
    if read_end(find_end(reply, max_tokens)).may_run:
        return None
    for block in reversed(reply.content):
        if block.type == "tool_use":
            return block
        # Some servers add thinking or whitespace after the call that was cut off.
        if block.type == "text" and block.text.strip():
            return None
    return None


def fields_of(value: Any) -> dict[str, Any]:
    """Return the fields of an SDK object or of a JSON object; {} for any other value."""
    return value if isinstance(value, dict) else getattr(value, "__dict__", {})
