"""Make room: leave out messages of a conversation that is too long, or longer than a window."""

from typing import Any

from safetylib.wire.reminders import is_added

from .at_the_stop import WHO
from .todo import TodoManager

__all__ = ["LEFT_OUT", "is_prompt", "is_reply", "keep_last", "list_written", "make_room"]

KEPT = 6  # messages, or three rounds: the files that the model works on now
LIST = (
    "<reminder>Earlier messages were left out here, because the conversation was too long. The "
    "changes to the files are kept, and so is your todo list:\n\n{}</reminder>"
)
# The note about a window is the same each time, so that a cache can keep the prompt.
LEFT_OUT = "<reminder>Earlier messages were left out here.</reminder>"


def make_room(messages: list[dict[str, Any]], todo: TodoManager) -> list[dict[str, Any]]:
    """Return the messages with which a conversation goes on that is too long for its model.

    This is what a learner writes (notebooks/solutions/room.py), with the words of the replies that
    are left out, and without a list that has no open task.

    They are all that the user has written, each with the words of the reply that answered it, and
    the newest messages. The list is a part of the user's newest message, if a task is open: without
    one, it would look like the next request. What the program itself has added is left out, such as
    older lists and questions. The roles alternate. `messages` is not changed, and without anything
    to leave out, it is returned as it is.
    """
    newest = keep_newest(messages, KEPT)
    if newest is messages:
        return messages
    kept, words = list[dict[str, Any]](), list[Any]()
    for message in messages[: len(messages) - len(newest)]:
        if is_reply(message):
            words = [block for block in read_blocks(message) if block["type"] == "text"]
        elif written := list_written(message):
            if kept and words:
                kept.append({"role": "assistant", "content": words})
            elif kept:
                written = kept.pop()["content"] + written
            kept.append({"role": "user", "content": written})
            words = []
    new = [*kept, *({**one, "content": list_written(one) or one["content"]} for one in newest)]
    if any(item["status"] != "completed" for item in todo.items):
        place = max(place for place, one in enumerate(new) if list_written(one))
        prompt = {"role": "user", "content": list_written(new[place])}
        new[place] = add_text(prompt, LIST.format(todo.render()))
    return new


def take_room(messages: list[Any], new: Any, made: int) -> bool:
    """Replace `messages` by what a `make_room` returns, and return whether to send them again.

    `made` is how often this was done for the same request. As many messages as before may be
    shorter, but only the first time. Raise TypeError for what is no list of messages.
    """
    if (
        not isinstance(new, list | tuple)
        or not new
        or not all(isinstance(one, dict) for one in new)
    ):
        raise TypeError(f"make_room must return a list of messages, not {new!r:.60}")
    if new == messages or made and len(new) >= len(messages):
        return False
    messages[:] = new  # in one step, so an interrupt leaves the old history or the new one
    return True


def keep_last(messages: list[Any], window: int | None) -> list[Any]:
    """Return the prompts and at most the last `window` messages: with a window, these are sent.

    A tool result needs its call, so the messages after the prompts begin with a reply. The newest
    prompt before them then also says that others were left out. Without a window, or without
    anything to leave out, return `messages` itself.
    """
    if window is None or len(messages) - 1 <= window:
        return messages
    newest = keep_newest(messages, window)
    if newest is messages:
        return messages
    older = filter(is_prompt, messages[1 : len(messages) - len(newest)])
    *earlier, prompt = [messages[0], *older]
    return [*earlier, add_text(prompt, LEFT_OUT), *newest]


def add_text(message: dict[str, Any], text: str) -> dict[str, Any]:
    """Return a copy of a message with one more block of text at its end, and no empty one."""
    blocks = [block for block in read_blocks(message) if block.get("text") != ""]
    return {**message, "content": [*blocks, {"type": "text", "text": text}]}


def is_prompt(message: Any) -> bool:
    """Return whether the user has written a message, or a part of it."""
    return isinstance(message, dict) and list_written(message) != []


def list_written(message: Any) -> list[Any]:
    """Return the blocks of a message that the user has written.

    Results, reminders, lists and the questions at the stop are the program's.
    """
    blocks = [] if is_reply(message) else read_blocks(message)
    if any(block["type"] == "tool_result" for block in blocks):
        return []
    texts = [block.get("text", "") for block in blocks]
    ours = [one.strip().startswith(WHO) or is_added(one) for one in texts]
    return [block for block, is_ours in zip(blocks, ours, strict=True) if not is_ours]


def read_blocks(message: Any) -> list[Any]:
    """Return the blocks of a message as dicts."""
    content = message["content"]
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    return [block if isinstance(block, dict) else block.to_dict(warnings=False) for block in blocks]


def keep_newest(messages: list[Any], count: int) -> list[Any]:
    """Return at most the last `count` messages, from a reply on, because a result needs its call.

    The first two are never among them, so that there is room afterwards. Of two replies in a row,
    which are one turn of the model, both are kept or none. Without a reply to begin with, return
    `messages` itself.
    """
    for edge in range(max(len(messages) - count, 2), len(messages)):
        if is_reply(messages[edge]) and not is_reply(messages[edge - 1]):
            return messages[edge:]
    return messages


def is_reply(message: Any) -> bool:
    """Return whether a message is the model's."""
    return isinstance(message, dict) and message.get("role") == "assistant"
