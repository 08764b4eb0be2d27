"""The lines of a run that the lesson plays, which `safetylib.wire.run_file` describes.

A line `known` has a Known of `record`, with those of its files that have changed. `saved_run` reads
the lines.
"""

import json
import os
import secrets
import stat
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

with suppress(ImportError):  # Windows, where no open file is replaced, and Python in a browser
    from fcntl import LOCK_EX, LOCK_NB, LOCK_SH, flock

from safetylib.guard.files import exclusive
from safetylib.wire.run_file import KINDS, STOPPED, Line, RunLines, create, write_line

from .record import Known

MAX_BYTES = 50_000_000  # of a file: 30 rounds of the practice model have 100,000
# What a line of another shape than was expected raises.
ODD = (AttributeError, LookupError, OverflowError, RecursionError, TypeError, ValueError)
OTHER_FILE = (
    "{} is there and is no run of {}, so it is not replaced. Choose another name, or delete it."
)
BEGIN = b'{"type": "'  # of each line
NO_FOLDER = "There is no folder {}. Make it first, or choose another name."


class RunFileError(ValueError):
    """Raised if a file is no run, or cannot be replaced by one. The message says why."""


class Lines(RunLines):
    """The lines of a run, which are kept, and with `open` also written into a file."""

    def __init__(self) -> None:
        super().__init__()
        self.all: list[Line] = []
        self.start: Line = {}  # what is known before the first round
        self._job, self._path = "", Path()
        self._half: Path | None = None  # the file, until it has a round and gets its name
        self._files: Mapping[str, str] = {}

    def add(self, kind: str, **fields: Any) -> Line:
        """Add a line, and return it."""
        self.all.append(super().add(kind, **fields))
        if self.file and self._half and kind in ("known", "end"):  # there is a round, or no more
            self._give_name(self._half, self._path)
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

        Only its owner can read it. It gets its name with the first round that comes, and until then
        what has this name stays: a run of this job, which is replaced, or one of a real model,
        which was paid for and gets another name. A run of a table has its name at once, and
        replaces nothing. Raise OSError, and RunFileError for another file.
        """
        check_replaced(path, first["job"])
        self._job, self._path = first["job"], path.absolute()  # a part may change the folder
        if "set" not in first:
            self._half = self._path.with_name(f".{secrets.token_hex(8)}.tmp")
        file = self.create(self._half or self._path)
        self.name = path
        try:
            for line in (first, *self.all):
                write_line(file, line)
        except BaseException:
            self.close()
            raise

    def _give_name(self, half: Path, path: Path) -> None:
        """Give the file its name. If that fails, say so, and go on without a file."""
        assert self.file
        self.file.close()  # Windows renames no file that is open
        try:
            with exclusive(path):  # also until it is open: another kernel may take the name
                replace(half, path, self._job)
                self.file, self._half = open(path, "a", encoding="ascii", newline="\n"), None
                with suppress(NameError, OSError):  # not every file system has locks
                    flock(self.file, LOCK_EX | LOCK_NB)
        except (OSError, RunFileError) as problem:
            self.file = None
            self._say(STOPPED.format(self.name, getattr(problem, "strerror", None) or problem))

    def close(self) -> None:
        """Close the file, if there is one, and delete it if it has no round."""
        super().close()
        if self._half is not None:
            self._half.unlink(missing_ok=True)
            self._half = None


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
    """Write a run into a file that only its owner can read, or leave what was there as it was.

    Another run of a real model gets another name. Raise OSError, and RunFileError if there is a
    file that is no run of this job.
    """
    check_replaced(path, job := lines[0]["job"])
    half = path.with_name(f".{secrets.token_hex(8)}.tmp")
    try:
        with create(half) as file:
            for line in lines:
                write_line(file, line)
        with exclusive(path):
            replace(half, path, job)
    finally:
        half.unlink(missing_ok=True)


def replace(half: Path, path: Path, job: str) -> None:
    """Give the file of a run its name, of which the caller has the lock.

    A run of a real model that is not the beginning of this one gets another name first. So does one
    that another kernel still writes, because only what it has written by now can be compared.
    """
    if check_replaced(path, job):
        if is_written(path) or not half.read_bytes().startswith(path.read_bytes()):
            rename_paid(path)
    half.replace(path)


def is_written(path: Path) -> bool:
    """Return whether the file of a run is open in a kernel that writes into it."""
    with suppress(NameError, OSError), path.open("rb") as file:
        try:
            flock(file, LOCK_SH | LOCK_NB)
        except BlockingIOError:
            return True
    return False


def check_replaced(path: Path, job: str) -> bool:
    """Return whether a file has a run of a real model. Raise RunFileError if it is no run of a job.

    If there is no file, or an empty one, return False. Of a run whose program was killed, the last
    line is a half. Raise RunFileError as well if its folder is missing.
    """
    if not path.parent.is_dir():
        raise RunFileError(NO_FOLDER.format(path.parent))
    data = b"no run"
    try:
        about = path.lstat()
        if stat.S_ISREG(about.st_mode) and about.st_size <= MAX_BYTES:  # to open a pipe would wait
            data = path.read_bytes()
    except FileNotFoundError:  # or another kernel has just given it another name
        return False
    except OSError:
        pass
    if not data:  # of a disk that was full
        return False
    lines, rest = parse_lines(data)
    kinds = [line.get("type") if isinstance(line, dict) else None for line in lines]
    is_half = len(rest) < 2 and all(one[: len(BEGIN)] == BEGIN[: len(one)] for one in rest)
    is_run = kinds[:1] == ["session"] and {*kinds} <= {*KINDS} and is_half
    if not is_run or lines[0].get("job") != job:
        raise RunFileError(OTHER_FILE.format(path, job))
    return bool(lines[0].get("real"))


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


def rename_paid(path: Path) -> None:
    """Give a run of a real model, which was paid for, another name: `run_1.jsonl` and so on."""
    names = (path.with_name(f"{path.stem}_{number}{path.suffix}") for number in count(1))
    other = next(one for one in names if not os.path.lexists(one))
    try:
        os.link(path, other)  # until it is replaced, it also has this name: somebody may open it
    except (OSError, AttributeError):  # not every file system has links
        path.rename(other)
    print(f"{path.name} had a run of a real model, and is {other.name} now.")
