"""Make room: begin a new conversation when the old one is too long for the model."""

from typing import Any

from .todo import TodoManager

__all__ = ["is_reply", "keep_newest", "make_room"]

KEPT = 6  # messages, or three rounds: the files that the model works on now
LIST = (
    "<reminder>Earlier messages were left out here, because the conversation was too long. The "
    "changes to the files are kept, and so is your todo list:\n\n{}</reminder>"
)


def make_room(messages: list[dict[str, Any]], todo: TodoManager) -> list[dict[str, Any]]:
    """Return the messages with which a conversation goes on that is too long for its model.

    They are the prompt, the todo list as it is now, and the newest messages. `messages` is not
    changed, and without anything to leave out, it is returned as it is.
    """
    newest = keep_newest(messages, KEPT)
    if newest is messages:
        return messages
    note = {"role": "user", "content": LIST.format(todo.render())}
    return [messages[0], note, *newest]


def keep_newest(messages: list[Any], count: int) -> list[Any]:
    """Return at most the last `count` messages, from a reply on, because a result needs its call.

    Return `messages` itself if there are no more than these after the prompt, or no reply. Of two
    replies in a row, which are one turn of the model, both are kept or none.
    """
    for edge in range(max(len(messages) - count, 2), len(messages)):
        if is_reply(messages[edge]) and not is_reply(messages[edge - 1]):
            return messages[edge:]
    return messages


def is_reply(message: Any) -> bool:
    """Return whether a message is the model's."""
    return isinstance(message, dict) and message.get("role") == "assistant"
