"""Add a sentence to an error or a value: its most frequent cause."""

import inspect
import re
import textwrap
from difflib import get_close_matches
from typing import Any

from .blank import list_functions, read_members

ENDLESS = "^RecursionError"
LEFT_OUT = "^KeyError: '(id|text|status)'$"
NO_ATTRIBUTE = r"^AttributeError: '\w+(Todo|Nag)' object has no attribute"
PARAMETERS = (
    r"takes .*\d+ positional arguments? but|unexpected keyword|missing \d+ required positional"
    r"|got multiple values for argument"
)
# By a pattern for the error that was raised. The first one that matches counts.
NOTES = {
    "^OutOfTimeError": "Is there a loop that never ends, or a sleep?",
    ENDLESS: "A function calls itself forever.",
    LEFT_OUT: "A model may leave this field out: use `item.get(…)`.",
    "^AttributeError: 'dict'": 'An item is a dict: write `item["status"]`, not `item.status`.',
    "^TypeError: 'Call' object is not subscriptable": "A call has attributes: `call.name`.",
    r"'\w+(Nag|Reminder)' object is not callable": (
        "A nag is called like a function: write `__call__(self, calls)`."
    ),
    "^TypeError: Missing required arguments": "Pass `**settings` on: it has model and max_tokens.",
    "^TypeError: Object of type Tool": "Send the specs: `[tool.spec for tool in tools]`.",
    "^TypeError: Object of type Call": "`call_tool` returns a Call. Its text is `.output`.",
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


def add_note(
    got: Any, problem: BaseException | None, made: Any, expected: str, line: str, printed: str
) -> str:
    """Return a sentence about what a trial `got` instead of what was `expected`, or "".

    `problem` is what the code raised, `made` the learner's class or function, `line` its line that
    was running, and `printed` is what the trial printed.
    """
    wants_error = "ValueError" in expected
    has_none = got is None or isinstance(got, list) and None in got
    if wants_error and printed.strip() and not isinstance(problem, ValueError):
        return f"Your code printed {shorten(printed)!r}: use raise, not print."
    if printed.strip() and (has_none or "NoneType" in str(problem) and not line):
        return f"Your code printed {shorten(printed)!r} but returned None: use return, not print."
    misspelled = find_misspelled(made, problem)
    if misspelled and (problem is None or isinstance(problem, AttributeError)):
        return misspelled
    if wants_error and problem is None:
        return "Your code raised nothing and returned this. To reject the list, use raise."
    if isinstance(problem, ValueError) and "raise " in line and not wants_error:
        return "Your code rejected something that is allowed: see the line."
    if problem is not None:
        return note_error(problem, made, line)
    if got is None and expected != "None" and not any(map(has_return, list_functions(made))):
        return "A function returns None if it ends without a return."
    return ""


def find_misspelled(made: Any, problem: BaseException | None) -> str:
    """Return a question about a name in the learner's class that nothing uses, or ""."""
    if not isinstance(made, type):
        return ""
    wanted = {name for cls in made.__mro__[1:-1] for name in vars(cls)} - set(vars(made))
    if isinstance(problem, AttributeError) and type(problem.obj) is made:
        wanted.add(str(problem.name))
    for name in read_members(made):
        close = get_close_matches(name.lower(), wanted, 1, 0.8)
        if close and name not in wanted:
            return f"Your class has `{name}`. Did you mean `{close[0]}`?"
    return ""


def note_error(problem: BaseException, made: Any, line: str) -> str:
    """Return a sentence about an error that was raised while `made` was tried, or ""."""
    if isinstance(problem, AttributeError) and type(problem.obj) is made and not line:
        return f"The test uses `{problem.name}`, which your class does not have."
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
