"""Add a sentence to an error or a value: its most frequent cause."""

import re
import textwrap
import traceback
from typing import Any

from .expected import Raised

# By a pattern for the learner's line and the error below it. The first one that matches counts.
NOTES = {
    "^OutOfTimeError": "Is there a loop that never ends, or a sleep?",
    "^SystemExit": "Your code ended the program. To reject something, raise a ValueError.",
    "^RecursionError": "A method calls itself forever. Use super() for the parent's method.",
    r"\.pop\(.*\nKeyError": '`item["priority"]` reads a value; `pop` removes it from the item.',
    "^KeyError: '(id|text|status)'$": (
        "A model may leave this field out: use `item.get(…)`, or let `super().update(items)` check "
        "the list first, and read `self.items`."
    ),
    "^AttributeError: 'dict'": 'An item is a dict: write `item["status"]`, not `item.status`.',
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
    r"'NoneType' object has no attribute 'splitlines'": (
        "Your `line` returned nothing. End it with a return."
    ),
    r"takes \d+ positional arguments? but|unexpected keyword|missing \d+ required positional": (
        "Compare the parameters with those of the parent's method. Is `self` the first one?"
    ),
}
IN_TODO = "The list is in `self.todo`: write `self.todo.items`."
NO_SELF = (
    "Attributes of `self` are created in `__init__`. Is this one there, and does your `__init__` "
    "call `super().__init__()`?"
)


def add_note(got: Any, expected: str, line: str, printed: str) -> str:
    """Return a sentence about what a trial `got` instead of what was `expected`, or "".

    `line` is the learner's line that was running, `printed` is what the trial printed.
    """
    problem = got.problem if isinstance(got, Raised) else None
    has_none = got is None or isinstance(got, list) and None in got
    if printed.strip() and (has_none or "NoneType" in str(problem) and not line):
        text = textwrap.shorten(printed, 60, placeholder="…")
        return f"Your code printed {text!r} but returned None: use return, not print."
    if problem is not None:
        return note_error(problem, line)
    if got is None and expected != "None":
        return "A function returns None if it ends without a return."
    return ""


def note_error(problem: BaseException, line: str) -> str:
    """Return a sentence about an error that was raised while the learner's `line` was running."""
    text = f"{line}\n{type(problem).__name__}: {problem}"
    for pattern, words in NOTES.items():
        if re.search(pattern, text, re.MULTILINE):
            return words
    if not isinstance(problem, AttributeError) or problem.obj is None:
        return ""
    *_, (frame, _) = traceback.walk_tb(problem.__traceback__)
    if frame.f_locals.get("self") is not problem.obj:
        return ""
    is_list_of_nag = problem.name == "items" and hasattr(problem.obj, "todo")
    return IN_TODO if is_list_of_nag else NO_SELF
