"""Add a sentence to an error or a value: its most frequent cause."""

import re
import textwrap
import traceback
from typing import Any

from agentlib.todo import TodoManager

from .blank import find_files
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
# Added if a parent of the class has this method ("" is the one that failed or was running).
OF_THE_PARENT = {
    ENDLESS: ("", "Use super() for the parent's method."),
    LEFT_OUT: (
        "update",
        "Or let `super().update(items)` check the list first, and read `self.items`.",
    ),
    NO_ATTRIBUTE: ("__init__", "Does your `__init__` call `super().__init__()`?"),
    PARAMETERS: ("", "Are they those of the parent's method?"),
}
LACKS_FIELDS = "`fields` lacks the parent's entries: write `fields = TodoManager.fields | {…}`."


def add_note(got: Any, made: Any, expected: str, line: str, printed: str) -> str:
    """Return a sentence about what a trial `got` instead of what was `expected`, or "".

    `made` is the learner's class or function, `line` is its line that was running, and `printed`
    is what the trial printed.
    """
    problem = got.problem if isinstance(got, Raised) else None
    values = got if isinstance(got, list) else [got]
    if printed.strip() and (None in values or "NoneType" in str(problem) and not line):
        text = textwrap.shorten(printed, 60, placeholder="…")
        return f"Your code printed {text!r} but returned None: use return, not print."
    if problem is not None:
        return note_error(problem, made)
    if got is None and expected != "None":
        return "A function returns None if it ends without a return."
    return ""


def note_error(problem: BaseException, made: Any) -> str:
    """Return a sentence about an error that was raised while `made` was tried, or ""."""
    text = f"{type(problem).__name__}: {problem}"
    pattern = next((pattern for pattern in NOTES if re.search(pattern, text)), "")
    files, places = find_files(made), traceback.extract_tb(problem.__traceback__)
    if pattern == LEFT_OUT and places[-1].filename not in files:
        return LACKS_FIELDS if lacks_fields(made) else ""
    note = NOTES.get(pattern, "")
    if pattern not in OF_THE_PARENT:
        return note
    method, more = OF_THE_PARENT[pattern]
    methods = {method} if method else set(re.findall(r"(\w+)\(\)", text))
    methods = methods or {place.name for place in places if place.filename in files}
    return f"{note} {more}" if has_parent(methods, made) else note


def lacks_fields(made: Any) -> bool:
    """Return whether a TodoManager has `fields` without some of the parent's."""
    is_list = isinstance(made, type) and issubclass(made, TodoManager)
    return is_list and not made.fields.keys() >= TodoManager.fields.keys()


def has_parent(methods: set[str], made: Any) -> bool:
    """Return whether a class has a parent, other than `object`, with one of these methods."""
    parents = made.__mro__[1:-1] if isinstance(made, type) else ()
    return any(name in vars(parent) for parent in parents for name in methods)
