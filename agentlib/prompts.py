"""What is said before the first reply: the system prompt, and the opening message."""

from typing import Any

WORK = (
    "You are a coding agent. You work in the folder '{folder}', and paths are relative to it. "
    "Use the tools rather than describing what you would do."
)
PLAN = (
    "For work of several steps, list the steps with the todo tool before you start. "
    "Mark a task in_progress before you begin it, and completed when it is done."
)

LEFT = (
    "<reminder>An earlier conversation about this grew too long. It left the files as they are, "
    "and this list:\n\n{plan}\n\nWrite the list again with the todo tool, and go on from there."
    "</reminder>"
)


def system_prompt(folder: str, plan: bool = True) -> str:
    """The text for `system=`. `folder` is the workspace's name; `plan` asks for a todo list."""
    return WORK.format(folder=folder) + ("\n" + PLAN if plan else "")


def first_message(prompt: str) -> dict[str, Any]:
    """The user turn that opens a conversation: a word about planning, then the `prompt`."""
    hint = "<reminder>Use the todo tool for multi-step tasks.</reminder>"
    return {"role": "user", "content": [text_block(hint), text_block(prompt)]}


def text_block(text: str) -> dict[str, Any]:
    """A text, as one of the blocks of a turn."""
    return {"type": "text", "text": text}


def carry_on(task: str, plan: str, prompt: str = "Go on.") -> dict[str, Any]:
    """The user turn that opens a new conversation about a `task` whose last one grew too long.

    `plan` is the todo list that it left, rendered; `prompt` is what you want to say now.
    """
    message = first_message(task)
    more = [LEFT.format(plan=plan), prompt]
    return message | {"content": message["content"] + [text_block(words) for words in more]}
