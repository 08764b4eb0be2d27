"""A step of a task, seen through a View: where it stands, and the call that comes next.

What a model offers to do depends on its tools. Where there is no edit_file, it writes the whole
file; where there is a shell only, it does both with the shell.
"""

from collections.abc import Mapping
from typing import Any

from .attention import END, View, heredoc
from .tasks import Action, Step


def is_done(step: Step, view: View) -> bool:
    """Whether a step is done, as far as the calls in view tell: by its last action, or its files.

    A step that ends with a command is done when the command has run.
    """
    last = step.actions[-1]
    return (
        settled(last, view)
        or last.tool != "bash"
        and step.is_shown({name: view.text_of(name) for name in step.done})
    )


def is_hopeless(step: Step, view: View) -> bool:
    """Whether a step cannot go on: a file is not what it should be, or a tool is missing."""
    return any(impossible(action, view) for action in ahead(step, view)[:1])


def effort(step: Step, view: View) -> int:
    """How much in view was done for a step: its actions, and reading its files."""
    paths = {action.input.get("path") for action in step.actions} - {None}
    return sum(settled(action, view) for action in step.actions) + sum(
        view.text_of(path) is not None for path in paths
    )


def next_reply(step: Step, view: View) -> list[dict[str, Any]] | None:
    """The next reply in the work on a step; None when it is done, or cannot go on."""
    for action in ahead(step, view)[:1]:
        if impossible(action, view):
            return None
        path = action.input.get("path", "")
        look = looking(path, view)
        if action.tool == "edit_file" and view.text_of(path) is None and look:
            return [text(f"{step.text}: let me see {path}."), look]
        return [text(action.say or f"{step.activeForm}."), doing(action, view)]
    return None


def ahead(step: Step, view: View) -> list[Action]:
    """The actions of a step that are still to do.

    What comes before a settled action is taken as done. With a file in view that is to be
    edited, there is no need to look around first.
    """
    actions = list(step.actions)
    for number, action in reversed(list(enumerate(actions))):
        if settled(action, view):
            return actions[number + 1 :]
    for number, action in enumerate(actions):
        if action.tool == "edit_file" and view.text_of(action.input["path"]) is not None:
            return actions[number:]
    return actions


def settled(action: Action, view: View) -> bool:
    """Whether an action is done: the same call worked, or the file has had what it brings."""
    return any(
        (seen.tool, seen.input, seen.ok) == (action.tool, action.input, True) for seen in view.seen
    ) or any(
        content is not None and brought(action, content)
        for content in view.texts_of(action.input.get("path", ""))
    )


def brought(action: Action, content: str) -> bool:
    """Whether a file with this `content` is as a write or an edit wants it; nothing else brings
    a content."""
    if action.tool == "write_file":
        return content.strip() == action.input["content"].strip()
    if action.tool != "edit_file":
        return False
    old, new = action.input["old_text"], action.input["new_text"]
    return new in content and old not in (content.replace(new, "") if new else content)


def impossible(action: Action, view: View) -> bool:
    """Whether an action has no chance, as far as can be seen before it is tried."""
    if doing(action, view) is None:
        return True
    if action.tool != "edit_file":
        return False
    path = action.input["path"]
    content, look = view.text_of(path), looking(path, view)
    if content is not None:
        return content.count(action.input["old_text"]) != 1
    return any(not seen.ok and look and seen.input == look["input"] for seen in view.seen)


def looking(path: str, view: View) -> dict[str, Any] | None:
    """The call that shows the file `path`, or None without a tool for it."""
    if "read_file" in view.tools:
        return use("read_file", {"path": path})
    return use("bash", {"command": f"cat {path}"}) if "bash" in view.tools else None


def doing(action: Action, view: View) -> dict[str, Any] | None:
    """The call that does `action` with the tools that there are, or None where none will do."""
    if action.tool in view.tools:
        return use(action.tool, action.input)
    if action.tool not in ("write_file", "edit_file"):
        return None
    path, content = action.input["path"], action.input.get("content")
    if content is None:
        old = view.text_of(path) or ""
        content = old.replace(action.input["old_text"], action.input["new_text"], 1)
    content = content.removesuffix("\n") + "\n"
    if "write_file" in view.tools and looking(path, view):
        return use("write_file", {"path": path, "content": content})
    if "bash" in view.tools:
        return use("bash", {"command": heredoc(path) + content + END})
    return None


def text(words: str) -> dict[str, Any]:
    """A text block."""
    return {"type": "text", "text": words}


def use(name: str, input: Mapping[str, Any]) -> dict[str, Any]:
    """A tool_use block, but for its id, which the wire gives."""
    return {"type": "tool_use", "name": name, "input": dict(input)}
