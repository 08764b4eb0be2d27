"""Trim the messages of a request that the API rejects because it is too long."""

from collections.abc import Callable
from typing import Any

from agentlib import TodoManager
from agentlib.window import replace_messages
from safetylib.guard.circles import EndedError
from safetylib.wire.refusals import is_too_long

TrimMessages = Callable[[list[Any], Any], list[Any]]
NOT_TRIMMED = (
    "The conversation is still too long for the model, and trim_messages returns as many messages "
    "as before ({}), so it is not called again. Return fewer messages."
)


def trim_if_too_long(
    messages: list[Any],
    trim_messages: TrimMessages | None,
    todo: Any,
    problem: Exception,
    times_before: int = 0,
) -> bool:
    """Replace `messages` by what `trim_messages` returns of them, and return whether it has.

    A run without a list has an empty one here, as in a terminal. `times_before` is how often this
    was done for the same request. Do nothing if this is another `problem`, or if no message is left
    out.
    Raise EndedError if they were trimmed before, and are not fewer now.
    """
    if trim_messages is None or not is_too_long(problem):
        return False
    new = trim_messages(list(messages), TodoManager() if todo is None else todo)
    if replace_messages(messages, new, times_before):
        return True
    if times_before and new != messages:
        raise EndedError(NOT_TRIMMED.format(len(new)))
    return False
