"""What a tutor would add to an error or a value: a word on what it most often comes from."""

import ast
import datetime
import re
import textwrap
import traceback
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ...nag import Nag
from .timeout import OutOfTime

TRIED = "<tried>"  # the file name of the code that a check tries
OURS = (TRIED, "rule.py")

# An error's kind, a pattern in its message, the words.
REMARKS = (
    (OutOfTime, "", "It looks as if a loop never ends: what should end it?"),
    (SystemExit, "", "Your code ended the program. In a class, raise a ValueError instead of "
                     "exit()."),
    (NotImplementedError, "", "This part is still to be written."),
    (RecursionError, "", "A method calls itself without end. To call the parent's, say super()."),
    (UnboundLocalError, "", "On some way through your code this name is never given a value."),
    (NameError, "", "Is the name spelled right? All that your class needs, imports too, belongs "
                    "into its own cell."),
    (KeyError, "^'(id|text|status)'$", "A model may leave it out. What TodoManager has put right "
                                       "is in `self.items`, after `super().update(items)`."),
    (KeyError, "", "That dict has no such key. Where one may be missing, `.get(key)` asks without "
                   "raising."),
    (AttributeError, "^'dict'", 'An item is a dict: write `item["status"]`, not `item.status`.'),
    (AttributeError, "^'NoneType'", "Something there is None that you took for an object."),
    (TypeError, "NoneType", "Something there is None that you took for a value."),
    (TypeError, "'(int|float)' object is not callable", "It has become a number. Pass the clock "
        "itself, without parentheses: `clock=time.monotonic`."),
    (TypeError, r"operand.*'(\w*Clock|function|builtin_function_or_method|method)'",
     "A clock is a function: `self.clock()` reads it."),
    (TypeError, "operand.*datetime", "The clock's readings are numbers of seconds: they can be "
                                     "subtracted as they are, without datetime."),
)
ASKED = (
    (KeyError, "", "There is no such key in what your code gave."),
    (AttributeError, "", "There is no such method or attribute. Is it written, and spelled so?"),
    (TypeError, r"__init__\(\) got an unexpected keyword argument", "Its `__init__` does not take "
        "that. Is the argument called so? Of several parents, each passes on what is not its own: "
        "`def __init__(self, **more):` and `super().__init__(**more)`."),
    (TypeError, "object is not callable", "It is asked with parentheses, as shown under Tried: so "
        "it has to be a method, without `@property`."),
    (TypeError, "", "It is used as shown under Tried. Does yours take these arguments, and give "
                    "back what can be used so?"),
)
ARGUMENTS = (
    (TypeError, r"check\(\) takes", "`check` gets three: `(self, item, position)`."),
    (TypeError, r"takes \d+ positional arguments? but \d+ w", "Is `self` its first argument, with "
        "one more for each value that it is given?"),
)
NOTHING_BACK = (
    (TypeError, "'NoneType' object is not subscriptable", "Your `check` gave nothing back: end it "
                                                          "with `return clean`."),
    (AttributeError, "'NoneType'.*'splitlines'", "Your `line` gave nothing back: end it with a "
                                                 "return."),
)
CLOCK = "`self.clock()` reads any clock; only a Clock has `.now`."
NO_SELF = ("What a method finds in `self` is made in `__init__`: is it there, and does your "
           "`__init__` call `super().__init__()`?")
INSIDE = {
    "todo.py": ((Exception, "", "It was raised inside TodoManager, which goes by your `fields`: "
                                'there, each field is described by a dict, such as {"type": '
                                '"string"}, and id, text and status are still among them.'),),
    "nag.py": ((Exception, "", "It was raised inside Nag, which says `self.reminder()` without "
                               "arguments, and has its list in `self.todo`."),),
}


def error_remark(problem: BaseException | None, line: str) -> str:
    """What to add to an error: in the learner's code, in what was asked of it, or in ours."""
    place = raised_in(problem)
    wanted, missing = getattr(problem, "obj", None), getattr(problem, "name", "")
    if re.search(r"\binput\(", line):
        return "A method cannot ask a person: the model's items come as arguments."
    if line and isinstance(problem, KeyError) and ".pop(" in line:
        return 'To look at a value, read it: `item["priority"]`. `pop` takes it out of the item.'
    if isinstance(wanted, Nag) and missing == "items":
        return "A nag has its list in `self.todo`: write `self.todo.items`."
    if callable(wanted) and missing == "now":
        return CLOCK
    if place == "todo.py" and (said := fitting(NOTHING_BACK, problem)):
        return said
    if not line and (said := fitting(ARGUMENTS, problem)):
        return said
    if place in INSIDE and asked_of_self(problem):
        return NO_SELF
    if line or not isinstance(problem, Exception):
        remarks = REMARKS
    elif place in OURS:
        remarks = ASKED
    else:
        remarks = INSIDE.get(place, ()) if not isinstance(problem, ValueError) else ()
    said = fitting(remarks, problem)
    return NO_SELF if line and not said and asked_of_self(problem) else said


def asked_of_self(problem: BaseException | None) -> bool:
    """Whether an attribute was missing in what the method has as `self`."""
    if not isinstance(problem, AttributeError) or problem.obj is None:
        return False
    *_, (frame, _) = traceback.walk_tb(problem.__traceback__)
    return frame.f_locals.get("self") is problem.obj


def message(problem: BaseException | None) -> str:
    """What the exception says; "" where even that raises."""
    try:
        return str(problem)
    except Exception:
        return ""


def raised_in(problem: BaseException | None) -> str:
    """The name of the file in which it was raised."""
    frames = traceback.extract_tb(problem.__traceback__) if problem else []
    return Path(frames[-1].filename).name if frames else ""


def fitting(remarks: Iterable[tuple], problem: BaseException | None) -> str:
    """The words of the first of these `remarks` that fits, if any."""
    return next((words for kind, pattern, words in remarks
                 if isinstance(problem, kind) and re.search(pattern, message(problem))), "")


def nothing_back(came: Any, problem: BaseException | None, tried: str, printed: str) -> str:
    """What to add where a method that was `tried` gave None, having perhaps `printed` its answer.

    A None that was read from a dict is no such thing: there the last line is no bare call.
    """
    unused = "NoneType" in message(problem) and raised_in(problem) in OURS
    bare = came is None and not problem and isinstance(
        ast.parse(tried).body[-1].value, ast.Call)
    listed = isinstance(came, list) and None in came
    if printed.strip() and (bare or listed or unused):
        return (f"Your code printed {textwrap.shorten(printed, 60, placeholder='…')!r}, but gave "
                "nothing back: say return instead of print.")
    return "None is what a function gives back when no return is reached." if bare else ""


def value_remark(value: Any, expected: str) -> str:
    """What to add to a value of another kind than was `expected`, in words."""
    if isinstance(value, (datetime.timedelta, datetime.datetime)):
        kind = type(value).__name__
        method = "total_seconds" if kind == "timedelta" else "timestamp"
        return f"A number is wanted; this is a {kind}: `.{method}()` makes a number of it."
    if not re.fullmatch(r"-?[\d.]+|a number of seconds", expected):
        return ""
    if isinstance(value, str):
        return "That is text. A number has no quotes and no unit."
    if callable(value):
        return "A clock is a function: `self.clock()` reads it."
    return ""
