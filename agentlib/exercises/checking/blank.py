"""Tells a solution that has been begun from the bare cell that a learner starts with."""

import ast
import functools
import inspect
import textwrap
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import Any


class Empty:
    """What Python itself puts into a class."""


OF_PYTHON = {*vars(Empty), "__parameters__", "__orig_bases__"}
BESIDES = ("_abc_", "__annot", "__abstract")  # what Python adds to some classes begins so
CALLED = ("update", "check", "render", "line", "tool", "summary", "reminder", "__call__")


def is_blank(made: Any, given: Callable[..., Any] | None, core: Collection[str]) -> bool:
    """Whether there is nothing of the learner's own in `made`.

    `given` is a function that the bare cell has already. In a class that only puts others
    together, one of the methods in `core` must be written, if any are named.
    """
    if made is None or made is ...:
        return True
    with suppress(Exception):  # a class may refuse to be looked into, and still work
        if not isinstance(made, type):
            return inspect.isfunction(made) and is_stub(made, given)
        own = [one for one in made.__mro__ if not is_ours(one)]
        written = [list_written(one, given) for one in own]
        everything = set().union(*written)
        if not everything:
            return True
        puts_together = bool(core) and not written[0]
        return puts_together and everything.isdisjoint(core)
    return False


def is_ours(made: type) -> bool:
    """Whether a class comes with Python or with this package."""
    return made is object or str(made.__module__).startswith("agentlib.")


def list_written(made: type, given: Callable[..., Any] | None) -> set[str]:
    """The names in a class that the learner has written, and not only begun."""
    return {
        name
        for name, member in vars(made).items()
        if name not in OF_PYTHON and not name.startswith(BESIDES) and not is_stub(member, given)
    }


def is_stub(member: Any, given: Callable[..., Any] | None) -> bool:
    """Whether a function has nothing in it but `...`, `pass`, or `raise NotImplementedError`.

    Or what the function `given` has. Where there is no source to read, it is no stub.
    """
    if not inspect.isfunction(member):
        return False
    statements = read_statements(member)
    if given and statements and as_text(statements) == as_text(read_statements(given)):
        return True
    return bool(statements) and all(is_filler(one) for one in statements)


def read_statements(function: Callable[..., Any]) -> list[ast.stmt]:
    """What stands in a function, statement by statement; nothing where there is no source."""
    with suppress(OSError, SyntaxError, IndexError, TypeError):
        node = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return node.body
    return []


def as_text(statements: list[ast.stmt]) -> list[str]:
    """Each statement as text, however it was laid out."""
    return [ast.unparse(one) for one in statements]


def is_filler(statement: ast.stmt) -> bool:
    """Whether a statement only holds a place: a text, `...`, `pass`, `return None`."""
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Constant)
    text = ast.unparse(statement)
    return text in ("pass", "return", "return None") or text.startswith("raise NotImplemented")


def find_late_method(made: Any) -> str:
    """The name of a method that gives a coroutine or a generator, and not yet a value; or ""."""
    for name in CALLED:
        with suppress(Exception):
            if is_late(getattr(made, name, None)):
                return name
    return ""


def is_late(member: Any) -> bool:
    """Whether calling it gives a coroutine or a generator."""
    return (
        inspect.iscoroutinefunction(member)
        or inspect.isgeneratorfunction(member)
        or inspect.isasyncgenfunction(member)
    )


def is_callable_kind(made: Any) -> bool:
    """Whether a check can try it: a class, a function, or part of one."""
    return isinstance(made, (type, functools.partial)) or inspect.isroutine(made)


def describe_kind(made: Any) -> str:
    """What something is that is not a class: "a piece of text", "an object made from Todo"."""
    if isinstance(made, str):
        return "a piece of text"
    if isinstance(made, (int, float)):
        return "a number"
    if isinstance(made, (list, dict, tuple, set)):
        return f"a {type(made).__name__}"
    return f"an object made from {type(made).__name__}"
