"""What a loop and a list take: a learner's own may have less than those of this package."""

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

    `**settings` is none: a loop sends it to the API, which rejects what it does not know.
    """
    with suppress(TypeError, ValueError):  # a callable without a signature
        found = signature(function).parameters.get(name)
        return found is not None and found.kind in BY_NAME
    return False


def uses_remind(loop: Callable[..., Any]) -> bool:
    """Return whether a loop takes `remind` and does something with it.

    The loop of the first exercise takes it, and does not use it yet.
    """
    code = getattr(unwrap(loop), "__code__", None)
    if code is None or not has_parameter(loop, "remind"):
        return has_parameter(loop, "remind")
    read = [one.argval for one in get_instructions(code) if "LOAD_FAST" in one.opname]
    return "remind" in code.co_cellvars or any(
        "remind" in (one if isinstance(one, tuple) else (one,)) for one in read
    )


def call_loop(
    loop: Callable[..., Any],
    client: Any,
    messages: list[dict[str, Any]],
    tools: Iterable[Tool],
    remind: Any = None,
    **settings: Any,
) -> None:
    """Call any loop and run it to its end, also if it yields. What else it returns is ignored.

    A loop that takes no `remind` is called without it. Whatever the loop raises passes through;
    raise TypeError if it is `async`.
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
