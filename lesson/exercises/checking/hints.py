"""Add a sentence to an error or a value: its most frequent cause."""

import inspect
import re
import textwrap
from difflib import get_close_matches
from typing import Any

from .blank import list_functions
from .expected import Raised

ENDLESS = "^RecursionError"
LEFT_OUT = "^KeyError: '(id|text|status)'$"
NO_ATTRIBUTE = r"^AttributeError: '\w+(Todo|Nag)' object has no attribute"
PARAMETERS = (
    r"takes \d+ positional arguments? but|unexpected keyword|missing \d+ required positional"
)
# By a pattern for the error that was raised. The first one that matches counts.
NOTES = {
    "^OutOfTimeError": "Is there a loop that never ends, or a sleep?",
    ENDLESS: "A function calls itself forever.",
    LEFT_OUT: "A model may leave this field out: use `item.get(…)`.",
    "^AttributeError: 'dict'": 'An item is a dict: write `item["status"]`, not `item.status`.',
    "^TypeError: 'Call' object is not subscriptable": "A call has attributes: `call.name`.",
    "^AttributeError: 'PriorityNag' object has no attribute 'items'": (
        "The list is in `self.todo`: write `self.todo.items`."
    ),
    NO_ATTRIBUTE: "Attributes of `self` are created in `__init__`. Is this one there?",
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
    PARAMETERS: (
        "Compare the parameters with the arguments of the call. In a method, the first one is "
        "`self`."
    ),
}
# Added if the class has a parent.
OF_THE_PARENT = {
    ENDLESS: "`super()` calls the parent's method.",
    LEFT_OUT: (
        "Or read `self.items` after `super().update(items)`, which fills it in. If you have "
        "written `fields`, begin with the parent's: `TodoManager.fields | {…}`."
    ),
    NO_ATTRIBUTE: "Does your `__init__` call `super().__init__()`?",
    PARAMETERS: "Are they those of the parent's method?",
}


def add_note(got: Any, made: Any, expected: str, line: str, printed: str) -> str:
    """Return a sentence about what a trial `got` instead of what was `expected`, or "".

    `made` is the learner's class or function, `line` is its line that was running, and `printed`
    is what the trial printed.
    """
    problem = got.problem if isinstance(got, Raised) else None
    values = got if isinstance(got, list) else [got]
    wants_error = "ValueError" in expected
    if wants_error and printed.strip() and not isinstance(problem, ValueError):
        return f"Your code printed {shorten(printed)!r}: use raise, not print."
    if problem is None and wants_error and isinstance(got, str) and "error" in got.lower():
        return "Your code returned this message: use raise, not return."
    if printed.strip() and (None in values or "NoneType" in str(problem) and not line):
        return f"Your code printed {shorten(printed)!r} but returned None: use return, not print."
    if isinstance(problem, ValueError) and "raise " in line and not wants_error:
        return "Your code rejected something that is allowed: see the line."
    if problem is not None:
        return note_error(problem, made)
    if got is None and expected != "None" and not any(map(has_return, list_functions(made))):
        return "A function returns None if it ends without a return."
    return ""


def note_error(problem: BaseException, made: Any) -> str:
    """Return a sentence about an error that was raised while `made` was tried, or ""."""
    if isinstance(problem, AttributeError) and isinstance(made, type):
        close = get_close_matches(str(problem.name).lower(), map(str.lower, vars(made)), 1, 0.8)
        spelled = [name for name in vars(made) if name.lower() in close]
        if spelled and type(problem.obj) is made:
            return f"Your class has `{spelled[0]}`. Did you mean `{problem.name}`?"
    text = f"{type(problem).__name__}: {problem}"
    pattern = next((pattern for pattern in NOTES if re.search(pattern, text)), "")
    has_parent = isinstance(made, type) and len(made.__mro__) > 2
    more = OF_THE_PARENT.get(pattern, "") if has_parent else ""
    return f"{NOTES.get(pattern, '')} {more}".strip()


def has_return(function: Any) -> bool:
    """Return whether a function has a return statement with a value."""
    try:
        return re.search(r"\breturn\b *\S", inspect.getsource(function)) is not None
    except (OSError, TypeError):
        return False


def shorten(printed: str) -> str:
    """Return the beginning of what was printed."""
    return textwrap.shorten(printed, 60, placeholder="…")
