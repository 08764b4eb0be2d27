"""A run read from its messages, in the format of the Messages API, whatever loop made it."""

import json
import re
from collections.abc import Iterable, Mapping
from textwrap import shorten
from typing import Any

from agentlib.history import Usage
from agentlib.loop import Round
from agentlib.todo import TodoManager
from agentlib.tools import Call

Message = dict[str, Any]
REMINDER = re.compile("<reminder>")


def rounds_of(messages: Iterable[Any], first_number: int = 1) -> tuple[list[Message], list[Round]]:
    """The messages before the model's first turn, and a Round for each of its turns.

    A Round also holds what follows its turn, up to the model's next one: mostly tool results.
    Raises TypeError if something is not a message.
    """
    opening: list[Message] = []
    turns: list[list[Message]] = []
    for message in map(require_message, plain(messages)):
        if message["role"] == "assistant":
            turns.append([message])
        elif turns:
            turns[-1].append(message)
        else:
            opening.append(message)
    last = len(turns) - 1
    rounds = [
        round_of(turn, first_number + place, is_last=place == last)
        for place, turn in enumerate(turns)
    ]
    return opening, rounds


def round_of(
    turn: list[Message], number: int, is_last: bool, reminder: re.Pattern[str] = REMINDER
) -> Round:
    """The Round of one turn of the model and what came back.

    A text that came back counts as a reminder if the pattern `reminder` is found in it. The tokens
    are not known, so the usage is 0.
    """
    said = blocks_of(turn[0])
    came = [block for message in turn[1:] for block in blocks_of(message)]
    results = {block.get("tool_use_id"): block for block in came if block["type"] == "tool_result"}
    uses = [block for block in said if block["type"] == "tool_use"]
    calls = tuple(call_of(use, results.get(use.get("id"))) for use in uses)
    inner = [part for result in results.values() for part in blocks_of(result)]
    texts = [text_of(block) for block in [*inner, *came]]
    reminders = [text for text in texts if reminder.search(text)]
    text = "\n".join(text_of(block) for block in said if text_of(block))
    return Round(
        number,
        text,
        calls,
        reminders[-1] if reminders else None,
        Usage(),
        "tool_use" if uses else "end_turn",
        tuple(turn),
        is_last and not uses,
    )


def call_of(use: Message, result: Message | None) -> Call:
    """A tool call and its output, which is empty where no result has come back yet."""
    parts = blocks_of(result or {})
    output = "\n".join(text_of(part) for part in parts if not REMINDER.search(text_of(part)))
    failed = bool(result and result.get("is_error"))
    return Call(str(use.get("name", "")), use.get("input", {}), output, ok=not failed)


def blocks_of(message: Message) -> list[Message]:
    """The content of a message or a result as blocks. A string is shorthand for one text block."""
    content = message.get("content") or []
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [dict(block) for block in content if isinstance(block, Mapping) and "type" in block]


def text_of(block: Message) -> str:
    """The text of a text block; "" for any other block."""
    return str(block.get("text", "")) if block["type"] == "text" else ""


def require_message(given: Any) -> Message:
    """Return `given` if it is a message. Raises TypeError, with a sentence, if it is not."""
    if isinstance(given, dict) and isinstance(given.get("role"), str):
        if isinstance(given.get("content"), str | list):
            return given
    raise TypeError(
        "A message is a dict with a role and a content, as in the Messages API. "
        f"This is something else: {shorten(repr(given), 80)}"
    )


def todo_items(written: Any) -> tuple[dict[str, Any], ...]:
    """The todo list in the input of a todo call, with the fields that the rules fill in."""
    items = next(iter(written.values()), ()) if isinstance(written, Mapping) else ()
    try:
        items = json.loads(items) if isinstance(items, str) else items
        known = [TodoManager().check(item, position) for position, item in enumerate(items, 1)]
    except (TypeError, ValueError, RecursionError):
        return ()
    return tuple({**item, **more} for item, more in zip(items, known, strict=True))


def plain(thing: Any) -> Any:
    """A copy of messages as plain dicts and lists, even if they contain objects of the SDK."""
    if not isinstance(thing, list | tuple | Mapping):
        thing = list(thing)
    return json.loads(json.dumps(thing, default=to_plain))


def to_plain(thing: Any) -> Any:
    """An object of the SDK as a dict. Raises TypeError for anything else."""
    if hasattr(thing, "to_dict"):
        return thing.to_dict(mode="json", warnings=False)
    raise TypeError(f"This is not a message or a part of one: {shorten(repr(thing), 80)}")
