"""The file of a run: a line of JSON for all that happens, without keys, and for its owner alone.

    session  what the run was begun with; in a table also its `set`, `number`, `began`, `versions`
    prompt   what the user has written
    sent     the `messages` after the first `kept` ones of the conversation, before a window leaves
             some out; and the other `settings` of the request, if they are not those before
    reply    what the model has answered; it is added to the conversation. If thinking was left out
             of the request, `thinking_left_out` has the numbers of each message and block
    known    what only the program knows after a round, such as the `reminder` that the nag has
             returned: a file can contain the same words
    typed    what the user has typed while the agent worked
    failed   the error that a request has ended with
    paid     how many `tokens` more the run has cost: of a reply that is in no line
    end      how the run has ended; `again` if it was neither the model's nor the agent's doing,
             with the `status` of the server's error

my_agent writes them with --save, and `lesson/runs/run_lines.py` writes those of its runs.
"""

import json
import marshal
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import takewhile
from operator import is_
from pathlib import Path
from typing import IO, Any

from ..guard import paths
from ..guard.hide_keys import hide_keys_in, remember_own_keys

Line = dict[str, Any]
VERSION = 2  # of the format
STOPPED = "From here on, nothing is saved in {}: {}."


class RunLines:
    """The lines of a run, as they come. If there is a `file`, each is written into it at once.

    No file tool of an agent opens this file until `close`, whatever its name is.
    """

    def __init__(self, say: Callable[[str], object] = print) -> None:
        self.file: IO[str] | None = None
        self.name: str | Path = ""  # of it, as the user knows it
        self._written: paths.FileNumber | None = None
        self._say = say
        self.messages: list[Any] = []  # the conversation that the lines have so far
        self._settings: Line = {}

    def create(self, path: str | Path) -> IO[str]:
        """Write the lines into a new file from now on. Raise OSError if anything has its name."""
        self.file, self.name = create(path), path
        self._written = paths.number_of(os.fstat(self.file.fileno()))
        paths.written.add(self._written)
        return self.file

    def close(self) -> None:
        """Close the file, if there is one. Raise OSError if its disk is full."""
        try:
            if self.file is not None:
                self.file.close()
        finally:
            if self._written:
                paths.written.discard(self._written)
            self.file = self._written = None

    def add(self, kind: str, **fields: Any) -> Line:
        """Add a line, and return it. If it cannot be written, say so once: the run goes on."""
        line: Line = {"type": kind, **fields}
        if self.file:
            try:
                write_line(self.file, line)
            except (OSError, ValueError) as problem:
                self.file = None
                why = getattr(problem, "strerror", None) or problem
                self._say(STOPPED.format(self.name, why))
        return line

    def add_sent(self, messages: list[Any], settings: Mapping[str, Any] | None = None) -> None:
        """Add what is new in a conversation that is sent: its `messages` are plain data.

        `settings` are those of the request, if there is one.
        """
        messages = share(messages, self.messages)
        pairs = zip(messages, self.messages, strict=False)
        kept = sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1], pairs))
        given = to_json(settings) if settings else self._settings
        more = {} if given == self._settings else {"settings": given}
        if more or kept < max(len(messages), len(self.messages)):
            self.add("sent", kept=kept, messages=messages[kept:], **more)
        self.messages, self._settings = messages, given

    def add_reply(self, reply: Any, *more: str, left_out: Sequence[Any] = ()) -> None:
        """Add a reply of the SDK, which is part of the conversation from now on.

        `more` are names of further fields of it, and `left_out` what its request lacked.
        """
        names = ("content", "stop_reason", "usage", *more)
        fields = {name: getattr(reply, name, None) for name in names}
        fields |= {"thinking_left_out": left_out} if left_out else {}
        line = self.add("reply", **to_json(fields))
        self.messages = [*self.messages, {"role": "assistant", "content": line["content"]}]


def create(path: str | Path) -> IO[str]:
    """Open a new file that only its owner can read. Raise OSError if anything has its name."""
    opener = partial(os.open, mode=0o600)
    return open(path, "x", encoding="ascii", newline="\n", opener=opener)


def write_line(file: IO[str], line: Line) -> None:
    """Write a line without keys. It is on the disk when this returns, also if Python is killed."""
    remember_own_keys()
    file.write(json.dumps(hide_keys_in(to_json(line))) + "\n")
    file.flush()


def share(items: list[Any], earlier: list[Any]) -> list[Any]:
    """Return `items` with the objects of `earlier` as far as both begin with the same JSON.

    A request contains the one before it. So what is kept of a run grows with its length, and not
    with its square. Raise ValueError for what is not from JSON.
    """

    def are_same(pair: tuple[Any, Any]) -> bool:  # 1 is not true here, as it is with ==
        return marshal.dumps(pair[0], 2) == marshal.dumps(pair[1], 2)

    same = len(earlier) if begins_with(items, earlier) else 0
    same += sum(1 for _ in takewhile(are_same, zip(items[same:], earlier[same:], strict=False)))
    return [*earlier[:same], *items[same:]]


def begins_with(items: Sequence[Any], earlier: Sequence[Any]) -> bool:
    """Return whether `items` begin with the very objects of `earlier`."""
    return len(items) >= len(earlier) and all(map(is_, earlier, items))


def to_json(value: Any) -> Any:
    """Return a copy of any value as JSON can contain it; an object that it cannot becomes text."""
    with suppress(ValueError, TypeError, RecursionError):
        return json.loads(json.dumps(value, default=write_object, skipkeys=True))
    return json.loads(json.dumps(repr(value)))


def write_object(value: Any) -> Any:
    """Return what `to_json` writes in place of an object."""
    if hasattr(value, "to_dict"):
        return value.to_dict(mode="json", warnings=False)
    return dict(value) if isinstance(value, Mapping) else str(value)
