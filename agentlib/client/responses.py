"""What a server answered, made fit to keep: a message, without your keys, that can be sent back."""

import json
from collections.abc import Callable
from math import isfinite
from typing import Any

from . import escape
from .errors import clip

MAX_DEPTH = 100  # lists and objects in each other; the SDK cannot send some 250 back

Change = Callable[[str], str]


class UnsoundAnswerError(ValueError):
    """An answer that cannot be worked with; its text is half a sentence: "an answer that …"."""


def clean_answer(body: bytes, hide_secrets: Change, asked: bytes | None = None) -> Any:
    """What an answer says in JSON, fit to keep. Raises UnsoundAnswerError.

    `asked` is the request where a message is expected: then the answer is one, in the API's own
    form, and no tool call has an id that the conversation had before.
    """
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        raise UnsoundAnswerError("an answer that is not valid JSON") from None
    data = change_texts(data, hide_secrets)
    if asked is not None:
        data = repair(data)
        if flaw := find_flaw(data):
            raise UnsoundAnswerError(flaw)
        give_new_ids(data["content"], ids_in(asked))
    return data


def encode(data: Any) -> bytes:
    """Data as JSON that anybody can print."""
    return replace_lone_surrogates(json.dumps(data, ensure_ascii=False))


def clean_error(body: bytes, hide_secrets: Change, max_page_bytes: int) -> bytes:
    """The body of an error, fit to be printed: no keys, and nothing that steers a screen."""

    def clean(text: str) -> str:
        return escape.prose(hide_secrets(text))

    if body.lstrip().startswith(b"{"):
        try:
            return encode(change_texts(json.loads(body), clean))
        except (ValueError, RecursionError):
            pass  # then it is shown as the text that it is
    else:
        body = body[:max_page_bytes]
    return replace_lone_surrogates(clean(body.decode("utf-8", "replace")))


def change_texts(value: Any, change: Change, depth: int = 0) -> Any:
    """The same value with every text in it changed, and every field's name.

    Raises UnsoundAnswerError for what cannot be sent back: too deep a nest, NaN, infinity.
    """
    if depth > MAX_DEPTH:
        raise UnsoundAnswerError(f"an answer that is nested more than {MAX_DEPTH} levels deep")
    match value:
        case str():
            return change(value)
        case list():
            return [change_texts(item, change, depth + 1) for item in value]
        case float() if not isfinite(value):
            raise UnsoundAnswerError("an answer with a number that JSON does not have")
        case dict():
            return {
                change(name): change_texts(item, change, depth + 1) for name, item in value.items()
            }
    return value


def replace_lone_surrogates(text: str) -> bytes:
    """UTF-8 with a "?" for half of a surrogate pair, which nobody can print or send back."""
    return text.encode("utf-8", "replace")


def repair(data: Any) -> Any:
    """A message as some servers write it, in the API's own form.

    Ollama's empty reply has `"content": null`, and its tool call without arguments no `input`.
    """
    match data:
        case {"role": "assistant", "content": None}:
            return data | {"content": []}
        case {"content": [*blocks]}:
            return data | {"content": [repair_block(block) for block in blocks]}
    return data


def repair_block(block: Any) -> Any:
    """A tool call without arguments gets the empty input that the API has there."""
    if isinstance(block, dict) and block.get("type") == "tool_use" and block.get("input") is None:
        return block | {"input": {}}
    return block


def find_flaw(data: Any) -> str | None:
    """Why an answer is not a message, as half a sentence; None where it is one.

    Checked is what a conversation cannot go on without: one wrong turn in the history, and every
    later request would be refused.
    """
    match data:
        case {"type": "error", "error": {"message": str(words)}}:
            return f"an error in place of an answer ({clip(words)})"
        case {"content": [*blocks]} if all(map(is_sound_block, blocks)):
            if isinstance(data.get("stop_reason"), str | None):
                return None
            return "an answer with an odd stop_reason"
    return "an answer that is not a message"


def is_sound_block(block: Any) -> bool:
    """Whether a block of content can be worked with, and sent back."""
    match block:
        case {"type": "text", "text": str()}:
            return True
        case {"type": "tool_use", "id": str(id), "name": str(name), "input": dict()}:
            return bool(id and name)
        case {"type": "text" | "tool_use" | "tool_result"}:
            return False
        case {"type": str()}:
            return isinstance(block.get("text", ""), str)
    return False


def give_new_ids(blocks: list[dict[str, Any]], used: set[str]) -> None:
    """Change the ids of tool calls that the conversation, or this reply, had before.

    Some servers count from call_0 in each reply. The API refuses a history with one id twice.
    """
    for block in blocks:
        if block["type"] != "tool_use":
            continue
        first, number = block["id"], 2
        while block["id"] in used:
            block["id"] = f"{first}_{number}"
            number += 1
        used.add(block["id"])


def ids_in(request: bytes) -> set[str]:
    """The ids of the blocks in the messages of a request."""
    turns = json.loads(request).get("messages", [])
    contents = [turn["content"] for turn in turns if isinstance(turn.get("content"), list)]
    blocks = [block for content in contents for block in content if isinstance(block, dict)]
    return {block["id"] for block in blocks if isinstance(block.get("id"), str)}
