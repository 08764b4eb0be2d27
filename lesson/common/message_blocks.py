"""Read the blocks of messages in the format of the Messages API: texts, reminders and lists.

The policy, the runs and the widgets read messages with these functions, so that they find the same.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from agentlib.tools import Call
from safetylib.wire.odd_lists import read_list, spell_fields
from safetylib.wire.reminders import REMINDERS

Message = dict[str, Any]
Block = Mapping[str, Any]
DICTS = (dict, Mapping)  # Python finds out faster that a dict is the first one
MESSAGES_PER_ROUND = 2  # a reply, and the results that answer it
TASK_LINE = re.compile(r"^(\[.\]) #(\d+): (.*)$", re.MULTILINE)  # of `Tasks.render`
WINDOW = 12  # messages: with 4 to 30 of them, the slider shows runs that end well and badly


def read_messages(messages: Sequence[Any]) -> list[Message]:
    """Return copies of messages whose content, and that of each result in them, is blocks alone."""
    read: list[Any] = []
    for message in messages:
        blocks = blocks_of(message)
        for block in blocks:
            if block["type"] == "tool_result":
                block["content"] = blocks_of(block)
        read.append({**message, "content": blocks} if isinstance(message, Mapping) else message)
    return read


def blocks_of(message: Any) -> list[Message]:
    """Return the content of a message or a result as blocks; a string becomes one text block.

    A block may be an object of the SDK. Anything else is left out. Without blocks, return [].
    """
    content = message.get("content") if isinstance(message, DICTS) else None
    if isinstance(content, str):
        return [{"type": "text", "text": content}] if content else []
    blocks = []
    for block in content if isinstance(content, (list, tuple)) else ():
        plain = block.to_dict(warnings=False) if hasattr(block, "to_dict") else block
        if isinstance(plain, DICTS) and isinstance(plain.get("type"), str):
            blocks.append({**plain})
    return blocks


def text_of(block: Block) -> str:
    """Return the text of a text block, or "" for any other block."""
    return str(block.get("text", "")) if block["type"] == "text" else ""


def texts_of(message: Message) -> list[str]:
    """Return the texts in a message and in the content of its tool results."""
    blocks = [*blocks_of(message)]
    blocks += [part for block in blocks for part in blocks_of(block)]
    return [text for text in map(text_of, blocks) if text]


def find_reminders(message: Message) -> list[str]:
    """Return what a model takes for reminders in a message: texts in tags, whoever wrote them."""
    return [words for text in texts_of(message) for words in REMINDERS.findall(text)]


def contains(message: Message, reminder: str | None) -> bool:
    """Return whether the words that a nag has returned are in a message. They need no tags."""
    words = (reminder or "").strip()
    return words != "" and any(words in text for text in texts_of(message))


def find_prompt(message: Message) -> str:
    """Return the user's prompt in a message, or "" if the message contains tool results."""
    blocks = blocks_of(message) if message["role"] == "user" else []
    if any(block["type"] == "tool_result" for block in blocks):
        return ""
    return REMINDERS.sub("", "\n".join(filter(None, map(text_of, blocks)))).strip()


def is_task_tool(name: str) -> bool:
    """Return whether a tool is one of `agentlib.Tasks`, judging by its name."""
    return name.startswith("task_")


def is_list_tool(name: str) -> bool:
    """Return whether a tool writes the todo list, judging by its name: "todo", "TodoWrite"."""
    return "todo" in name.casefold() or is_task_tool(name)


def read_plans(calls: Iterable[Call]) -> list[tuple[str, ...]]:
    """Return the texts of each list that calls have written or shown, oldest first.

    New tasks are one list. A call that changes one task does not contain the list.
    """
    plans, new = [], []
    for call in calls:
        if not call.ok or not is_list_tool(call.name):
            continue
        if call.name == "task_list":
            plans.append(tuple(words for _, _, words in TASK_LINE.findall(call.output)))
        elif call.name == "task_create":
            new.append(str(call.input.get("text")))
        else:
            items = read_items(call.input)
            texts = [item.get("text") or item.get("content") or "" for item in items]
            plans.append(tuple(map(str, texts)))
    return [plan for plan in (*plans, tuple(new)) if plan]


def read_items(fields: Any) -> list[dict[str, Any]]:
    """Return a copy of the items in the input of a todo call, read as `TodoManager` reads them.

    So each list that the tool has accepted is seen, in whatever form a model has sent it.
    """
    for value in fields.values() if isinstance(fields, Mapping) else ():
        with suppress(ValueError):
            items = [item for item in read_list(value) if isinstance(item, Mapping)]
            plain = [spell_fields(dict(item), {}) for item in items]
            return [
                item | {"status": str(item.get("status") or "pending").lower()} for item in plain
            ]
    return []


def has_failed(result: Mapping[str, Any]) -> bool:
    """Return whether a tool_result is an error: a loop may leave the field `is_error` out."""
    words = "".join(str(block.get("text", "")) for block in blocks_of(result)[:1])
    return bool(result.get("is_error")) or words.startswith("Error: ")  # as `call_tool` begins one
