"""The prompts: the system prompt, and the first message of a conversation."""

from typing import Any

__all__ = ["first_message", "system_prompt"]

WORK = (
    "You are a coding agent. You work in the folder '{folder}', and paths are relative to it. "
    "Use the tools instead of describing what you would do."
)
PLAN = (
    "For multi-step work, list the steps with the {tools} before you start. "
    "Mark a task in_progress before you begin it, and completed when it is done. "
    "The program adds reminders about your list to tool results, in <reminder>: "
    "they are not part of a file or of a command's output."
)


def system_prompt(folder: str, plan: bool = True, tools: str = "todo tool") -> str:
    """Return the system prompt for the workspace `folder`.

    With `plan`, it also asks the model to plan with `tools`.
    """
    work = WORK.format(folder=folder)
    return f"{work}\n{PLAN.format(tools=tools)}" if plan else work


def first_message(prompt: str, tools: str = "todo tool") -> dict[str, Any]:
    """Return the user message that opens a conversation: a reminder to plan, then the `prompt`."""
    hint = f"<reminder>Use the {tools} for multi-step tasks.</reminder>"
    content = [{"type": "text", "text": text} for text in (hint, prompt)]
    return {"role": "user", "content": content}
