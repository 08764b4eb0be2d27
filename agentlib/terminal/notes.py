"""The lines of --save, with their times."""

import re
import time
from collections.abc import Callable
from typing import Any

from safetylib.guard.hide_keys import hide_keys_in
from safetylib.wire.replies import write_sendable
from safetylib.wire.run_file import VERSION, RunLines

from . import screen

Remind = Callable[[Any], Any]


def to_json(value: Any) -> Any:
    """Return messages, or a part of one, as plain data that can be sent, without the key."""
    return hide_keys_in(write_sendable(value))


class Notes(RunLines):
    """The file of --save, if it is asked for, to which each line is added at once."""

    def __init__(self, name: str | None, **first: Any) -> None:
        """Create the file, which only I can read. Raise OSError if anything has its name."""
        super().__init__(screen.say)
        if name is not None:
            self.create(name)
        self.add("session", version=VERSION, **first)

    def add(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Add a line with the time, and return it."""
        return super().add(kind, time=time.strftime("%FT%TZ", time.gmtime()), **fields)

    def watch(self, nag: Remind) -> Remind:
        """Return the nag as a function that also shows and writes what it returns."""

        def remind(calls: Any) -> Any:
            reminder = nag(calls)
            if isinstance(reminder, str) and reminder.strip():
                self.add("known", reminder=reminder)
                words = re.sub("</?reminder>", "", reminder).strip()
                screen.say(f"(reminder) {words}", screen.PROGRAM)
            return reminder

        return remind
