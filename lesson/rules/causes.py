"""Name the likely cause of an exception or a wrong value, and what to do."""

import ast
import inspect
import re
import textwrap
import traceback
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any

from lesson.time_limit import Raised, show

from .restore import files_of, read_members

Causes = Iterable[tuple[str, str]]

OWN_ATTRIBUTE = (
    "Is a method misspelled, or an attribute not created in `__init__`? If you extend a class, "
    "your `__init__` must call `super().__init__(…)`."
)
MISSPELLED = "Is a method misspelled? `__init__` and `__call__` have two underscores on each side."
NOT_THERE = "The check looks for something that your code has not made: see what was tried."
RETURNED_NONE = "Your code returned None: is a `return` missing, or without a value?"
RETURNED_FUNCTION = "Your code returned a function or a class: write `()` after its name."
CALLED_BY_CHECKS = {"update", "render", "summary", "tool", "reminder"}

# For any part. The first pattern that is found counts.
GENERAL: Causes = (
    ("^OutOfTimeError", "An endless loop, or a sleep? It was stopped by the time limit."),
    ("^EOFError", "`input(…)` has nobody to answer it: take what you need from the arguments."),
    (
        "^KeyError: '(id|text|status|priority|activeForm)'$",
        "A model may leave this field out: use `item.get(…)`.",
    ),
    ("mappingproxy", "`fields` cannot be changed: write `fields = MyTodo.fields | {…}`."),
    ("'(Call|Tool)' .*subscriptable", 'This is no dict: write `.name`, not `["name"]`.'),
    (
        "'NoneType' .*'(append|extend)'",
        "This is None. Have you assigned the result of `append` to it?",
    ),
    (
        "^AttributeError: 'dict' .*'(add|append|extend)'",
        "This is a dict, which has no such method: `[]` is an empty list, `set()` an empty set.",
    ),
    ("^AttributeError: 'dict'", 'A field of a dict is read with `["name"]`, not with `.name`.'),
    (
        r"operand.*'(\w*Clock|function|builtin_function_or_method|method)'",
        "It is a function: call it, with `()` after its name. Or is `self.` missing before it?",
    ),
    (
        "'NoneType' object is not callable",
        "This is None: call an argument whose default is None only if it was given.",
    ),
    (
        "object is not callable",
        "This is a value and not a function. Have you given a function's name to a result? Then "
        "choose another name. Or is one `()` too many?",
    ),
    ("'(method|function)' object (is not|has no)", "Call it: write `()` after its name."),
    (
        r"^UnboundLocalError|^NameError",
        "This name has no value here. Is it misspelled, does `self.` stand before it in "
        "`__init__` alone, or is it a name of another cell?",
    ),
    ("coroutine|`async`", "Nothing awaits it: write `def` instead of `async def`."),
    (
        "positional argument|unexpected keyword|multiple values for|required keyword",
        "Compare the parameters with the arguments of the call. In a method, the first one is "
        "`self`.",
    ),
    (
        "^TypeError: '[<>]=?' not supported",
        "These two values cannot be compared: one of them is None, or a string and not a number.",
    ),
    (
        "^TypeError: 'NoneType' object is not (iterable|subscriptable)",
        "This is None: is a `return` missing in the function that made it?",
    ),
    ("object is not iterable", "`for` and `extend` need a list: for one element, use `append`."),
    (
        "^IndexError",
        "The list is shorter here than your code expects: it can have one element, or none.",
    ),
    ("^KeyError", "The dict has no such key. Is the key spelled as it is where the dict is made?"),
)


