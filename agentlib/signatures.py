"""Call any loop, such as a learner's, which may take fewer arguments than the package's."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from dis import get_instructions
from inspect import Parameter, isasyncgen, iscoroutine, unwrap
from typing import Any

from safetylib.guard.signatures import signature

from .tools import Tool

BY_NAME = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)


def has_parameter(function: Callable[..., Any], name: str) -> bool:
    """Return whether a function or a class takes an argument of this name.

    `**settings` does not count: a loop sends them to the API, which rejects unknown fields.
    """
    with suppress(TypeError, ValueError):  # a callable without a signature
        parameter = signature(function).parameters.get(name)
        return parameter is not None and parameter.kind in BY_NAME
    return False


def uses_remind(loop: Callable[..., Any]) -> bool:
    """Return whether a loop takes `remind` and reads it.

    The loop of the first exercise takes it, and does not use it yet.
    """
    if not has_parameter(loop, "remind"):
        return False
    code = getattr(unwrap(loop), "__code__", None)
    if code is None:  # it is not written in Python
        return True
    if "remind" in code.co_cellvars:  # a function inside the loop reads it
        return True
    for instruction in get_instructions(code):
        names = instruction.argval  # a tuple if the instruction reads two variables
        if not isinstance(names, tuple):
            names = (names,)
        if "LOAD_FAST" in instruction.opname and "remind" in names:
            return True
    return False


def call_loop(
    loop: Callable[..., Any],
    client: Any,
    messages: list[dict[str, Any]],
    tools: Iterable[Tool],
    remind: Any = None,
    **settings: Any,
) -> None:
    """Call any loop and run it to its end, even if it yields. Other results are ignored.

    A loop that does not take `remind` is called without it. Errors of the loop are not caught.
    Raise TypeError if the loop is `async`.
    """
    if remind is not None and has_parameter(loop, "remind"):
        settings["remind"] = remind
    exhaust(loop(client, messages, list(tools), **settings))


def exhaust(result: Any) -> None:
    """Run a generator to its end. Raise TypeError for a coroutine; another value is ignored."""
    if iscoroutine(result) or isasyncgen(result):
        if iscoroutine(result):
            result.close()  # Python warns about a coroutine that nothing awaits.
        raise TypeError("a call of a function with `async` does nothing: remove `async`")
    if hasattr(result, "__next__"):
        for _ in result:
            pass
