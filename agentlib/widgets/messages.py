"""Messages as they are on the wire, cut to what a page can show."""

from collections.abc import Mapping
from typing import Any

LONGEST_TEXT = 20_000  # characters


def shortened(message: Any) -> Any:
    """A copy of a message, or of a part of one, whose texts are not beyond all reading.

    A saved Trace has the whole.
    """
    if isinstance(message, str):
        return cut(message)
    if isinstance(message, Mapping):
        return {str(name): shortened(value) for name, value in message.items()}
    if isinstance(message, list | tuple):
        return [shortened(part) for part in message]
    return message


def cut(text: str) -> str:
    """A text, or its beginning and how much is left out."""
    if len(text) <= LONGEST_TEXT:
        return text
    return f"{text[:LONGEST_TEXT]}\n… ({len(text) - LONGEST_TEXT:,} more characters)"
