"""Write the file of a run: a line of JSON for each event, without keys, for its owner alone.

    session  the settings at the start; in a table also its `set`, `number`, `began`, `versions`
    prompt   what the user wrote
    sent     the `messages` after the first `kept` messages of the conversation, before a window
             leaves some out; and the other `settings` of the request, if they have changed
    reply    what the model answered; it is added to the conversation. If thinking was left out of
             the request, `thinking_left_out` has the numbers of each message and block
    known    a snapshot: what only the program knows after a round, such as the `reminder` that the
             nag returned: in the messages, the words of a file can look the same
    typed    what the user typed while the agent worked
    failed   the error of a request
    paid     how many more `tokens` the run has cost, for a reply that has no line
    end      how the run ended; `again` if neither the model nor the agent ended it, with the
             `status` of the server's error

The program in a terminal writes it with --save, and `lesson/runs/run_lines.py` in a notebook.
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
SNAPSHOT = "known"  # the kind of the line that has a snapshot
STOPPED = "From here on, nothing is saved in {}: {}."


class RunLines:
    """The lines of a run. After `create`, each new line is written into the file at once.

    The file tools of an agent cannot open this file until `close`, under any name.
    """

    def __init__(self, say: Callable[[str], object] = print) -> None:
        self.file: IO[str] | None = None
        self.name: str | Path = ""  # of the file, as the user wrote it
        self._written: paths.FileNumber | None = None
        self._say = say
        self.messages: list[Any] = []  # the conversation in the lines so far
        self._settings: Line = {}

    def create(self, path: str | Path) -> IO[str]:
        """Write new lines into a new file. Raise OSError if its name is taken."""
        self.file, self.name = create(path), path
        self._written = paths.number_of(os.fstat(self.file.fileno()))
        paths.written.add(self._written)
        return self.file

    def close(self) -> None:
        """Close the file, if there is one. Raise OSError if the disk is full."""
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
        """Add the new messages of a conversation that is sent. `messages` are plain data.

        `settings` are those of the request, if there is a request.
        """
        messages = share(messages, self.messages)
        pairs = zip(messages, self.messages, strict=False)
        kept = sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1], pairs))
        new_settings = to_json(settings) if settings else self._settings
        changed = {} if new_settings == self._settings else {"settings": new_settings}
        if changed or kept < max(len(messages), len(self.messages)):
            self.add("sent", kept=kept, messages=messages[kept:], **changed)
        self.messages, self._settings = messages, new_settings

    def add_reply(self, reply: Any, *further_names: str, left_out: Sequence[Any] = ()) -> None:
        """Add a reply of the SDK, and with it the message to the conversation.

        `further_names` are names of further fields to save. `left_out` are the places of the
        thinking that its request lacked.
        """
        names = ("content", "stop_reason", "usage", *further_names)
        fields = {name: getattr(reply, name, None) for name in names}
        if left_out:
            fields["thinking_left_out"] = left_out
        line = self.add("reply", **to_json(fields))
        self.messages = [*self.messages, {"role": "assistant", "content": line["content"]}]


def create(path: str | Path) -> IO[str]:
    """Open a new file that only its owner can read. Raise OSError if its name is taken."""
    opener = partial(os.open, mode=0o600)
    return open(path, "x", encoding="ascii", newline="\n", opener=opener)


def write_line(file: IO[str], line: Line) -> None:
    """Write a line without keys. After that, the line is kept even if Python is killed."""
    remember_own_keys()
    file.write(json.dumps(hide_keys_in(to_json(line))) + "\n")
    file.flush()


def share(items: list[Any], earlier: list[Any]) -> list[Any]:
    """Return `items` with the objects of `earlier` as far as both begin with the same JSON.

    A request contains the messages of the request before it. With shared objects, the memory of a
    run grows with its length, and not with its square. Raise ValueError if an item is not plain
    data.
    """

    def are_same(pair: tuple[Any, Any]) -> bool:  # 1 is not true here, as it is with ==
        return pair[0] is pair[1] or marshal.dumps(pair[0], 2) == marshal.dumps(pair[1], 2)

    same = sum(1 for _ in takewhile(are_same, zip(items, earlier, strict=False)))
    return [*earlier[:same], *items[same:]]


def begins_with(items: Sequence[Any], earlier: Sequence[Any]) -> bool:
    """Return whether `items` begin with the very objects of `earlier`."""
    return len(items) >= len(earlier) and all(map(is_, earlier, items))


def to_json(value: Any) -> Any:
    """Return a copy of a value as plain data. An object that JSON cannot contain becomes text."""
    with suppress(ValueError, TypeError, RecursionError):
        return json.loads(json.dumps(value, default=write_object, skipkeys=True))
    return json.loads(json.dumps(repr(value)))


def write_object(value: Any) -> Any:
    """Return the value that `to_json` writes for an object."""
    if hasattr(value, "to_dict"):
        return value.to_dict(mode="json", warnings=False)
    return dict(value) if isinstance(value, Mapping) else str(value)
