"""Read a run from its messages, in the format of the Messages API, whatever loop made it."""

import json
import re
from collections.abc import Mapping
from textwrap import shorten
from typing import Any

from agentlib.loop import Round
from agentlib.replies import Usage, shown_text
from agentlib.tools import Call

from ..message_blocks import TAG, Message, blocks_of, text_of

REMINDER_AT_END = re.compile(rf"(<{TAG}>(?:(?!<{TAG}>).)*</{TAG}>)\s*\Z", re.DOTALL)


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


def plain_messages(thing: Any) -> Any:
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
