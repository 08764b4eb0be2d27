"""Find from the messages of a request whether a step is done, and its next action.

An action for which there is no tool is not done.
"""

from collections.abc import Mapping
from typing import Any

from ...samples.jobs import Action, Step
from .history import VisibleHistory

Reply = list[dict[str, Any]]
ToolUse = dict[str, Any]


def is_seen_done(step: Step, view: VisibleHistory) -> bool:
    """Return True if the calls show that a step is done: its last action or files.

    A step that ends with a command is done when the command has run. Without a shell, an attempt
    is enough. A step of which the user has refused an action is not done.
    """
    if list_refused(step, view):
        return False
    last = step.actions[-1]
    if is_settled(last, view):
        return True
    return last.tool != "bash" and step.is_written(
        {name: view.text_of(name) for name in step.patterns}
    )


def is_blocked(step: Step, view: VisibleHistory) -> bool:
    """Return True if a step is blocked: other content, a missing tool, or the rest is refused."""
    remaining = remaining_actions(step, view)
    if not remaining:
        return bool(list_refused(step, view))
    return is_impossible(remaining[0], view)


def list_refused(step: Step, view: VisibleHistory) -> list[Action]:
    """Return the actions of a step that the user has refused, and that nobody has done since."""
    return [
        action
        for action in step.actions
        if (action.tool, action.input) in view.refused and not is_settled(action, view)
    ]


def count_work(step: Step, view: VisibleHistory) -> int:
    """Return how many actions of a step are done, and how many of its files were read."""
    paths = {action.input["path"] for action in step.actions if "path" in action.input}
    actions_done = sum(is_settled(action, view) for action in step.actions)
    return actions_done + sum(view.text_of(path) is not None for path in paths)


def work_on_step(step: Step, view: VisibleHistory) -> Reply | None:
    """Return the next reply in the work on a step; None if it is done or blocked."""
    remaining = remaining_actions(step, view)
    if not remaining or is_blocked(step, view):
        return None
    action = remaining[0]
    path = action.input.get("path", "")
    if action.tool == "edit_file" and view.text_of(path) is None:
        return reply_with(f"{step.text}: let me see {path}.", read_call(path, view))
    return reply_with(action.say or f"{step.activeForm}.", action_call(action, view))


def remaining_actions(step: Step, view: VisibleHistory) -> list[Action]:
    """Return the actions of a step that are not done yet, and that the user has not refused.

    All actions before a settled one count as done. If the content of the file to edit is known,
    skip the actions that only look around, but not those that read another file.
    """
    refused = list_refused(step, view)
    actions = find_rest([action for action in step.actions if action not in refused], view)
    again = [one for one in refused if (one.tool, one.input) not in view.refused_now]
    return [action for action in step.actions if action in actions or action in again]


def find_rest(actions: list[Action], view: VisibleHistory) -> list[Action]:
    """Return those of the actions that are not done yet, and are not only a look around."""
    for number in reversed(range(len(actions))):
        if is_settled(actions[number], view):
            return actions[number + 1 :]
    for number, action in enumerate(actions):
        path = action.input.get("path", "")
        if action.tool == "edit_file" and view.text_of(path) is not None:
            reads = [read for read in actions[:number] if read.input.get("path", path) != path]
            return [*reads, *actions[number:]]
    return actions


def is_settled(action: Action, view: VisibleHistory) -> bool:
    """Return True if an action is done: the same call worked, or the file had its effect."""
    for call in view.calls:
        if call.ok and (call.name, call.input) == (action.tool, action.input):
            return True
    contents = view.texts_of(action.input.get("path", ""))
    return any(content is not None and has_effect(action, content) for content in contents)


def has_effect(action: Action, content: str) -> bool:
    """Return True if a file with this `content` already has the effect of a write or an edit."""
    if action.tool == "write_file":
        return content.strip() == str(action.input["content"]).strip()
    if action.tool != "edit_file":
        return False
    old, new = action.input["old_text"], action.input["new_text"]
    rest = content.replace(new, "") if new else content
    return new in content and old not in rest


def is_impossible(action: Action, view: VisibleHistory) -> bool:
    """Return True if the messages show that an action must fail."""
    if action_call(action, view) is None:
        return True
    if action.tool != "edit_file":
        return False
    path = action.input["path"]
    content, read = view.text_of(path), read_call(path, view)
    if content is not None:
        return content.count(action.input["old_text"]) != 1
    if read is None:  # without a tool to read the file, do not edit it
        return True
    return any(not call.ok and call.input == read["input"] for call in view.calls)


def read_call(path: str, view: VisibleHistory) -> ToolUse | None:
    """Return the call that reads the file `path`, or None if there is no tool for it."""
    return tool_use("read_file", {"path": path}) if "read_file" in view.tools else None


def action_call(action: Action, view: VisibleHistory) -> ToolUse | None:
    """Return the call that does `action`, or None if its tool is not available."""
    return tool_use(action.tool, action.input) if action.tool in view.tools else None


def reply_with(words: str, call: ToolUse | None = None) -> Reply:
    text = {"type": "text", "text": words}
    return [text] if call is None else [text, call]


def tool_use(name: str, input: Mapping[str, Any]) -> ToolUse:
    """Return a tool_use block without an id; the API adds it."""
    return {"type": "tool_use", "name": name, "input": dict(input)}
