"""The format of a saved run: its messages, and the token counts, which messages do not contain."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from agentlib.replies import Usage, read_usage

from ..redaction import redact
from .frame import Frame

FORMAT = "agentlib trace 3"
MAX_BYTES = 64 * 2**20  # of a file that is opened
MAX_AFTER = 10_000  # rounds


def write_run(title: str, after: int | None, frames: Iterable[Frame]) -> bytes:
    """Return the file of a run, without keys. It has a usage for each turn of the model."""
    turns = [(frame.round, message) for frame in frames for message in frame.messages]
    data = {
        "format": FORMAT,
        "title": title,
        "after": after,
        "usage": [
            vars(turn.usage) if turn else {}
            for turn, message in turns
            if message["role"] == "assistant"
        ],
        "messages": [message for _, message in turns],
    }
    text = json.dumps(redact(data), indent=1, ensure_ascii=False)
    return f"{text}\n".encode("utf-8", "replace")


def read_run(data: bytes) -> tuple[Any, dict[str, Any]]:
    """Return the messages in a file, without keys, and the other arguments of Trace.from_messages.

    The file is a saved run, or a list of messages. Raise ValueError if it is neither; the message
    is the second half of a sentence.
    """
    if len(data) > MAX_BYTES:
        raise ValueError(f"it is larger than {MAX_BYTES // 2**20} MB")
    try:
        content = redact(json.loads(data, parse_constant=reject_constant))
    except ValueError as problem:
        raise ValueError(f"it is not JSON ({problem})") from None
    if isinstance(content, list):
        return content, {}
    match content:
        case {
            "format": str(given),
            "title": str(title),
            "after": int() | None as after,
            "usage": [*usage],
            "messages": [*messages],
        } if given == FORMAT and (after is None or 1 <= after < MAX_AFTER):
            return messages, {"title": title, "after": after, "usages": read_usages(usage)}
    raise ValueError("it has another format")


def read_usages(given: Sequence[Any]) -> list[Usage]:
    """Return each usage of a file. What is no count is 0."""
    known = [one if isinstance(one, dict) else {} for one in given]
    return [read_usage(one, one.get("model", "")) for one in known]


def reject_constant(name: str) -> None:
    """Raise ValueError for NaN and Infinity, which a browser's JSON cannot contain."""
    raise ValueError(f"{name} is no number")
