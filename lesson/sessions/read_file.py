"""Read a file of any agent whose format is known, by its content and not by its name."""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from .claude_code import is_claude_code, read_claude_code
from .lines import Record, dict_of, read_lines
from .session import CannotRead, Session

KNOWN = "Claude Code 2.0 and 2.1"
QWEN_CODE = (
    "This is a session of Qwen Code. It reminds the model of its list every third round and does "
    "not record it, so a picture of what the model saw would be wrong. Nothing is drawn."
)


def read_session(path: Path) -> Session:
    """Return the session in a file. Raise CannotRead with a sentence that says why not."""
    try:
        if not path.is_file():
            raise CannotRead("There is no file with this name, or it is a folder.")
        with path.open("rb") as file:
            return read_content(file)
    except OSError as problem:
        raise CannotRead(f"This file cannot be read: {problem.strerror}.") from None


def read_content(lines: Iterable[bytes]) -> Session:
    """Return the session in the lines of a file, which end as those of a file in binary mode do.

    Raise CannotRead with a sentence that says why not.
    """
    problems: Counter[str] = Counter()
    records = list(read_lines(lines, problems))
    session = read_records(records)
    session.not_understood += problems
    return session


def read_records(records: list[Record]) -> Session:
    """Return the session in the objects of a JSONL file, or of several copies of one session."""
    if not records:
        raise CannotRead(f"This file has no line with a JSON object. What can be read: {KNOWN}.")
    if is_qwen_code(records):
        raise CannotRead(QWEN_CODE)
    if not is_claude_code(records):
        raise CannotRead(f"The format of this file is not known. What can be read: {KNOWN}.")
    return read_claude_code(records)


def is_qwen_code(records: Iterable[Record]) -> bool:
    """Return whether a message has the parts of Gemini's API and is in a line of Qwen Code."""
    return any("sessionId" in line and "parts" in message for line, message in messages_of(records))


def messages_of(records: Iterable[Record]) -> Iterator[tuple[Record, Any]]:
    """Yield each line with its message."""
    return ((line, dict_of(line.get("message"))) for line in records)
