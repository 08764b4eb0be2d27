"""Read a run from its messages, in the format of the Messages API, whatever loop made it."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from textwrap import shorten
from typing import Any

from agentlib.loop import Round
from agentlib.replies import Usage, shown_text
from agentlib.todo import TodoManager, fill_ids
from agentlib.tools import Call

from ..message_blocks import TAG, Message, blocks_of, read_items, text_of

REMINDER_AT_END = re.compile(rf"(<{TAG}>(?:(?!<{TAG}>).)*</{TAG}>)\s*\Z", re.DOTALL)


def rounds_of(messages: Iterable[Any]) -> tuple[list[Message], list[Round]]:
    """Return the messages before the model's first turn, and a Round for each of its turns.

    A Round also contains the messages after its turn, up to the model's next one: mostly tool
    results. Raise TypeError if something is not a message.
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
    rounds = [round_of(turn, number) for number, turn in enumerate(turns, 1)]
    # In the conversation of someone's own loop, only the last turn can end the run.
    rounds[:-1] = [replace(turn, is_last=False) for turn in rounds[:-1]]
    return opening, rounds


def round_of(turn: list[Message], number: int) -> Round:
    """Return the Round of one turn of the model and the messages after it.

    The messages do not contain token counts, so the usage is 0. It is the last Round if it has no
    tool calls.
    """
    said = blocks_of(turn[0])
    answers = [block for part in turn[1:] for block in blocks_of(part)]
    results = {
        str(block.get("tool_use_id")): block for block in answers if block["type"] == "tool_result"
    }
    reminder = find_reminder(answers)
    uses = [block for block in said if block["type"] == "tool_use"]
    calls = tuple(call_of(use, results.get(str(use.get("id")), {}), reminder) for use in uses)
    return Round(
        number,
        shown_text(said),
        calls,
        reminder,
        Usage(),
        "tool_use" if uses else "end_turn",
        tuple(turn),
        not uses,
    )


def find_reminder(answers: list[Message]) -> str | None:
    """Return the reminder at the end of the last result or next to it, or None.

    The loop writes it into the last result, as a text block next to the output; other loops append
    it to the output, or put it next to the results. Anywhere else it is output, such as a file.
    """
    results = [block for block in answers if block["type"] == "tool_result"]
    if not results:
        return None
    texts = [text_of(part) for part in [*blocks_of(results[-1])[-1:], *answers]]
    found = [match[1] for match in map(REMINDER_AT_END.search, texts) if match]
    return found[-1] if found else None


def call_of(use: Message, result: Message, reminder: str | None) -> Call:
    """Return a tool call and its output, without the reminder in its result.

    The output is "" if there is no result yet.
    """
    texts = [text_of(part) for part in blocks_of(result)]
    if len(texts) > 1:
        texts = [text for text in texts if text != reminder]
    failed = bool(result.get("is_error"))
    return Call(str(use.get("name", "")), use.get("input", {}), "\n".join(texts), ok=not failed)


def require_message(given: Any) -> Message:
    """Return `given` if it is a message. Raise TypeError if it is not."""
    if isinstance(given, dict) and isinstance(given.get("role"), str):
        content = given.get("content")
        blocks = content if isinstance(content, list) else []
        have_types = all(
            isinstance(block, dict) and isinstance(block.get("type"), str) for block in blocks
        )
        if isinstance(content, str | list) and have_types:
            return given
    raise TypeError(
        "A message is a dict with a role and a content, as in the Messages API. "
        f"This is something else: {shorten(repr(given), 80)}"
    )


def todo_items(written: Any) -> tuple[dict[str, Any], ...]:
    """Return the todo list in the input of a todo call, with the defaults of missing fields."""
    items = read_items(written)
    try:
        known = [
            TodoManager().check(item, position) for position, item in enumerate(fill_ids(items), 1)
        ]
    except (TypeError, ValueError, RecursionError):
        return ()
    return tuple(item | more for item, more in zip(items, known, strict=True))


def plain(thing: Any) -> Any:
    """Return a copy of messages as plain dicts and lists, even if they contain SDK objects.

    Raise TypeError for what JSON cannot contain.
    """
    if not isinstance(thing, list | tuple | Mapping):
        thing = list(thing)
    try:
        # A page's script cannot read NaN or Infinity.
        return json.loads(json.dumps(thing, default=to_plain, allow_nan=False))
    except (ValueError, RecursionError) as problem:
        raise TypeError(f"These messages cannot be written as JSON: {problem}.") from None


def to_plain(thing: Any) -> Any:
    """Return an object of the SDK as a dict. Raise TypeError for anything else."""
    if hasattr(thing, "to_dict"):
        return thing.to_dict(mode="json", warnings=False)
    raise TypeError(f"This is not a message or a part of one: {shorten(repr(thing), 80)}")
