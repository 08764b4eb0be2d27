"""Write the lines of a run that the lesson plays, in the format of `safetylib.wire.run_file`.

A snapshot has the fields of a `record.Snapshot`, with only those files that have changed.
`saved_run` reads the lines.
"""

import json
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from safetylib.wire.replies import usage_of
from safetylib.wire.run_file import Line, RunLines, write_line

from .record import Snapshot

MAX_BYTES = 50_000_000  # of a file: 30 rounds of the practice model have 100,000
# The errors that reading a line of an unexpected shape can raise.
ODD = (AttributeError, LookupError, OverflowError, RecursionError, TypeError, ValueError)
TAKEN = "{} is there already, and a run replaces nothing. Choose another name, or delete it."
NO_FOLDER = "There is no folder {}. Make it first, or choose another name."
NOT_KEPT = "The run has ended here, because it can no longer be written into {}."


class RunFileError(ValueError):
    """Raised if a file is not a run, or cannot become one. The message says why."""


class Lines(RunLines):
    """The lines of a run. They are kept, and after `open` also written into a file."""

    def __init__(self) -> None:
        super().__init__()
        self.all: list[Line] = []
        self.start: Line = {}  # the snapshot before the first round
        self._files: Mapping[str, str] = {}
        self._is_of_table = False

    def add(self, kind: str, **fields: Any) -> Line:
        """Add a line, and return it."""
        self.all.append(super().add(kind, **fields))
        return self.all[-1]

    def check_kept(self) -> None:
        """Raise OSError if a run of a table is no longer written, so that it cannot count."""
        if self._is_of_table and self.file is None:
            raise OSError(NOT_KEPT.format(self.name))

    def begin(self, start: Snapshot) -> None:
        """Take the snapshot before the first round."""
        self._files = {}
        self.start = self.write_snapshot(start)

    def start_from(
        self, lines: Sequence[Line], messages: list[Any], files: Mapping[str, str]
    ) -> None:
        """Go on after the lines of another run, with the conversation and files that it had."""
        self.all, self.messages, self._files = [*lines], [*messages], files

    def write_snapshot(self, snapshot: Snapshot) -> Line:
        """Return the fields of a Snapshot that say something, with the files that have changed."""
        changed: dict[str, str | None] = {
            name: text for name, text in snapshot.files.items() if self._files.get(name) != text
        }
        changed |= {name: None for name in self._files if name not in snapshot.files}
        self._files = snapshot.files
        fields = snapshot._asdict() | {"files": changed}
        return {name: value for name, value in fields.items() if value}

    def open(self, path: Path, first: Line) -> None:
        """Write the lines into a new file: the `first`, those up to now, and later each new one.

        Only its owner can read it. Raise RunFileError if something has its name, and OSError if it
        cannot be written.
        """
        if path == self.name:  # the same run goes on after an interrupt
            path.unlink(missing_ok=True)
        check_new(path)
        file = self.create(path.absolute())  # a part may change the folder
        self.name, self._is_of_table = path, "set" in first
        try:
            for line in (first, *self.all):
                write_line(file, line)
        except BaseException:
            with suppress(OSError):  # its disk is full
                self.close()
            path.unlink(missing_ok=True)
            raise


def take_rounds(lines: Sequence[Line], number: int) -> tuple[list[Line], list[Any]]:
    """Return the lines up to the end of a round, and the conversation then, with its results.

    The reply of the next round follows, so what was sent last is what the program sends next.
    """
    taken: list[Line] = []
    messages: list[Any] = []
    replies = 0
    for line in lines:
        kind = line["type"]
        replies += kind == "reply"
        if replies > number or kind == "end":
            break
        if kind == "sent":
            messages[line["kept"] :] = line["messages"]
        elif kind == "reply":
            messages.append({"role": "assistant", "content": line["content"]})
        if kind != "session":
            taken.append(line)
    return taken, messages


def write_run(path: Path, lines: Sequence[Line]) -> None:
    """Write a run into a new file that only its owner can read, or leave none.

    Raise RunFileError if something has its name, and OSError if it cannot be written.
    """
    written = Lines()
    written.all = [*lines[1:]]
    try:
        written.open(path, lines[0])
    finally:
        written.close()


def check_new(path: Path) -> None:
    """Raise RunFileError if something has this name, or its folder is missing."""
    if not path.parent.is_dir():
        raise RunFileError(NO_FOLDER.format(path.parent))
    if os.path.lexists(path):
        raise RunFileError(TAKEN.format(path))


def count_tokens(lines: Sequence[Line]) -> int:
    """Return the tokens of the replies in these lines, with those of the lines `paid`."""
    replies = [line for line in lines if line["type"] == "reply"]
    paid = [line["tokens"] for line in lines if line["type"] == "paid"]
    return sum(usage_of(reply).total for reply in replies) + sum(paid)


def parse_lines(data: bytes) -> tuple[list[Any], list[bytes]]:
    """Return the values in lines of JSON, and all lines from the first one that is not JSON."""
    values: list[Any] = []
    lines = data.split(b"\n")  # not `splitlines`: a string in JSON may contain other line ends
    for place, line in enumerate(lines):
        try:
            if line.strip():
                values.append(json.loads(line))
        except (ValueError, RecursionError):
            return values, lines[place:]
    return values, []
