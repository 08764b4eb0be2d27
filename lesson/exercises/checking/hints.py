"""What a tutor would add to an error or a value: a word on what it most often comes from."""

import re
import textwrap
import traceback
from pathlib import Path
from typing import Any

from agentlib.nag import Nag

from .expected import Raised, message

EXERCISES = Path(__file__).parents[1]
A_CLOCK = "A clock is a function: `self.clock()` reads it."
NO_SELF = (
    "What a method finds in `self` is made in `__init__`: is it there, and does your `__init__` "
    "call `super().__init__()`?"
)
NOTES = {  # where it was raised ("": anywhere), a pattern in the line and the error, the words
    "": {
        r"sleep.*\nOutOfTimeError": "It sleeps too long.",
        "^OutOfTimeError": "Does a loop there never end?",
        r"\binput\(": "A method cannot ask a person: the model's items come as arguments.",
        "^SystemExit": "Your code ended the program. To refuse something, raise a ValueError.",
        "^RecursionError": "A method calls itself without end: for the parent's, say super().",
        "^NotImplementedError": "This part is still to be written.",
    },
    "own": {
        "^UnboundLocalError": "The name gets no value on some way through your code.",
        "^NameError": "Is it spelled right? Imports, too, go into your own cell.",
        r"\.pop\(.*\nKeyError": '`item["priority"]` reads a value; `pop` takes it out of the item.',
        "^KeyError: '(id|text|status)'$": (
            "A model may leave it out. In a TodoManager it is in `self.items`, after "
            "`super().update(items)`. Elsewhere, `.get(key)` asks without raising."
        ),
        "^KeyError": "Where a key may be missing, `.get(key)` asks without raising.",
        "^AttributeError: 'dict'": 'An item is a dict: write `item["status"]`, not `item.status`.',
        "^AttributeError: 'NoneType'": "It is None, and you took it for an object.",
        "^AttributeError: '.*(function|method)' object has no attribute 'now'": (
            "`self.clock()` reads any clock; only a Clock has `.now`."
        ),
        "'(int|float)' object is not callable": (
            "The clock has become a number. Pass the clock itself, without parentheses: "
            "`clock=time.monotonic`."
        ),
        r"operand.*'(\w*Clock|function|builtin_function_or_method|method)'": A_CLOCK,
        "operand.*datetime": "The clock's readings are numbers of seconds: subtract them.",
        "^TypeError.*NoneType": "It is None, and you took it for a value.",
    },
    "trial": {
        "^AttributeError": "What is asked for under Tried is not there. Is it spelled so?",
        "unexpected keyword argument|takes 1 positional argument but|takes 2 positional.* but 3": (
            "Does the first line of your `__init__` or method take `self`, and what it is given "
            "under Tried? Of several parents, each passes on what is not its own."
        ),
        "object is not callable": (
            "It is asked with parentheses, so it has to be a method, without `@property`."
        ),
    },
    "todo.py": {
        "not subscriptable": "Your `check` gave nothing back: end it with a return.",
        "'splitlines'": "Your `line` gave nothing back: end it with a return.",
        "'NoneType'.*'items'": (
            "Your `fields` is None. `update` changes a dict and returns None; `a | b` makes a dict."
        ),
        r"check\(\) takes": "`check` gets three: `(self, item, position)`.",
        r"takes \d+ positional arguments? but \d+ w": (
            "Is `self` its first argument, with one more for each value that it is given?"
        ),
        "": (
            "It was raised inside TodoManager, which goes by your `fields`: there, each field is "
            'described by a dict, such as {"type": "string"}, and id, text and status are still '
            "among them."
        ),
    },
    "nag.py": {
        "": "It was raised inside Nag, which calls `self.reminder()` without arguments.",
    },
}


def add_note(came: Any, expected: str, line: str, printed: str) -> str:
    """A sentence on what `came` instead of what was `expected`, or "".

    `line` is the learner's own that was at work, `printed` what the trial printed.
    """
    problem = came.problem if isinstance(came, Raised) else None
    if printed.strip() and is_nothing(came, problem):
        text = textwrap.shorten(printed, 60, placeholder="…")
        return f"Your code printed {text!r}, but gave nothing back: say return, not print."
    if problem is not None:
        return note_error(problem, line)
    if came is None and expected != "None":
        return "None is what a function gives back when no return is reached."
    return ""


def is_nothing(came: Any, problem: BaseException | None) -> bool:
    """Whether a None came, was among what came, or was used by the trial."""
    if problem is not None:
        return find_place(problem, "") == "trial" and "NoneType" in message(problem)
    return came is None or isinstance(came, list) and None in came


def note_error(problem: BaseException, line: str) -> str:
    """What to add to an error that was raised while the learner's `line` was at work."""
    if isinstance(problem, AttributeError) and is_asked_of_self(problem):
        is_list_of_nag = isinstance(problem.obj, Nag) and problem.name == "items"
        return "The list is in `self.todo`: write `self.todo.items`." if is_list_of_nag else NO_SELF
    place = find_place(problem, line)
    text = f"{line}\n{type(problem).__name__}: {message(problem)}"
    for pattern, words in [*NOTES[""].items(), *NOTES.get(place, {}).items()]:
        if re.search(pattern, text, re.MULTILINE):
            return words
    return ""


def find_place(problem: BaseException, line: str) -> str:
    """Where it was raised: "todo.py", "nag.py", by the learner's "own" line, or in the "trial"."""
    frames = traceback.extract_tb(problem.__traceback__)
    file = Path(frames[-1].filename) if frames else Path()
    if file.name in ("todo.py", "nag.py", "json_schema.py") and not isinstance(problem, ValueError):
        return "nag.py" if file.name == "nag.py" else "todo.py"
    if line:
        return "own"
    return "trial" if EXERCISES in file.parents else ""


def is_asked_of_self(problem: AttributeError) -> bool:
    """Whether an attribute was missing in what a method has as `self`."""
    *_, (frame, _) = traceback.walk_tb(problem.__traceback__)
    return problem.obj is not None and frame.f_locals.get("self") is problem.obj
