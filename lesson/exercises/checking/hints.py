"""Add a sentence to an error or a value: its most frequent cause."""

import re
import textwrap
from typing import Any

from .expected import Raised

# By a pattern for the error that was raised. The first one that matches counts.
NOTES = {
    "^OutOfTimeError": "Is there a loop that never ends, or a sleep?",
    "^RecursionError": "A method calls itself forever. Use super() for the parent's method.",
    "^KeyError: '(id|text|status)'$": (
        "A model may leave this field out: use `item.get(…)`, or let `super().update(items)` check "
        "the list first, and read `self.items`."
    ),
    "^AttributeError: 'dict'": 'An item is a dict: write `item["status"]`, not `item.status`.',
    "^AttributeError: 'PriorityNag' object has no attribute 'items'": (
        "The list is in `self.todo`: write `self.todo.items`."
    ),
    r"^AttributeError: '(\w+Todo|PriorityNag)' object has no attribute": (
        "Attributes of `self` are created in `__init__`. Is this one there, and does your "
        "`__init__` call `super().__init__()`?"
    ),
    "'(int|float)' object is not callable": (
        "The clock has become a number. Pass the function: `clock=time.monotonic`, without "
        "parentheses."
    ),
    r"operand.*'(\w*Clock|function|builtin_function_or_method|method)'": (
        "A clock is a function: call it with `self.clock()`."
    ),
    "^TypeError: 'NoneType' object is not subscriptable": (
        "Did one of your methods return nothing? End it with a return."
    ),
    r"takes \d+ positional arguments? but|unexpected keyword|missing \d+ required positional": (
        "Compare the parameters with those of the parent's method. Is `self` the first one?"
    ),
}


def add_note(got: Any, expected: str, line: str, printed: str) -> str:
    """Return a sentence about what a trial `got` instead of what was `expected`, or "".

    `line` is the learner's line that was running, `printed` is what the trial printed.
    """
    problem = got.problem if isinstance(got, Raised) else None
    values = got if isinstance(got, list) else [got]
    if printed.strip() and (None in values or "NoneType" in str(problem) and not line):
        text = textwrap.shorten(printed, 60, placeholder="…")
        return f"Your code printed {text!r} but returned None: use return, not print."
    if problem is not None:
        text = f"{type(problem).__name__}: {problem}"
        return next((words for pattern, words in NOTES.items() if re.search(pattern, text)), "")
    if got is None and expected != "None":
        return "A function returns None if it ends without a return."
    return ""
