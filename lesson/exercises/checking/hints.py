"""Add a sentence to an error or a value: its most frequent cause."""

import re
import textwrap
import traceback
from pathlib import Path
from typing import Any

from agentlib.nag import Nag

from .expected import Raised, message

EXERCISES = Path(__file__).parents[1]
NO_SELF = (
    "Attributes of `self` are created in `__init__`. Is this one there, and does your `__init__` "
    "call `super().__init__()`?"
)
# By place of the error ("": anywhere): a pattern for the line and the error, then the note.
NOTES = {
    "": {
        r"sleep.*\nOutOfTimeError": "It sleeps too long.",
        "^OutOfTimeError": "Is there a loop that never ends?",
        "^SystemExit": "Your code ended the program. To reject something, raise a ValueError.",
        "^RecursionError": "A method calls itself forever. Use super() for the parent's method.",
    },
    "own": {
        "^NameError": "Check the spelling. If it is an import, repeat it in this cell.",
        r"\.pop\(.*\nKeyError": '`item["priority"]` reads a value; `pop` removes it from the item.',
        "^KeyError: '(id|text|status)'$": (
            "A model may leave this field out. After `super().update(items)`, `self.items` has it."
        ),
        "^AttributeError: 'dict'": 'An item is a dict: write `item["status"]`, not `item.status`.',
        "object has no attribute 'now'": "`self.clock()` reads any clock; only a Clock has `.now`.",
        "'(int|float)' object is not callable": (
            "The clock has become a number. Pass the function: `clock=time.monotonic`, without "
            "parentheses."
        ),
        r"operand.*'(\w*Clock|function|builtin_function_or_method|method)'": (
            "A clock is a function: call it with `self.clock()`."
        ),
    },
    "trial": {
        "^AttributeError": "This name is not defined in your code. Check the spelling.",
        "unexpected keyword argument|positional argument.* but": (
            "Does the method accept `self` and the arguments of the test? With several parent "
            "classes, each passes on the arguments that it does not use."
        ),
        "object is not callable": "The test calls it, so it must be a method without `@property`.",
    },
    "todo.py": {
        "not subscriptable": "Your `check` returned nothing. End it with a return.",
        "'splitlines'": "Your `line` returned nothing. End it with a return.",
        r"check\(\) takes": "`check` has three parameters: `(self, item, position)`.",
        r"takes \d+ positional arguments? but \d+ w": "Is `self` the first parameter?",
        "": (
            "TodoManager raised this while it used your `fields`. Each field needs a dict such as "
            '{"type": "string"}, and id, text and status must still be there.'
        ),
    },
    "nag.py": {"": "Nag calls `self.reminder()` without arguments."},
}


def add_note(got: Any, expected: str, line: str, printed: str) -> str:
    """Return a sentence about what a trial `got` instead of what was `expected`, or "".

    `line` is the learner's line that was running, `printed` is what the trial printed.
    """
    problem = got.problem if isinstance(got, Raised) else None
    if printed.strip() and is_nothing(got, problem):
        text = textwrap.shorten(printed, 60, placeholder="…")
        return f"Your code printed {text!r} but returned None: use return, not print."
    if problem is not None:
        return note_error(problem, line)
    if got is None and expected != "None":
        return "A function returns None if it ends without a return."
    return ""


def is_nothing(got: Any, problem: BaseException | None) -> bool:
    """Return whether the result is None, contains None, or failed because of a None."""
    if problem is not None:
        return find_place(problem, "") == "trial" and "NoneType" in message(problem)
    return got is None or isinstance(got, list) and None in got


def note_error(problem: BaseException, line: str) -> str:
    """Return a sentence about an error that was raised while the learner's `line` was running."""
    if isinstance(problem, AttributeError) and is_missing_in_self(problem):
        is_list_of_nag = isinstance(problem.obj, Nag) and problem.name == "items"
        return "The list is in `self.todo`: write `self.todo.items`." if is_list_of_nag else NO_SELF
    place = find_place(problem, line)
    text = f"{line}\n{type(problem).__name__}: {message(problem)}"
    for pattern, words in [*NOTES[""].items(), *NOTES.get(place, {}).items()]:
        if re.search(pattern, text, re.MULTILINE):
            return words
    return ""


def find_place(problem: BaseException, line: str) -> str:
    """Return the place of the error: "todo.py", "nag.py", the learner's "own" line, the "trial"."""
    frames = traceback.extract_tb(problem.__traceback__)
    file = Path(frames[-1].filename) if frames else Path()
    if file.name in ("todo.py", "nag.py", "json_schema.py") and not isinstance(problem, ValueError):
        return "nag.py" if file.name == "nag.py" else "todo.py"
    if line:
        return "own"
    return "trial" if EXERCISES in file.parents else ""


def is_missing_in_self(problem: AttributeError) -> bool:
    """Return whether a method read an attribute of `self` that does not exist."""
    *_, (frame, _) = traceback.walk_tb(problem.__traceback__)
    return problem.obj is not None and frame.f_locals.get("self") is problem.obj
