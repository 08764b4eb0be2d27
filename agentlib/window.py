"""What of a conversation is sent: the prompts, and as many of the newest messages as wanted."""

from typing import Any

from safetylib.wire.reminders import is_added

from .stop import WHO

__all__ = ["LEFT_OUT", "is_prompt", "is_reply", "keep_last", "replace_messages"]

# The note about a window is the same each time, so that a cache can keep the prompt.
LEFT_OUT = "<reminder>Earlier messages were left out here.</reminder>"


def replace_messages(messages: list[Any], new: Any, times_before: int) -> bool:
    """Replace `messages` by what a `trim_messages` returned, and return whether to send them again.

    `times_before` says how often this was done for the same request. The first time, the same
    number of messages is accepted, because they may be shorter. Raise TypeError if `new` is not a
    list of messages.
    """
    is_list = isinstance(new, list | tuple) and len(new) > 0
    if not is_list or not all(isinstance(message, dict) for message in new):
        raise TypeError(f"trim_messages must return a list of messages, not {new!r:.60}")
    has_fewer = len(new) < len(messages)
    if new == messages or (times_before > 0 and not has_fewer):
        return False
    messages[:] = new  # in one step, so an interrupt leaves the old history or the new one
    return True


def keep_last(messages: list[Any], window: int | None) -> list[Any]:
    """Return the prompts and at most the last `window` messages: with a window, these are sent.

    A tool result needs its call, so the messages after the prompts begin with a reply. The newest
    prompt before them then also says that messages were left out. Without a window, or if nothing
    can be left out, return `messages` itself.
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
    """Return a copy of a message with a block of text at its end, and without empty texts."""
    blocks = [block for block in read_blocks(message) if block.get("text") != ""]
    return {**message, "content": [*blocks, {"type": "text", "text": text}]}


def is_prompt(message: Any) -> bool:
    """Return whether the user wrote a message, or a part of it."""
    return isinstance(message, dict) and list_written(message) != []


def list_written(message: Any) -> list[Any]:
    """Return the blocks of a message that the user wrote.

    The program wrote the results, the reminders, the lists, and the questions when the model stops.
    """
    blocks = [] if is_reply(message) else read_blocks(message)
    if any(block["type"] == "tool_result" for block in blocks):
        return []
    return [block for block in blocks if not is_the_programs(block.get("text", ""))]


def is_the_programs(text: str) -> bool:
    """Return whether the program wrote a text of a user message."""
    return text.strip().startswith(WHO) or is_added(text)


def read_blocks(message: Any) -> list[Any]:
    """Return the blocks of a message as dicts."""
    content = message["content"]
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    return [block if isinstance(block, dict) else block.to_dict(warnings=False) for block in blocks]


def keep_newest(messages: list[Any], count: int) -> list[Any]:
    """Return at most the last `count` messages, from a reply on, because a result needs its call.

    They never include the first two messages, so that something is left out. Two replies in a row
    are one turn of the model, so both are kept or none. If no reply can be the first of them,
    return `messages` itself.
    """
    for edge in range(max(len(messages) - count, 2), len(messages)):
        if is_reply(messages[edge]) and not is_reply(messages[edge - 1]):
            return messages[edge:]
    return messages


def is_reply(message: Any) -> bool:
    """Return whether a message is the model's."""
    return isinstance(message, dict) and message.get("role") == "assistant"
