"""Write the file of --save: a line for each event, with its time."""

import re
import time
from collections.abc import Callable
from typing import Any

from safetylib.guard.hide_keys import hide_keys_in
from safetylib.wire.replies import write_sendable
from safetylib.wire.run_file import SNAPSHOT, VERSION, RunLines

from . import screen

Remind = Callable[[Any], Any]


def to_json(value: Any) -> Any:
    """Return messages, or a part of a message, as plain data that can be sent, without the key."""
    return hide_keys_in(write_sendable(value))


class Notes(RunLines):
    """The lines of a conversation. With --save, each line is written to the file at once."""

    def __init__(self, name: str | None, **session: Any) -> None:
        """Create the file, which only its owner can read. Raise OSError if its name is taken."""
        super().__init__(screen.say)
        if name is not None:
            self.create(name)
        self.add("session", version=VERSION, **session)

    def add(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Add a line with the time, and return it."""
        return super().add(kind, time=time.strftime("%FT%TZ", time.gmtime()), **fields)

    def note_reminders(self, nag: Remind) -> Remind:
        """Return a function that calls the nag, and shows and writes the reminder."""

        def remind(calls: Any) -> Any:
            reminder = nag(calls)
            if isinstance(reminder, str) and reminder.strip():
                self.add(SNAPSHOT, reminder=reminder)
                words = re.sub("</?reminder>", "", reminder).strip()
                screen.say(f"(reminder) {words}", screen.PROGRAM)
            return reminder

        return remind
