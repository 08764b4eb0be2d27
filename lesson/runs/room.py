"""Make room for a request that the API rejects because it is too long."""

from collections.abc import Callable
from typing import Any

from agentlib.room import is_prompt
from safetylib.server.server_errors import is_too_long

from ..common.message_blocks import find_prompt, texts_of
from ..common.pluralize import pluralize
from .ended import EndedError

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
    made: int = 0,
) -> str:
    """Replace `messages` by what `make_room` returns of them, and say what was left out.

    `made` is how often this was done for the same request. Do nothing and return "" if this is
    another `problem`, or if no message is left out. Raise EndedError if room was made before, and
    there are not fewer messages now.
    """
    if make_room is None or todo is None or not is_too_long(problem):
        return ""
    new = make_room(list(messages), todo)
    texts = {text for message in new for text in texts_of(message)}
    gone = [one for one in messages if one not in new and find_prompt(one) not in texts]
    left_out = max(len(gone), len(messages) - len(new))
    if not left_out:
        return ""
    if made and len(new) >= len(messages):
        raise EndedError(NO_ROOM.format(len(new)))
    has_list = any(todo.render() in text for text in texts)
    prompts = sum(is_prompt(one) and find_prompt(one) in texts for one in messages)
    kept = [f"the {prompts} prompts" if prompts > 1 else "the prompt"] * (prompts > 0)
    kept += ["the todo list"] * has_list
    messages[:] = new  # in one step, so an interrupt leaves the old history or the new one
    return (
        "The conversation was too long for the model. Left out: "
        f"{pluralize(left_out, 'message')}. Kept: {', '.join(kept)}, and the newest messages."
    )
