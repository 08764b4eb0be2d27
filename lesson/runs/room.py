"""Make room for a request that the API rejects because it is too long."""

from collections.abc import Callable
from typing import Any

from ..common.message_blocks import texts_of
from ..common.pluralize import pluralize
from ..real_model.server_errors import is_too_long

MakeRoom = Callable[[list[Any], Any], list[Any]]
NO_ROOM = (
    "The conversation is still too long for the model, and make_room returns as many messages as "
    "before ({}), so it is not called again. Return fewer messages."
)


class NoRoomError(Exception):
    """What `make_room` returns is too long for the model, and does not become shorter."""


def make_room_for(
    messages: list[Any],
    make_room: MakeRoom | None,
    todo: Any,
    problem: Exception,
    made: int = 0,
) -> str:
    """Replace `messages` by what `make_room` returns of them, and say what was left out.

    `made` is how often this was done for the same request. Do nothing and return "" if this is
    another `problem`, or if no message is left out. Raise NoRoomError if room was made before, and
    there are not fewer messages now.
    """
    if make_room is None or todo is None or not is_too_long(problem):
        return ""
    new = make_room(list(messages), todo)
    kept = sum(message in messages[1:] for message in new)
    if len(messages) - 1 <= kept:
        return ""
    if made and len(new) >= len(messages):
        raise NoRoomError(NO_ROOM.format(len(new)))
    left_out = pluralize(len(messages) - 1 - kept, "message")
    has_list = any(todo.render() in text for message in new for text in texts_of(message))
    messages[:] = new  # in one step, so an interrupt leaves the old history or the new one
    return (
        f"The conversation was too long for the model. Left out: {left_out}. Kept: the "
        f"prompt, {'the todo list, ' if has_list else ''}and the last {pluralize(kept, 'message')}."
    )
