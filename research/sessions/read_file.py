"""Read a file of any agent whose format is known, by its content and not by its name."""

import json
import re
from collections import Counter
from collections.abc import Iterable
from itertools import chain
from pathlib import Path

from claude_code import is_claude_code, read_claude_code
from lines import Record, dict_of, read_lines
from session import CannotRead, Session

KNOWN = (
    "What can be read are sessions of Claude Code 2.0 and 2.1 (.jsonl) and of my_agent (what "
    "--save has written)."
)
QWEN_CODE = (
    "This is a session of Qwen Code. It reminds the model of its list every third round and does "
    "not record it, so a picture of what the model saw would be wrong. Nothing is drawn."
)
GEMINI_CLI = f"This is a session of Gemini CLI, which is not read. {KNOWN}"
CODEX = (
    "This is a session of Codex, which is not read any more: since August 2026 its format is "
    f"another one by default, and since 0.152.0 its list is off. {KNOWN}"
)
OPENCODE = (
    "This is a session of opencode, which is not read any more: its version 2 has other tables and "
    f"no list. {KNOWN}"
)
DATABASE = f"This is a database, such as that of opencode, and none is read. {KNOWN}"
# What a file begins with, and how its content is had.
PACKED = {
    b"\x28\xb5\x2f\xfd": "zstd -d",
    b"\x1f\x8b": "gunzip",
    b"PK\x03\x04": "unzip",
    b"BZh": "bunzip2",
    b"\xfd7zXZ": "unxz",
}
CLAUDE_STREAM = (
    "This is the output of claude -p --output-format stream-json. The whole session is in a folder "
    "of ~/.claude/projects, in the file {}.jsonl."
)
ID = re.compile(r"[\w-]{1,64}")


def read_session(path: Path) -> Session:
    """Return the session in a file. Raise CannotRead with a sentence that says why not."""
    try:
        if not path.is_file():
            raise CannotRead("There is no file with this name, or it is a folder.")
        with path.open("rb") as file:
            start = file.read(16)
            for begin, command in PACKED.items():
                if start.startswith(begin):
                    raise CannotRead(f"This file is compressed. Unpack it first: {command} FILE")
            if start == b"SQLite format 3\0":
                raise CannotRead(DATABASE)
            file.seek(0)
            return read_content(file)
    except OSError as problem:
        raise CannotRead(f"This file cannot be read: {problem.strerror}.") from None


def read_content(lines: Iterable[bytes]) -> Session:
    """Return the session in the lines of a file, which end as those of a file in binary mode do.

    Raise CannotRead with a sentence that says why not.
    """
    problems: Counter[str] = Counter()
    rest = iter(lines)
    first = next(rest, b"")
    if first.strip() == b"{":  # one object in many lines
        try:
            records = [json.loads(b"".join(chain([first], rest)).decode("utf-8", "replace"))]
        except (ValueError, RecursionError):
            raise CannotRead("This file is one JSON object that is cut off or broken.") from None
    else:
        records = list(read_lines(chain([first], rest), problems))
    session = read_records(records)
    session.not_understood += problems
    return session


def read_records(records: list[Record]) -> Session:
    """Return the session in the objects of a JSONL file, or of several copies of one session."""
    if not records:
        raise CannotRead(f"This file has no line with a JSON object. {KNOWN}")
    if str(dict_of(records[0].get("info")).get("id")).startswith("ses_"):
        raise CannotRead(OPENCODE)
    if is_codex(records):
        raise CannotRead(CODEX)
    if "projectHash" in records[0]:
        raise CannotRead(GEMINI_CLI)
    if any("parts" in dict_of(line.get("message")) for line in records):
        raise CannotRead(QWEN_CODE)
    if is_claude_code(records):
        return read_claude_code(records)
    for line in records:
        if isinstance(line.get("type"), str) and ID.fullmatch(str(line.get("session_id", ""))):
            raise CannotRead(CLAUDE_STREAM.format(line["session_id"]))
    raise CannotRead(f"The format of this file is not known. {KNOWN}")


def is_codex(records: list[Record]) -> bool:
    """Return whether a file is a rollout of Codex, or the output of codex exec --json."""
    return any(
        line.get("type") == "session_meta" and "payload" in line or "thread_id" in line
        for line in records
    )
