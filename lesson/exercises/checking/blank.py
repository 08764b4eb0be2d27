"""Tell a solution that a learner has begun from the cell that was given."""

import ast
import inspect
import re
import textwrap
from collections.abc import Callable, Collection
from typing import Any

CALLED = ("update", "check", "render", "line", "tool", "summary", "reminder", "__call__")
# Statements that do nothing yet: placeholders, docstrings, and the start of an `__init__`.
FILLER = re.compile(
    r"pass$|\.\.\.$|return( None)?$|raise NotImplemented|['\"]"
    r"|super\(\)\.__init__\(\)$|self\.(\w+) = \2$"
)


def is_blank(made: Any, core: Collection[str]) -> bool:
    """Return whether `made` contains nothing that the learner wrote.

    If `core` names methods, a class that only combines other classes must define one of them.
    """
    if made is None or made is ...:
        return True
    if not isinstance(made, type):
        return inspect.isfunction(made) and not is_written(made)
    own = [
        {name for name, member in read_members(cls).items() if is_written(member)}
        for cls in made.__mro__
        if not f"{cls.__module__}.".startswith(("agentlib.", "lesson.", "builtins."))
    ]
    written = set().union(*own)
    return not written or bool(core) and not own[0] and written.isdisjoint(core)


def read_members(cls: type) -> dict[str, Any]:
    """Return what was written in the body of a class, by name."""
    return {
        name: value
        for name, value in vars(cls).items()
        if not name.startswith(("__annotate", "_abc"))  # added by Python
        and (inspect.isfunction(value) or not name.startswith("__"))
    }


def is_written(member: Any) -> bool:
    """Return whether a member of a class, or a function, is more than a stub."""
    return not inspect.isfunction(member) or bool(list_statements(member))


def list_statements(function: Callable[..., Any]) -> list[str]:
    """Return a function's statements, without those that do nothing yet."""
    try:
        node: Any = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
        statements = [ast.unparse(one) for one in node.body]
    except (OSError, SyntaxError, IndexError, TypeError, AttributeError):
        return ["unreadable"]
    return [one for one in statements if not FILLER.match(one)]


def find_async(made: Any) -> str:
    """Return the name of a method that returns a coroutine or a generator; "" if there is none.

    A plain function may be a generator (a loop may yield its rounds), but not `async`.
    """
    if isinstance(made, type):
        for name in CALLED:
            method = getattr(made, name, None)
            if is_async(method) or inspect.isgeneratorfunction(method):
                return name
        return ""
    if inspect.isroutine(made):
        return made.__name__ if is_async(made) else ""
    return "__call__" if is_async(vars(type(made)).get("__call__")) else ""


def is_async(function: Any) -> bool:
    """Return whether a function is defined with `async def`."""
    return inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function)
