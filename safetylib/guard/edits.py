"""Replace one passage of a text, or show a part of it: the work of edit_file and read_file."""

import re
from bisect import bisect
from contextlib import suppress
from os.path import commonprefix
from typing import Any

from .escape import name_character, to_keyboard

# A file may mix them. A program that writes \r\n as text on Windows makes the last one. (A match
# begins only where a row of \r begins. Otherwise the time grows with the square of its length.)
LINE_END = re.compile("(?<!\r)\r*\n")  # \n, \r\n or \r\r\n
BOM = "\ufeff"  # the byte order mark, with which some programs of Windows begin a file
MAX_SEARCHED_CHARS = 100_000  # in a text of 10 MiB, the search took a minute
MAX_SHOWN_CHARS = 49_900  # with the note about the rest, at most 50,000
# The note of read_file about the rest, or the note of bash about the middle of an output, at any
# place of a line: models number lines, and write notes as comments.
NOTE = re.compile(
    r"(?:\.\.\.|…) ?\([\d,]+ (?:more (?:lines|characters of line)|characters left out)\b"
)


def show_lines(text: str, start_line: Any = None, limit: Any = None) -> str:
    """Return `limit` lines from `start_line` on, at most MAX_SHOWN_CHARS, and a note on the rest.

    Raise ValueError if one of the two is not a number of lines, or the text has fewer lines.
    """
    text = LINE_END.sub("\n", text) if "\r" in text else text
    first = read_number("start_line", 1 if start_line is None else start_line)
    *before, text = text.split("\n", min(first - 1, len(text)))
    if before and (len(before) < first - 1 or not text):
        count = len(before) + bool(text)
        raise ValueError(f"was not read: it has {count} lines, and start_line is {first}.")
    end = len(text)
    if limit is not None:
        count = read_number("limit", limit)
        lines = text.split("\n", min(count, end))  # the last one is the rest of the text
        if len(lines) > count:
            end -= len(lines[-1])
    if end > MAX_SHOWN_CHARS:
        end = text.rfind("\n", 0, MAX_SHOWN_CHARS) + 1 or MAX_SHOWN_CHARS
    shown, rest = text[:end], text[end:]
    if not rest:
        return shown
    note, following = "", first + shown.count("\n")
    if not shown.endswith("\n"):  # `start_line` cannot reach the rest of this line
        line, _, rest = rest.partition("\n")
        note, following = f"{len(line)} more characters of line {following}", following + 1
        shown += "\n"
    if rest:
        more = rest.count("\n") + (not rest.endswith("\n"))
        note += f"{'; ' if note else ''}{more} more lines: read on with start_line {following}"
    return f"{shown}... ({note})"


def read_number(name: str, value: Any) -> int:
    """Return a number of lines, 1 or more. Raise ValueError if `value` is something else."""
    with suppress(TypeError, ValueError, OverflowError):  # a list, "ten", infinity
        count = int(value)  # models also send "10"
        if count >= 1:
            return count
    raise ValueError(f"was not read: {name} must be a whole number, 1 or more, not {value!r:.60}.")


def refuse_notes(new: str, old: str) -> None:
    """Raise ValueError if a line of `new` has a note of our tools, and `old` has no such line.

    A model that writes back what it has read would delete the text that the note stands for.
    """
    for match in NOTE.finditer(new):
        ends = [new.find(end, match.end()) for end in "\r\n"]
        start = max(new.rfind(end, 0, match.start()) for end in "\r\n") + 1
        line = new[start : min(end for end in (*ends, len(new)) if end >= 0)].strip()
        if line not in old:
            raise ValueError(
                f'was not written: "{line:.80}" has the form of a tool\'s note about text that it '
                "left out, and the file has no such line. If it is one, read that text first, or "
                "edit only one passage. If you mean these words, use bash."
            )