def explain(
    problem: BaseException, origin: BaseException, made: Any, printed: str, table: Causes = ()
) -> str:
    """Return a sentence about the cause, or "".

    `problem` is what a trial raised, and `origin` the exception of the learner's code that led to
    it, or the same. `made` is the learner's class or function, `printed` is what the trial
    printed, and `table` has the causes of this part.
    """
    got = getattr(problem, "got", problem)
    if printed.strip() and got is None:
        return f"Your code printed {textwrap.shorten(printed, 60)!r}: use `return`, not `print`."
    frames = [one.filename for one in traceback.extract_tb(origin.__traceback__)]
    is_own = not files_of(made).isdisjoint(frames)
    has_got = origin is problem and hasattr(problem, "got")
    text = f"Got: {show(got)}" if has_got else show(Raised(origin))
    if isinstance(owner := getattr(origin, "obj", None), dict):  # of an attribute that is not there
        text += f" (its keys: {', '.join(map(str, owner))})"
    note = getattr(problem, "note", "")
    if isinstance(problem, AssertionError) and not hasattr(problem, "got") and not is_own:
        note = str(problem)
    rows = (*table, *GENERAL)
    found = note or next((said for pattern, said in rows if re.search(pattern, text)), "")
    return found or explain_code(origin, made, is_own)


def explain_code(problem: BaseException, made: Any, is_own: bool) -> str:
    """Return a sentence about the cause that the learner's class or function shows, or ""."""
    if isinstance(made, type):
        name = re.escape(made.__name__)
        text = str(problem)
        if isinstance(getattr(problem, "obj", None), made):
            return OWN_ATTRIBUTE
        if re.search(rf"'{name}' object is not callable|{name}\(\) takes no arguments", text):
            return MISSPELLED
        if said := find_misspelled(made) or find_unused(made):
            return said
    got = getattr(problem, "got", problem)
    if got is None:
        return RETURNED_NONE
    if callable(got):
        return RETURNED_FUNCTION
    is_of_check = isinstance(problem, LookupError | AttributeError | TypeError) and not is_own
    return NOT_THERE if is_of_check else ""


def find_misspelled(made: type) -> str:
    """Return a question about a method with almost the name of an inherited one, or ""."""
    inherited = {name for cls in made.__mro__[1:-1] for name in vars(cls)}
    for name in read_members(made) if inherited else ():
        close = get_close_matches(name, inherited, 1, 0.8)
        if close and name not in inherited:
            return f"Your class has `{name}`. Did you mean `{close[0]}`?"
    return ""


def find_unused(made: type) -> str:
    """Return a question about a method that extends nothing and that nothing calls, or ""."""
    functions = [one for cls in made.__mro__ for one in vars(cls).values()]
    used = {name for one in functions if inspect.isfunction(one) for name in one.__code__.co_names}
    for name, value in read_members(made).items():
        is_new = inspect.isfunction(value) and not hasattr(made.__base__, name)
        if is_new and name not in used | CALLED_BY_CHECKS and not name.startswith("__"):
            return f"Nothing calls the method `{name}` of your class. Has it the right name?"
    return ""


def find_missing_body(made: Any, problem: BaseException) -> str:
    """Return a sentence if what is to be written is not begun yet, or "".

    That is: the code raises NotImplementedError, a function is `...` alone, or a class is empty.
    """
    if isinstance(problem, NotImplementedError):
        frames = traceback.extract_tb(problem.__traceback__)
        return f"Write `{frames[-1].name}` in its cell, run the cell, then run this check again."
    members = (
        read_members(made)
        if isinstance(made, type)
        else {made.__name__: made}
        if inspect.isfunction(made)
        else {"": 1}
    )
    empty = [name for name, value in members.items() if is_stub(value)]
    if empty or not members:
        named = empty[0] if empty else made.__name__
        return f"Write `{named}` in its cell, run the cell, then run this check again."
    return ""


def is_stub(value: Any) -> bool:
    """Return whether a function has no statement besides a docstring and `...`."""
    try:
        tree: Any = ast.parse(textwrap.dedent(inspect.getsource(value))).body[0]
        body = [one for one in tree.body if not is_docstring(one)]
    except (OSError, SyntaxError, IndexError, TypeError, AttributeError):
        return False  # no function, or one whose source cannot be read
    return all(ast.unparse(one) == "..." for one in body)


def is_docstring(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )
