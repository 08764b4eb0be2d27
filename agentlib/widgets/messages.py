"""Messages in the wire format, shortened for a page."""

from collections.abc import Mapping
from typing import Any

LONGEST_TEXT = 20_000  # characters


def shorten(message: Any) -> Any:
    """A copy of a message, or of a part of one, with very long texts cut.

    A saved Trace keeps them whole.
    """
    if isinstance(message, str):
        return shorten_text(message)
    if isinstance(message, Mapping):
        return {str(name): shorten(value) for name, value in message.items()}
    if isinstance(message, list | tuple):
        return [shorten(part) for part in message]
    return message


def shorten_text(text: str) -> str:
    """A text, or if it is too long, its beginning and how much was left out."""
    if len(text) <= LONGEST_TEXT:
        return text
    return f"{text[:LONGEST_TEXT]}\n… ({len(text) - LONGEST_TEXT:,} more characters)"
