"""A run as a file: a line of JSON for each request, each reply, and what is known after a round.

These are the lines that my_agent writes with --save, which `Notes` in
`lesson/program/outside/guards.py` describes, and two more of a run that the lesson has played:

    session  what the run was begun with
    sent     the `messages` after the first `kept` ones of the conversation, before a window leaves
             some out; and the other `settings` of the request, if they are not those before
    reply    what the model has answered; it is added to the conversation
    known    a Known of `record`, of whose files only those that have changed
    end      how the run has ended

`saved_run` reads them.
"""

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from safetylib.hide_keys import hide_keys_in

from ..common.file_errors import describe_file_error
from ..common.message_blocks import share
from .from_messages import plain_messages
from .record import Known

Line = dict[str, Any]
VERSION = 2  # of the format: 1 has no settings, and does not say who wrote a reminder
MAX_BYTES = 50_000_000  # of a file: 30 rounds of the practice model have 100,000
# What a line of another shape than was expected raises.
ODD = (AttributeError, LookupError, RecursionError, TypeError, ValueError)
OTHER_FILE = (
    "{} is there and is no run of {}, so it is not replaced. Choose another name, or delete it."
)
STOPPED = "From here on, the run is not saved in {}: {}"


class RunFileError(ValueError):
    """Raised if a file is no run, or cannot be replaced by one. The message says why."""


class Lines:
    """The lines of a run, as they come. With `open`, each is also written into a file.

    `copy` returns a copy of messages as plain data.
    """

    def __init__(self, copy: Callable[[Any], Any] = plain_messages) -> None:
        self.all: list[Line] = []
        self.start: Line = {}  # what is known before the first round
        self._copy = copy
        self._messages: list[Any] = []  # the conversation that the lines have so far
        self._settings: Line = {}
        self._files: Mapping[str, str] = {}
        self._file: IO[str] | None = None

    def add(self, kind: str, **fields: Any) -> None:
        """Add a line. If it cannot be written, say so once: the run goes on."""
        line = {"type": kind, **fields}
        self.all.append(line)
        if self._file is not None:
            try:
                write_line(self._file, line)
            except OSError as problem:
                file, self._file = self._file, None
                print(STOPPED.format(file.name, describe_file_error(problem)))

    def add_sent(self, messages: Sequence[Any], settings: Mapping[str, Any]) -> list[Any]:
        """Add what is new in a conversation that is sent, and return a copy of all of it.

        Raise TypeError if JSON cannot contain it.
        """
        plain = share(self._copy(list(messages)), self._messages)
        pairs = zip(plain, self._messages, strict=False)
        kept = next((n for n, (one, old) in enumerate(pairs) if one is not old), None)
        kept = min(len(plain), len(self._messages)) if kept is None else kept
        given = {name: value for name, value in settings.items() if name != "messages"}
        more = {"settings": to_json(given)} if given and given != self._settings else {}
        if more or kept < max(len(plain), len(self._messages)):
            self.add("sent", kept=kept, messages=plain[kept:], **more)
        self._messages, self._settings = plain, given or self._settings
        return plain

    def add_reply(self, reply: Any) -> None:
        """Add a reply, which is part of the conversation from now on."""
        said = {name: getattr(reply, name, None) for name in ("content", "stop_reason", "usage")}
        said = to_json(said)
        self.add("reply", **said)
        self._messages = [*self._messages, {"role": "assistant", "content": said["content"]}]

    def begin(self, start: Known) -> None:
        """Take what is known before the first round."""
        self._files = {}
        self.start = self.write_known(start)

    def go_on(self, lines: Sequence[Line], messages: list[Any], files: Mapping[str, str]) -> None:
        """Take the lines of another run, after which the conversation and files are these."""
        self.all, self._messages, self._files = [*lines], [*messages], files

    def add_known(self, known: Known) -> None:
        """Add what is known after a round."""
        self.add("known", **self.write_known(known))

    def write_known(self, known: Known) -> Line:
        """Return the fields of a Known that say something, with the files that have changed."""
        changed: dict[str, str | None] = {
            name: text for name, text in known.files.items() if self._files.get(name) != text
        }
        changed |= {name: None for name in self._files if name not in known.files}
        self._files = known.files
        fields = known._asdict() | {"files": changed, "times": dict(known.times)}
        return to_json({name: value for name, value in fields.items() if value})

    def open(self, path: Path, first: Line) -> None:
        """Write the lines into a new file: the `first`, those that are there, and each that comes.

        Only its owner can read it. A run of this job is replaced; one of a real model, which was
        paid for, gets another name. Raise OSError, and RunFileError for another file.
        """
        is_paid = check_replaced(path, first["job"])
        if is_paid:
            other = next(path for path in list_names(path) if not path.exists())
            path.rename(other)
            print(f"{path} had a run of a real model, and is {other} now.")
        path.unlink(missing_ok=True)
        self._file = create(path)
        for line in (first, *self.all):
            write_line(self._file, line)

    def close(self) -> None:
        """Close the file, if there is one."""
        if self._file is not None:
            self._file.close()
            self._file = None


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

    Raise OSError, and RunFileError if there is a file that is no run of this job.
    """
    check_replaced(path, lines[0]["job"])
    half = path.with_name(f".{path.name}.{os.getpid()}")
    half.unlink(missing_ok=True)
    try:
        with create(half) as file:
            for line in lines:
                write_line(file, line)
        half.replace(path)
    finally:
        half.unlink(missing_ok=True)


def create(path: Path) -> IO[str]:
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY
    return os.fdopen(os.open(path, flags, 0o600), "w", encoding="ascii", newline="\n")


def write_line(file: IO[str], line: Line) -> None:
    """Write a line without keys. It is on the disk when this returns, also if Python is killed."""
    file.write(json.dumps(hide_keys_in(line)) + "\n")
    file.flush()


def check_replaced(path: Path, job: str) -> bool:
    """Return whether a file has a run of a real model. Raise RunFileError if it is no run of a job.

    If there is no file, return False.
    """
    if not os.path.lexists(path):
        return False
    first: Any = None
    if path.is_file() and not path.is_symlink():  # to open a pipe would wait for its other end
        with suppress(*ODD, OSError):
            with path.open("rb") as file:
                first = json.loads(file.readline(MAX_BYTES))
    is_run = isinstance(first, dict) and first.get("type") == "session"
    if not is_run or first.get("job") != job:
        raise RunFileError(OTHER_FILE.format(path, job))
    return bool(first.get("real"))


def list_names(path: Path) -> Iterator[Path]:
    """Yield other names for a file: `run_1.jsonl`, `run_2.jsonl` and so on."""
    number = 0
    while True:
        number += 1
        yield path.with_name(f"{path.stem}_{number}{path.suffix}")


def to_json(value: Any) -> Any:
    """Return a copy of any value as JSON can contain it; an object that it cannot becomes text."""
    with suppress(ValueError, TypeError, RecursionError):
        return json.loads(json.dumps(value, default=write_object, skipkeys=True))
    return json.loads(json.dumps(repr(value)))


def write_object(value: Any) -> Any:
    if hasattr(value, "to_dict"):
        return value.to_dict(mode="json", warnings=False)
    return dict(value) if isinstance(value, Mapping) else str(value)
