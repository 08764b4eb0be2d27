"""The lines of a run that the lesson plays, which `safetylib.wire.run_file` describes.

A line `known` has a Known of `record`, with those of its files that have changed. `saved_run` reads
the lines.
"""

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from safetylib.wire.run_file import Line, RunLines, create, write_line

from .record import Known

MAX_BYTES = 50_000_000  # of a file: 30 rounds of the practice model have 100,000
# What a line of another shape than was expected raises.
ODD = (AttributeError, LookupError, OverflowError, RecursionError, TypeError, ValueError)
TAKEN = "{} is there already, and a run replaces nothing. Choose another name, or delete it."
NO_FOLDER = "There is no folder {}. Make it first, or choose another name."


class RunFileError(ValueError):
    """Raised if a file is no run, or cannot become one. The message says why."""


class Lines(RunLines):
    """The lines of a run, which are kept, and with `open` also written into a file."""

    def __init__(self) -> None:
        super().__init__()
        self.all: list[Line] = []
        self.start: Line = {}  # what is known before the first round
        self._files: Mapping[str, str] = {}

    def add(self, kind: str, **fields: Any) -> Line:
        """Add a line, and return it."""
        self.all.append(super().add(kind, **fields))
        return self.all[-1]

    def begin(self, start: Known) -> None:
        """Take what is known before the first round."""
        self._files = {}
        self.start = self.write_known(start)

    def go_on(self, lines: Sequence[Line], messages: list[Any], files: Mapping[str, str]) -> None:
        """Take the lines of another run, after which the conversation and files are these."""
        self.all, self.messages, self._files = [*lines], [*messages], files

    def write_known(self, known: Known) -> Line:
        """Return the fields of a Known that say something, with the files that have changed."""
        changed: dict[str, str | None] = {
            name: text for name, text in known.files.items() if self._files.get(name) != text
        }
        changed |= {name: None for name in self._files if name not in known.files}
        self._files = known.files
        fields = known._asdict() | {"files": changed}
        return {name: value for name, value in fields.items() if value}

    def open(self, path: Path, first: Line) -> None:
        """Write the lines into a new file: the `first`, those that are there, and each that comes.

        Only its owner can read it. Raise RunFileError if something has its name, and OSError if it
        cannot be written.
        """
        if path == self.name:  # this run goes on after an interrupt
            path.unlink(missing_ok=True)
        check_new(path)
        file = self.create(path.absolute())  # a part may change the folder
        self.name = path
        try:
            for line in (first, *self.all):
                write_line(file, line)
        except BaseException:
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
    check_new(path)
    with create(path) as file:
        try:
            for line in lines:
                write_line(file, line)
        except BaseException:
            path.unlink()
            raise


def check_new(path: Path) -> None:
    """Raise RunFileError if something has this name, or its folder is missing."""
    if not path.parent.is_dir():
        raise RunFileError(NO_FOLDER.format(path.parent))
    if os.path.lexists(path):
        raise RunFileError(TAKEN.format(path))


def parse_lines(data: bytes) -> tuple[list[Any], list[bytes]]:
    """Return the values in lines of JSON, and the lines from the first one on that is none."""
    values: list[Any] = []
    lines = data.split(b"\n")  # not `splitlines`: a string in JSON may contain other line ends
    for place, line in enumerate(lines):
        try:
            values += [json.loads(line)] if line.strip() else []
        except (ValueError, RecursionError):
            return values, lines[place:]
    return values, []
