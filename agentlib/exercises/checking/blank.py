"""Tells a solution that has been begun from the bare cell that a learner starts with."""

import dis
import functools
import inspect
from collections.abc import Collection, Iterable
from contextlib import suppress
from typing import Any

from .result import Result
from .rule import Rule

QUIET = {"RESUME", "NOP", "LOAD_CONST", "RETURN_CONST", "RETURN_VALUE", "CACHE"}
GIVEN = {"super", "__init__", "clock"}
CALLED = ("update", "check", "render", "line", "tool", "summary", "reminder", "__call__")
BESIDES = {"__module__", "__qualname__", "__doc__", "__dict__", "__weakref__", "__annotations__",
           "__firstlineno__", "__static_attributes__", "__annotate_func__", "__annotations_cache__",
           "__parameters__", "__orig_bases__", "__abstractmethods__", "_abc_impl"}


def not_begun(
    subject: str, made: Any, rules: Iterable[Rule], core: Collection[str] = (),
) -> Result | None:
    """The Result for a cell in which there is nothing yet, or nothing that can be checked.

    None where there is something to check. In a class that only puts others together, one of
    the methods in `core` must be written, if any are named.
    """
    rules = tuple(rules)
    empty, late = False, []
    with suppress(Exception):  # a class may refuse to be looked into, and still work
        empty = blank(made, core)
        late = [name for name in CALLED if gives_late(getattr(made, name, None))]
    if empty:
        return Result(subject, rules, begun=False, note=(
            f"{subject}: nothing there yet, and that is fine. What it should do is listed above "
            "its cell. Write it there, run that cell, then the check again. If you have written "
            f"it: is it called {subject}, and did you run its cell?"))
    if not (isinstance(made, (type, functools.partial)) or inspect.isroutine(made)):
        return Result(subject, rules, note=(
            f"{subject}: not yet. This check wants the class itself, and got {kind(made)}. "
            f"Write `class {subject}…:` in its cell, and give the check the bare name, without "
            "quotes and without parentheses."))
    if late:
        return Result(subject, rules, note=(
            f"{subject}: not yet. Its `{late[0]}` is called and must give its value at once: write "
            "`def` without `async`, and `return` instead of `yield`."))
    return None


def gives_late(member: Any) -> bool:
    """Whether calling it gives a coroutine or a generator, and not yet a value."""
    return inspect.iscoroutinefunction(member) or inspect.isgeneratorfunction(member) or (
        inspect.isasyncgenfunction(member))


def kind(made: Any) -> str:
    """What something is that is no class: "a piece of text", "an object made from Todo"."""
    if isinstance(made, str):
        return "a piece of text"
    if isinstance(made, (int, float)):
        return "a number"
    if isinstance(made, (list, dict, tuple, set)):
        return f"a {type(made).__name__}"
    return f"an object made from {type(made).__name__}"


def blank(made: Any, core: Collection[str] = ()) -> bool:
    """Whether there is nothing of the learner's own in `made`, or nothing of the `core`."""
    if made is None or made is ...:
        return True
    if not isinstance(made, type):
        return inspect.isfunction(made) and stub(made)
    own = [one for one in made.__mro__
           if one is not object and not str(one.__module__).startswith("agentlib.")]
    written = [{name for name, member in vars(one).items()
                if name not in BESIDES and not stub(member)} for one in own]
    every = set().union(*written)
    return not every or bool(core) and not written[0] and every.isdisjoint(core)


def stub(member: Any) -> bool:
    """Whether a function has nothing in it but `...`, `pass`, or `raise NotImplementedError`.

    Nor is there anything in the `__init__` that the stretch begins with.
    """
    function = inspect.unwrap(getattr(member, "__func__", member))
    if not inspect.isfunction(function):
        return False
    code = function.__code__
    if function.__name__ == "__init__" and "clock" in set(code.co_names) <= GIVEN:
        return True
    only_raises = code.co_names == ("NotImplementedError",) and len(list(
        dis.get_instructions(code))) < 12
    simple = {step.opname for step in dis.get_instructions(code)} <= QUIET
    constants = set(code.co_consts) <= {None, ..., function.__doc__}
    return only_raises or simple and constants
