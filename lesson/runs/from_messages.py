"""Read a run from its messages, in the format of the Messages API, whatever loop made it."""

import json
from textwrap import shorten
from typing import Any

from agentlib.tools import Call
from safetylib.wire.replies import shown_text, usage_of

from ..common.message_blocks import Message, blocks_of, contains, has_failed, read_messages, text_of
from ..common.round import Round


def round_of(turn: list[Message], reply: Any, number: int, returned: str | None) -> Round:
    """Return the Round of one turn of the model, whose `reply` it is, and the messages after it.

    `returned` is what the nag has returned in this round: it is the Round's reminder if it was
    sent. The messages do not say so, because a file can contain the same words and tags.
    """
    reply_message, *after = read_messages(turn)
    written = blocks_of(reply_message)
    answers = [block for part in after for block in blocks_of(part)]
    results = {
        str(block.get("tool_use_id")): block for block in answers if block["type"] == "tool_result"
    }
    reminder = returned if any(contains(part, returned) for part in after) else None
    uses = [block for block in written if block["type"] == "tool_use"]
    calls = tuple(call_of(use, results.get(str(use.get("id")), {}), reminder) for use in uses)
    return Round(
        number,
        shown_text(written),
        calls,
        reminder,
        usage_of(reply),
        reply.stop_reason,
        tuple(turn),
        not uses or reply.stop_reason == "refusal",
    )


def call_of(use: Message, result: Message, reminder: str | None) -> Call:
    """Return a tool call and its output, without the reminder in its result.

    The output is "" if there is no result yet.
    """
    output = "\n".join(text_of(part) for part in blocks_of(result))
    if reminder and output.endswith(reminder):  # after a blank line, or in a block of its own
        output = output.removesuffix(reminder).removesuffix("\n").removesuffix("\n")
    ok = not has_failed(result)
    return Call(str(use.get("name", "")), use.get("input", {}), output, ok)


def plain_messages(value: Any) -> Any:
    """Return a copy of messages as plain dicts and lists, even if they contain SDK objects.

    Raise TypeError for what JSON cannot contain.
    """
    return json.loads(write_messages(value))


def write_messages(value: Any) -> str:
    """Return messages as JSON, even if they contain SDK objects. Raise TypeError if it cannot."""
    try:
        # A page's script cannot read NaN or Infinity.
        return json.dumps(value, default=to_plain, allow_nan=False)
    except (ValueError, RecursionError) as problem:
        raise TypeError(f"These messages cannot be written as JSON: {problem}.") from None


def read_on(text: str, before: str, messages: list[Any]) -> list[Any]:
    """Return the messages that `text` is the JSON of, beginning with these if their JSON is there.

    `before` is the JSON of these messages: `text` is compared with it, letter by letter.
    """
    end = len(before) - 1  # where its "]" is
    if text.startswith(before[:end]) and text[end] in ",]":
        return [*messages, *json.loads(f"[null{text[end:]}")[1:]]
    return list(json.loads(text))


def to_plain(value: Any) -> Any:
    """Return an object of the SDK as a dict. Raise TypeError for anything else."""
    if hasattr(value, "to_dict"):
        return value.to_dict(mode="json", warnings=False)
    raise TypeError(f"This is not a message or a part of one: {shorten(repr(value), 80)}")
