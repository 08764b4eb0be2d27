"""Read the lines of a file that has one JSON object in each."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

Record = dict[str, Any]


def read_lines(lines: Iterable[bytes]) -> Iterator[Record]:
    """Yield the objects of a JSONL file, which is open in binary mode, and no other line.

    A line ends at a line end of the file. `str.splitlines` also splits at U+2028, which JSON may
    contain in a string. The last line of a program that was killed may be cut off.
    """
    for line in filter(bytes.strip, lines):
        try:
            record = json.loads(line.decode("utf-8", "replace"))
        except (ValueError, RecursionError):
            record = None
        if isinstance(record, dict):
            yield record


def dict_of(value: Any) -> Record:
    """Return a value if it is a dict, otherwise an empty one."""
    return value if isinstance(value, dict) else {}


def text_in(content: Any) -> str:
    """Return the text of a content, of its blocks, and of the contents of these."""
    if isinstance(content, list):
        return "\n".join(filter(None, map(text_in, content)))
    if isinstance(content, dict):
        return text_in(content.get("text") or content.get("content"))
    return content if isinstance(content, str) else ""
