"""The format of a saved run: its messages, and the token counts, which messages do not contain."""

import json
from collections.abc import Iterable
from typing import Any

from agentlib.replies import COUNTS, Usage

from ..redaction import redact
from .frame import Frame

FORMAT = "agentlib trace 3"
MAX_TOKENS = 10**9  # of one reply; no context window is as large


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
    try:
        content = redact(json.loads(data))
        json.dumps(content, allow_nan=False)  # a page's script cannot read NaN or Infinity
    except (ValueError, RecursionError) as problem:
        raise ValueError(f"it is not JSON ({problem})") from None
    if isinstance(content, list):
        return content, {}
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise ValueError("it has another format")
    known = {name: content.get(name) for name in ("title", "after")}
    if not (isinstance(known["title"], str) and isinstance(known["after"], int | None)):
        raise ValueError("its title is no text, or its threshold is no number")
    if not isinstance(content.get("usage"), list):
        raise ValueError("it has no token counts")
    return content.get("messages"), known | {"usages": [*map(read_usage, content["usage"])]}


def read_usage(given: Any) -> Usage:
    """Return the tokens of one turn. Raise ValueError if they cannot be true."""
    usage = Usage(**given) if isinstance(given, dict) else Usage(-1)
    counts = [getattr(usage, name) for name in COUNTS]
    if not all(type(one) is int and 0 <= one < MAX_TOKENS for one in counts):
        raise ValueError("a token count is no number that a reply can have")
    return usage
