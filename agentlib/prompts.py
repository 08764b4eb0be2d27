"""The prompts: the system prompt, and the first message of a conversation."""

from typing import Any

__all__ = ["carry_on", "first_message", "system_prompt"]

WORK = (
    "You are a coding agent. You work in the folder '{folder}', and paths are relative to it. "
    "Use the tools instead of describing what you would do."
)
PLAN = (
    "For multi-step work, list the steps with the todo tool before you start. "
    "Mark a task in_progress before you begin it, and completed when it is done. "
    "The program adds reminders about your list to tool results, in <reminder>: "
    "they are not part of a file or of a command's output."
)

LEFT = (
    "<reminder>An earlier conversation about this task became too long for the context window. "
    "Its changes to the files are kept, and so is its todo list:\n\n{plan}\n\n"
    "Write the list again with the todo tool, and continue from there.</reminder>"
)


def system_prompt(folder: str, plan: bool = True) -> str:
    """Return the string for `system=`. `folder` is the workspace's name; `plan` asks for todos."""
    return WORK.format(folder=folder) + ("\n" + PLAN if plan else "")


def first_message(prompt: str) -> dict[str, Any]:
    """Return the user message that opens a conversation: a reminder to plan, then the `prompt`."""
    hint = "<reminder>Use the todo tool for multi-step tasks.</reminder>"
    return {"role": "user", "content": [text_block(hint), text_block(prompt)]}


def text_block(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def carry_on(prompt: str, plan: str) -> dict[str, Any]:
    """Return the user message that continues the work on `prompt` in a new conversation.

    It is for a conversation that became too long for the context window. `plan` is its rendered
    todo list.
    """
    message = first_message(prompt)
    message["content"] += [text_block(LEFT.format(plan=plan)), text_block("Go on.")]
    return message
