"""The letters of the pictures: one for each round, message, step and item, all in one table.

A run is kept, sent and drawn as strings of letters. A capital says that a reminder was sent with
the results of the round, or is in the message. In the browser, tape.css, column.js and todo_list.js
draw the same letters.
"""

from collections.abc import Container, Mapping
from typing import Any

# What a round does.
ROUNDS = {
    "p": "writes its plan",
    "w": "works",
    "u": "works; its files were not checked",
    "d": "finishes a step",
    "l": "has lost its plan",
    "f": "finishes a step, without its plan",
    "s": "writes a short plan",
    "e": "ends",
}
# What a message is: the call that writes the plan and its result, the same for a shorter list that
# replaced the plan after it had left the window, any other message, and above the edge of the
# window the plan that has left it, and the rest.
PLAN, SHORT, OTHER, GHOST, REMOVED = "p", "s", "w", "g", "."
# What is known of a step, or of an item of a list: the files show it; only the list says that it is
# completed; the list says that it is in progress; it is open; it has vanished from the list.
SHOWN, CLAIMED, BEGUN, OPEN, VANISHED = "x", "o", ">", ".", "g"
STATUS = {"completed": CLAIMED, "in_progress": BEGUN, "pending": OPEN}
SIGNS = {"completed": "✓", "in_progress": "▸", "pending": "○"}  # of an item, in text


def find_letter(item: Mapping[str, Any], shown: Container[str]) -> str:
    """Return the letter of an item; `shown` are the steps that the files show as done."""
    letter = STATUS.get(item["status"], "?")
    return SHOWN if letter == CLAIMED and str(item.get("text")).casefold() in shown else letter


def find_sign(item: Mapping[str, Any]) -> str:
    """Return the sign of an item's status. A learner's list may have others."""
    return SIGNS.get(item["status"], "?")
