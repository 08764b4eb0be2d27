"""Show the beginning of a file, and replace one passage of it."""

import re
from contextlib import suppress

from .files import File

MAX_SHOWN_CHARS = 49_900  # with the note about the rest, 50,000 at most


def excerpt(file: File, limit: int | None) -> str:
    """Return the first `limit` lines, at most MAX_SHOWN_CHARS, and a note about the rest."""
    text = file.text.replace("\r\n", "\n")
    end = len(text)
    if limit and limit <= end:
        lines = text.split("\n", limit)
        if len(lines) > limit:
            end -= len(lines[-1])
    if end > MAX_SHOWN_CHARS:
        end = text.rfind("\n", 0, MAX_SHOWN_CHARS) + 1 or MAX_SHOWN_CHARS
    shown, rest = text[:end], text[end:]
    more = []
    if rest and shown.endswith("\n"):
        count = rest.count("\n") + (not rest.endswith("\n"))
        more.append(f"{count} more lines")
    elif rest:
        more.append(f"{len(rest)} more characters")
    if file.unread:
        more.append(f"{file.unread} bytes not read")
    gap = "" if shown.endswith("\n") else "\n"
    return shown + (f"{gap}... ({', '.join(more)})" if more else "")


def replace(text: str, old: str, new: str) -> str:
    """Return `text` with the only occurrence of `old` replaced by `new`.

    A line break in `old` matches \\n and \\r\\n, and `new` gets the kind that is used there, so
    that a file keeps its line endings. Raises ValueError if `old` does not occur exactly once.
    """
    for name, value in {"old_text": old, "new_text": new}.items():
        if not isinstance(value, str):
            raise ValueError(
                f"was not edited: {name} must be a string, not {type(value).__name__}."
            )
    if not old:
        raise ValueError("was not edited: old_text is empty. Give the text to replace.")
    folded, wanted = (each.replace("\r\n", "\n") for each in (text, old))
    place = folded.find(wanted)
    if place < 0:
        raise ValueError(
            "has no such text: old_text was not found. It must match exactly, with every space."
        )
    if folded.find(wanted, place + 1) >= 0:
        raise ValueError(
            f"has old_text in {max(2, folded.count(wanted))} places: give more of the lines "
            "around, so that it occurs once."
        )
    start, end = offset_with_crlf(text, place), offset_with_crlf(text, place + len(wanted))
    ending = re.search(r"\r?\n", text[start:end] + text)
    new = new.replace("\r\n", "\n").replace("\n", ending[0] if ending else "\n")
    return text[:start] + new + text[end:]


def offset_with_crlf(text: str, index: int) -> int:
    """Return the offset in `text` of the character `index`, counting each \\r\\n as one."""
    start = 0
    for line in text.split("\r\n"):
        if index <= len(line):
            break
        index -= len(line) + 1
        start += len(line) + 2
    return start + index


def parse_line_limit(value: object) -> int | None:
    """Return `value` as a number of lines, or None; models also send "10". Raises ValueError."""
    if value is None:
        return None
    number = 0
    if isinstance(value, int) and not isinstance(value, bool):
        number = value
    elif isinstance(value, str) or (isinstance(value, float) and value.is_integer()):
        with suppress(ValueError):  # "ten"
            number = int(value)
    if number > 0:
        return number
    raise ValueError(f"limit must be a whole number of lines, 1 or more, not {value!r:.40}.")
