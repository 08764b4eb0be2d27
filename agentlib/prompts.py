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


def system_prompt(folder: str, plan: bool = True) -> str:
    """The text for `system=`. `folder` is the workspace's name; `plan` asks for a todo list."""
    return WORK.format(folder=folder) + ("\n" + PLAN if plan else "")


def first_message(prompt: str) -> dict[str, Any]:
    """The user turn that opens a conversation: a word about planning, then the `prompt`."""
    hint = "<reminder>Use the todo tool for multi-step tasks.</reminder>"
    return {"role": "user", "content": [{"type": "text", "text": text} for text in (hint, prompt)]}
