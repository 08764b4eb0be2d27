"""What a program adds to a message of the user beside the words of the user."""

import re

TAG = r"(?:system[-_])?reminder"
# The reminders in a string. None contains the start of another one: so the time is linear, also if
# none of them ends.
REMINDERS = re.compile(rf"<{TAG}>((?:(?!<{TAG}>).)*?)</{TAG}>", re.DOTALL | re.IGNORECASE)
PROGRAM_SAYS = "The program says: "  # so begins what is no reminder, in a text beside the results


def is_added(text: str) -> bool:
    """Return whether a text has nothing but reminders, or is what the program says."""
    words = text.strip()
    is_reminder = words != "" and not REMINDERS.sub("", words).strip()
    return is_reminder or words.startswith(PROGRAM_SAYS)
