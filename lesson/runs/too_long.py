"""Make room for a request that the API rejects because it is too long."""

from collections.abc import Callable
from typing import Any

from agentlib import TodoManager
from agentlib.window import take_room
from safetylib.guard.circles import EndedError
from safetylib.wire.refusals import is_too_long

MakeRoom = Callable[[list[Any], Any], list[Any]]
NO_ROOM = (
    "The conversation is still too long for the model, and make_room returns as many messages as "
    "before ({}), so it is not called again. Return fewer messages."
)


def make_room_for(
    messages: list[Any],
    make_room: MakeRoom | None,
    todo: Any,
    problem: Exception,
    times_before: int = 0,
) -> bool:
    """Replace `messages` by what `make_room` returns of them, and return whether it has.

    A run without a list has an empty one here, as in a terminal. `times_before` is how often this
    was done for the same request. Do nothing if this is another `problem`, or if no message is left
    out.
    Raise EndedError if room was made before, and there are not fewer messages now.
    """
    if make_room is None or not is_too_long(problem):
        return False
    new = make_room(list(messages), TodoManager() if todo is None else todo)
    if take_room(messages, new, times_before):
        return True
    if times_before and new != messages:
        raise EndedError(NO_ROOM.format(len(new)))
    return False
