"""Tell a solution that a learner has begun from the cell that was given."""

import ast
import inspect
import re
import textwrap
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import Any

CALLED = ("update", "check", "render", "line", "tool", "summary", "reminder", "__call__")
FILLER = re.compile(r"pass$|\.\.\.$|return( None)?$|raise NotImplemented|['\"]")


def is_blank(made: Any, given: Callable[..., Any] | None, core: Collection[str]) -> bool:
    """Return whether `made` contains nothing that the learner wrote.

    `given` is a function that the cell contains from the start. If `core` names methods, a class
    that only combines other classes must define one of them.
    """
    if made is None or made is ...:
        return True
    with suppress(Exception):  # a metaclass may raise on any access
        if not isinstance(made, type):
            return inspect.isfunction(made) and not is_written(made, given)
        assert made.__mro__  # raises if the class cannot be inspected: then it is not blank
        own = [
            {name for name, member in read_members(cls).items() if is_written(member, given)}
            for cls in list_own_classes(made)
        ]
        written = set().union(*own)
        if not written:
            return True
        return bool(core) and not own[0] and written.isdisjoint(core)
    return False


def list_own_classes(made: Any) -> list[type]:
    """Return the learner's classes that `made` consists of: itself and its parents."""
    with suppress(Exception):  # a metaclass may raise on any access
        ours = ("agentlib.", "lesson.", "builtins")
        return [cls for cls in made.__mro__ if not f"{cls.__module__}.".startswith(ours)]
    return []


def read_members(cls: type) -> dict[str, Any]:
    """Return what was written in the body of a class, by name."""
    with suppress(Exception):  # a metaclass may raise on any access
        return {
            name: value
            for name, value in vars(cls).items()
            if not name.startswith(("__annotate", "_abc"))
            and (inspect.isfunction(value) or not name.startswith("__"))
        }
    return {}


def is_written(member: Any, given: Callable[..., Any] | None) -> bool:
    """Return whether a member is more than a stub, and more than the function `given`."""
    if not inspect.isfunction(member):
        return True
    known = list_statements(given) if given else set()
    return not list_statements(member) <= known


def list_statements(function: Callable[..., Any]) -> set[str]:
    """Return a function's statements, without placeholders (`...`, `pass`, a docstring)."""
    try:
        node: Any = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
        statements = [ast.unparse(one) for one in node.body]
    except (OSError, SyntaxError, IndexError, TypeError, AttributeError):
        return {"unreadable"}
    return {one for one in statements if not FILLER.match(one)}


def find_async(made: Any) -> str:
    """Return the name of a method that returns a coroutine or a generator; "" if there is none.

    A plain function may be a generator (a loop may yield its rounds), but not `async`.
    """
    if not isinstance(made, type):
        is_async = inspect.iscoroutinefunction(made) or inspect.isasyncgenfunction(made)
        return made.__name__ if is_async else ""
    kinds = (inspect.iscoroutinefunction, inspect.isgeneratorfunction, inspect.isasyncgenfunction)
    for name in CALLED:
        with suppress(Exception):  # a metaclass may raise on any access
            if any(is_kind(getattr(made, name, None)) for is_kind in kinds):
                return name
    return ""


def describe_kind(made: Any) -> str:
    """Return words for a value that should be a class: "a string", "an object of class Todo"."""
    if isinstance(made, str):
        return "a string"
    if isinstance(made, (int, float)):
        return "a number"
    kind = type(made).__name__
    return f"a {kind}" if type(made).__module__ == "builtins" else f"an object of class {kind}"
