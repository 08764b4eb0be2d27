"""What a tutor would add to an error or a value: a word on what it most often comes from."""

import re
import textwrap
import traceback
from pathlib import Path
from typing import Any

from ...nag import Nag
from .expected import Raised, message
from .timeout import OutOfTimeError

EXERCISES = Path(__file__).parents[1]
Notes = tuple[tuple[str, str], ...]  # a pattern in "KeyError: 'id'", and the words

NO_SELF = (
    "What a method finds in `self` is made in `__init__`: is it there, and does your `__init__` "
    "call `super().__init__()`?"
)
ANYWHERE: Notes = (
    ("^SystemExit", "Your code ended the program. To refuse something, raise a ValueError."),
    ("^RecursionError", "A method calls itself without end. To call the parent's, say super()."),
    ("^NotImplementedError", "This part is still to be written."),
)
IN_OWN_CODE: Notes = (
    ("^UnboundLocalError", "On some way through your code this name is never given a value."),
    ("^NameError", "Is it spelled right? All that your code needs, imports too, goes in its cell."),
    (
        "^KeyError: '(id|text|status)'$",
        "A model may leave it out. What TodoManager has put right is in `self.items`, after "
        "`super().update(items)`.",
    ),
    ("^KeyError", "Where a key may be missing, `.get(key)` asks without raising."),
    ("^AttributeError: 'dict'", 'An item is a dict: write `item["status"]`, not `item.status`.'),
    ("^AttributeError: 'NoneType'", "Something there is None that you took for an object."),
    (
        "'(int|float)' object is not callable",
        "The clock has become a number. Pass the clock itself, without parentheses: "
        "`clock=time.monotonic`.",
    ),
    (
        r"operand.*'(\w*Clock|function|builtin_function_or_method|method)'",
        "A clock is a function: `self.clock()` reads it.",
    ),
    ("operand.*datetime", "The clock's readings are numbers of seconds: subtract them."),
    ("^TypeError.*NoneType", "Something there is None that you took for a value."),
)
IN_THE_TRIAL: Notes = (
    ("^AttributeError", "What is asked for under Tried is not there. Is it spelled so?"),
    (
        r"unexpected keyword argument|takes 1 positional argument but|takes 2 positional.* but 3",
        "Does the first line of your `__init__` or method take `self`, and what it is given under "
        "Tried? Of several parents, each passes on what is not its own.",
    ),
    (
        "object is not callable",
        "It is asked with parentheses, so it has to be a method, without `@property`.",
    ),
)
IN_THE_PARENT: dict[str, Notes] = {
    "todo.py": (
        ("not subscriptable", "Your `check` gave nothing back: end it with a return."),
        ("'splitlines'", "Your `line` gave nothing back: end it with a return."),
        (
            "'NoneType'.*'items'",
            "Your `fields` is None. `update` changes a dict and returns None; `a | b` makes a new "
            "dict.",
        ),
        (r"check\(\) takes", "`check` gets three: `(self, item, position)`."),
        (
            r"takes \d+ positional arguments? but \d+ w",
            "Is `self` its first argument, with one more for each value that it is given?",
        ),
        (
            "",
            "It was raised inside TodoManager, which goes by your `fields`: there, each field is "
            'described by a dict, such as {"type": "string"}, and id, text and status are still '
            "among them.",
        ),
    ),
    "nag.py": (
        (
            "",
            "It was raised inside Nag, which calls `self.reminder()` without arguments, and has "
            "its list in `self.todo`.",
        ),
    ),
}


def add_note(came: Any, expected: str, line: str, printed: str) -> str:
    """A sentence on what `came` instead of what was `expected`, or "".

    `line` is the learner's own that was at work, `printed` what the trial printed.
    """
    problem = came.problem if isinstance(came, Raised) else None
    if has_printed_answer(came, problem, printed):
        text = textwrap.shorten(printed, 60, placeholder="…")
        return f"Your code printed {text!r}, but gave nothing back: say return, not print."
    if problem is not None:
        return note_error(problem, line)
    if came is None and expected != "None":
        return "None is what a function gives back when no return is reached."
    return ""


def has_printed_answer(came: Any, problem: BaseException | None, printed: str) -> bool:
    """Whether a None came, or was used by the trial, although something was printed."""
    if not printed.strip():
        return False
    is_listed = isinstance(came, list) and None in came
    is_used = is_raised_in_trial(problem) and "NoneType" in message(problem)
    return came is None or is_listed or is_used


def note_error(problem: BaseException, line: str) -> str:
    """What to add to an error: in the learner's code, in the trial, or in the parent's."""
    if isinstance(problem, OutOfTimeError):
        return "It sleeps too long." if "sleep" in line else "Does a loop there never end?"
    if isinstance(getattr(problem, "obj", None), Nag) and getattr(problem, "name", "") == "items":
        return "A nag has its list in `self.todo`: write `self.todo.items`."
    if re.search(r"\binput\(", line):
        return "A method cannot ask a person: the model's items come as arguments."
    if isinstance(problem, KeyError) and ".pop(" in line:
        return 'To look at a value, read it: `item["priority"]`. `pop` takes it out of the item.'
    if isinstance(problem, AttributeError) and callable(problem.obj) and problem.name == "now":
        return "`self.clock()` reads any clock; only a Clock has `.now`."
    if is_asked_of_self(problem):
        return NO_SELF
    return find_note(ANYWHERE, problem) or find_note(choose_notes(problem, line), problem)


def choose_notes(problem: BaseException, line: str) -> Notes:
    """The notes for the place where it was raised."""
    place = raised_in(problem)
    if place.name in IN_THE_PARENT and not isinstance(problem, ValueError):
        return IN_THE_PARENT[place.name]
    if line:
        return IN_OWN_CODE
    return IN_THE_TRIAL if is_raised_in_trial(problem) else ()


def is_asked_of_self(problem: BaseException) -> bool:
    """Whether an attribute was missing in what a method has as `self`."""
    if not isinstance(problem, AttributeError) or problem.obj is None:
        return False
    *_, (frame, _) = traceback.walk_tb(problem.__traceback__)
    return frame.f_locals.get("self") is problem.obj


def raised_in(problem: BaseException | None) -> Path:
    """The file in which it was raised."""
    frames = traceback.extract_tb(problem.__traceback__) if problem else []
    return Path(frames[-1].filename) if frames else Path()


def is_raised_in_trial(problem: BaseException | None) -> bool:
    """Whether the trial itself raised it, with what the learner's code gave."""
    return EXERCISES in raised_in(problem).parents


def find_note(notes: Notes, problem: BaseException) -> str:
    """The words of the first of these `notes` that fits, if any."""
    text = f"{type(problem).__name__}: {message(problem)}"
    return next((words for pattern, words in notes if re.search(pattern, text)), "")
