"""What a tutor would add to an error or a value: a word on what it most often comes from."""

import re
import textwrap
import traceback
from pathlib import Path
from typing import Any

from .attempt import OutOfTime

TRIED = "<tried>"  # the file name of the code that a check tries

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
    (KeyError, "", "That dict has no such key. Where one may be missing, `.get(key)` asks without "
                   "raising."),
    (AttributeError, "^'dict'", 'An item is a dict: write `item["status"]`, not `item.status`.'),
    (AttributeError, "^'NoneType'", "Something there is None that you took for an object."),
    (AttributeError, "", "What a method finds in `self` is made in `__init__`: is it there, and "
                         "does your `__init__` call `super().__init__()`?"),
    (TypeError, "NoneType", "Something there is None that you took for a value."),
)
ASKED = (
    (KeyError, "", "There is no such key in what your code gave."),
    (AttributeError, "", "There is no such method or attribute. Is it written, and spelled so?"),
    (TypeError, "", "It is used as shown under Tried. Does yours take these arguments, and give "
                    "back what can be used so?"),
)
INSIDE = {
    "todo.py": ((Exception, "", "It was raised inside TodoManager, which goes by your `fields`: "
                                'there, each field is described by a dict, such as {"type": '
                                '"string"}, and id, text and status are still among them.'),),
    "nag.py": ((Exception, "", "It was raised inside Nag, which says `self.reminder()` without "
                               "arguments, and has its list in `self.todo`."),),
}


def error_remark(problem: BaseException | None, line: str) -> str:
    """What to add to an error: in the learner's code, in what was asked of it, or in ours."""
    frames = traceback.extract_tb(problem.__traceback__) if problem else []
    last = Path(frames[-1].filename) if frames else Path()
    if line or not isinstance(problem, Exception):
        remarks = REMARKS
    elif last.name in (TRIED, "rules.py"):
        remarks = ASKED
    else:
        remarks = INSIDE.get(last.name, ()) if not isinstance(problem, ValueError) else ()
    return next((words for kind, pattern, words in remarks
                 if isinstance(problem, kind) and re.search(pattern, str(problem))), "")


def value_remark(value: Any, expected: str, printed: str) -> str:
    """What to add to a value that is not what was `expected`, in words; `printed` came besides."""
    if value is None and printed.strip():
        return (f"Your code printed {textwrap.shorten(printed, 60, placeholder='…')!r}, but gave "
                "nothing back: say return instead of print.")
    if value is None and expected != "None":
        return "None is what a function gives back when no return is reached."
    if isinstance(value, str) and re.fullmatch(r"-?[\d.]+", expected):
        return "That is text. A number has no quotes and no unit."
    return ""
