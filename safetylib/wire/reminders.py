"""Recognize what the program has added to a message of the user."""

import re

TAG = r"(?:system[-_])?reminder"
# The reminders in a string. A reminder never contains the start of another one, so the time is
# linear even if none of them ends.
REMINDERS = re.compile(rf"<{TAG}>((?:(?!<{TAG}>).)*?)</{TAG}>", re.DOTALL | re.IGNORECASE)
PROGRAM_SAYS = "The program says: "  # the prefix of notes that are not reminders


def is_added(text: str) -> bool:
    """Return whether the program has added a whole text: it has only reminders, or is a note."""
    words = text.strip()
    is_reminder = words != "" and not REMINDERS.sub("", words).strip()
    return is_reminder or words.startswith(PROGRAM_SAYS)
