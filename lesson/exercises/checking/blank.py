"""Tells a solution that has been begun from the bare cell that a learner starts with."""

import ast
import functools
import inspect
import re
import textwrap
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import Any

from .state import read_attributes

CALLED = ("update", "check", "render", "line", "tool", "summary", "reminder", "__call__")
FILLER = re.compile(r"pass$|\.\.\.$|return( None)?$|raise NotImplemented|['\"]")


def is_blank(made: Any, given: Callable[..., Any] | None, core: Collection[str]) -> bool:
    """Whether there is nothing of the learner's own in `made`.

    `given` is a function that the bare cell has already. In a class that only puts others
    together, one of the methods in `core` must be written, if any are named.
    """
    if made is None or made is ...:
        return True
    with suppress(Exception):  # a class may refuse to be looked into, and still work
        if not isinstance(made, type):
            return inspect.isfunction(made) and not is_written(made, given)
        own = [list_written(one, given) for one in made.__mro__ if not is_ours(one)]
        written = set().union(*own)
        if not written:
            return True
        return bool(core) and not own[0] and written.isdisjoint(core)
    return False


def is_ours(made: type) -> bool:
    """Whether a class comes with Python or with this package."""
    return made is object or str(made.__module__).startswith(("agentlib.", "lesson."))


def list_written(made: type, given: Callable[..., Any] | None) -> set[str]:
    """The names in a class that the learner has written, and not only begun."""
    return {name for name, member in read_attributes(made).items() if is_written(member, given)}


def is_written(member: Any, given: Callable[..., Any] | None) -> bool:
    """Whether a member of a class has more in it than a stub, or than the function `given`."""
    if not inspect.isfunction(member):
        return True
    known = list_statements(given) if given else set()
    return not list_statements(member) <= known


def list_statements(function: Callable[..., Any]) -> set[str]:
    """What a function does; what only holds a place (a text, `...`, `pass`) is left out."""
    try:
        node: Any = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
        statements = [ast.unparse(one) for one in node.body]
    except (OSError, SyntaxError, IndexError, TypeError, AttributeError):
        return {"what cannot be read"}
    return {one for one in statements if not FILLER.match(one)}


def find_late_method(made: Any) -> str:
    """The name of a method that gives a coroutine or a generator, and not yet a value; or ""."""
    kinds = (inspect.iscoroutinefunction, inspect.isgeneratorfunction, inspect.isasyncgenfunction)
    for name in CALLED:
        with suppress(Exception):  # a class may refuse to be looked into
            method = getattr(made, name, None)
            if any(is_kind(method) for is_kind in kinds):
                return name
    return ""


def is_callable_kind(made: Any) -> bool:
    """Whether a check can try it: a class, a function, or part of one."""
    return isinstance(made, (type, functools.partial)) or inspect.isroutine(made)


def describe_kind(made: Any) -> str:
    """What something is that is not a class: "a piece of text", "an object made from Todo"."""
    if isinstance(made, str):
        return "a piece of text"
    if isinstance(made, (int, float)):
        return "a number"
    kind = type(made).__name__
    return f"a {kind}" if type(made).__module__ == "builtins" else f"an object made from {kind}"