def replace_once(text: str, old: str, new: str) -> str:
    """Return `text` with the only occurrence of `old` replaced by `new`.

    Any line end matches any other, because read_file shows all of them as \\n. New lines get the
    line end of the line at which the change begins, and all other lines keep theirs. Raise
    ValueError if `old` does not occur exactly once.
    """
    if not old:
        raise ValueError("was not edited: old_text is empty. Give the text to replace.")
    plain, old, new = (LINE_END.sub("\n", passage) for passage in (text, old, new))
    refuse_notes(f"{old}\n{new}", plain)
    if old == new:
        raise ValueError(
            "was not edited: old_text and new_text are the same. Nothing would change."
        )
    count = plain.count(old)
    if count == 0:
        raise ValueError(
            "has no such text: old_text was not found. It must match exactly, with every space"
            f"{describe_difference(plain, old)}."
        )
    if count > 1:
        raise ValueError(
            f"has old_text in {count} places: give more of the lines around, so that it occurs "
            "once."
        )
    same_before = len(commonprefix([old, new]))
    same_after = len(commonprefix([old[same_before:][::-1], new[same_before:][::-1]]))
    start = plain.index(old) + same_before
    stop = plain.index(old) + len(old) - same_after
    ends = LINE_END.findall(text)
    line = plain.count("\n", 0, start)
    end = (ends[line:] or ends[-1:] or ["\n"])[0]
    changed = new[same_before : len(new) - same_after].replace("\n", end)
    # A place is later in `text` than in `plain`, because line ends before it can be longer.
    start += sum(len(line_end) - 1 for line_end in ends[:line])
    stop += sum(len(line_end) - 1 for line_end in ends[: plain.count("\n", 0, stop)])
    return text[:start] + changed + text[stop:]


def describe_difference(text: str, old: str) -> str:
    """Return where `text` has `old` in another form, and the first character that differs, or "".

    Two forms are alike if they differ only in the length of white space, in quotes, in dashes, or
    in characters that Unicode's NFKC makes the same. A long text is not searched.
    """
    if max(len(text), len(old)) > MAX_SEARCHED_CHARS:
        return ""
    lines, wanted = text.split("\n"), flatten(old)
    flat = [*map(flatten, lines)]
    place, number = " ".join(filter(None, flat)).find(wanted), 0
    if place < 0 or not wanted:
        return ""
    while place >= len(flat[number]):
        place -= len(flat[number]) + (flat[number] != "")
        number += 1
    # The passage begins at the last place in the line from which the flattened rest is complete.
    line, rest = lines[number], len(flat[number]) - place
    start = bisect(range(len(line)), -rest, key=lambda at: -len(flatten(line[at:]))) - 1
    start += sum(len(line) + 1 for line in lines[:number])
    indent = old[: len(old) - len(old.lstrip())]
    space = text[len(text[:start].rstrip()) : start]
    start -= min(len(indent), len(space if "\n" in indent else space.rpartition("\n")[2]))
    same = len(commonprefix([old, text[start : start + len(old)]]))
    at = start + same
    in_text, in_old = name_character(text[at : at + 1]), name_character(old[same : same + 1])
    return f": line {text.count(chr(10), 0, at) + 1} has {in_text} where old_text has {in_old}"


def flatten(text: str) -> str:
    """Return the form in which texts are compared: it is the same for texts that look alike."""
    return " ".join(to_keyboard(text).split())


def keep_form(old: str, new: str) -> str:
    """Return `new` with the line ends of `old`, if all are \\r\\n, and its byte order mark.

    A model that writes a whole file sends \\n, because read_file shows all line ends as \\n.
    """
    if has_crlf_only(old) and "\r" not in new:
        new = new.replace("\n", "\r\n")
    return BOM + new if old.startswith(BOM) and not new.startswith(BOM) else new


def has_crlf_only(text: str) -> bool:
    """Return whether each line of `text` ends with \\r\\n, as on Windows."""
    return text.count("\r\n") == text.count("\n") > 0
