"""What decides the practice model's next reply: a plan in view is followed, a lost one is not.

A mind is any function from a request of the Messages API to the content of a reply. It has no
memory of its own, no clock and no chance: the same request always gets the same reply.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from . import tasks
from .tasks import Action, Step, Task
from .view import END, View, heredoc, item_fields, todo_items

PATIENCE = 200
REST = "Finish the rest"
ATTENTION = 12


@dataclass(frozen=True)
class Item:
    """One line of the plan as the mind holds it: a text, the step it means, where it stands."""

    text: str
    step: Step | None
    status: str


class Mind:
    """The practice model's mind: knows its tasks by heart, but sees only part of a conversation.

    `attention` is how many messages it sees besides the task. While its plan (the last todo list
    that it wrote) is among them, or nothing is out of view yet, it does what comes next.
    Otherwise it has lost the thread: it looks again, repeats itself, wanders off, and stops early.
    It does not update its list unless it is reminded. An `eager` mind starts everything at once.
    """

    def __init__(self, attention: int = ATTENTION, eager: bool = False) -> None:
        """`attention` is a whole number of messages, at least 4: two rounds."""
        if not isinstance(attention, int) or attention < 4:
            raise ValueError(f"attention must be 4 messages or more, not {attention!r}")
        self.attention, self.eager = attention, eager

    def __call__(self, request: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The content blocks of the reply to `request`."""
        view = View(request, self.attention)
        task = tasks.find(view.prompt)
        if task is None:
            return [text(introduction())]
        if not view.tools:
            return [text(advice(task))]
        if len(request["messages"]) > PATIENCE:
            return [text("I have been at this for very long, so I stop here.")]

        refused = refusals(view)
        items = view.plan()
        if refused == 1 and view.last.tool == view.todo:
            return self.correct(view)
        if items is not None:
            plan = [read(item, task, view) for item in items]
        elif view.whole:
            plan = [Item(step.text, step, standing(step, view)) for step in task.steps]
        else:
            return drift(task, view)
        if view.todo and not refused:
            if items is None:
                return [text("I list the steps first, then I work through them."),
                        self.todo(view, plan)]
            if view.reminder and view.last.tool != view.todo:
                return [text("Right: my list is behind."), self.todo(view, plan)]
        return self.work(task, view, plan, items)

    def work(self, task: Task, view: View, plan: list[Item], items: list | None) -> list[dict]:
        """Do what comes next in `plan`, or, when nothing is left, say so."""
        for item in self.order(plan, view):
            if item.step and (call := next_call(item.step, view)):
                return call
        listed = [item["status"] for item in items or ()]
        if view.todo and items and listed != [item.status for item in plan] and not refusals(view):
            return [text("Last, my list: it should say how things stand."), self.todo(view, plan)]
        if left := [item.text for item in plan if item.status != "completed"]:
            return [text(f"I could not do this: {'; '.join(left)}.")]
        planned = [item.step for item in plan]
        whole = all(step in planned for step in task.steps)
        return [text(task.closing if whole else "Everything on my list is done.")]

    def order(self, plan: list[Item], view: View) -> list[Item]:
        """What is not done yet, in the order in which to take it: what is in progress comes first.

        Of several in progress, the one that least has been done for: so a model that starts
        everything hops from one to the next.
        """
        started = [item for item in plan if item.status == "in_progress"]
        started.sort(key=lambda item: touched(item.step, view) if item.step else 0)
        return started + [item for item in plan if item.status == "pending"]

    def todo(self, view: View, plan: list[Item]) -> dict[str, Any]:
        """The call that writes `plan`, with every field that the tool's schema has."""
        name, schema = item_fields(view.tools[view.todo])
        items, started = [], False
        for number, item in enumerate(plan, 1):
            status = item.status
            if status != "completed":
                doable = item.step is None or not hopeless(item.step, view)
                status = "in_progress" if doable and (self.eager or not started) else "pending"
                started = started or status == "in_progress"
            items.append(fill(schema, number, item, status))
        return use(view.todo, {name: items})

    def correct(self, view: View) -> list[dict[str, Any]]:
        """Send a refused list again, mended as the error says."""
        name, schema = item_fields(view.tools[view.todo])
        items, error = todo_items(view.last.input), view.last.output
        if "in_progress" in error:
            started = [item for item in items if item["status"] == "in_progress"]
            for item in started[1:]:
                item["status"] = "pending"
        elif limit := re.search(r"max\D*(\d+)", error, re.IGNORECASE):
            items = items[: int(limit[1])]
        elif field := re.search(r"invalid (\w+)", error):
            choices = schema["properties"].get(field[1], {}).get("enum", [""])
            for item in items:
                item[field[1]] = item["status"] if field[1] == "status" else choices[0]
        else:
            items = [{key: item[key] for key in schema.get("required", item) if key in item}
                     for item in items]
        return [text("The list was not accepted. Once more, mended."), use(view.todo, {name: items})]


def refusals(view: View) -> int:
    """How many of the todo calls in view were refused since the last that was accepted."""
    written = [seen.ok for seen in reversed(view.seen) if seen.tool == view.todo]
    return written.index(True) if True in written else len(written)


def read(item: Mapping[str, Any], task: Task, view: View) -> Item:
    """One item of the list in view, brought up to date with what was done since."""
    said = next((v for k, v in item.items() if k in ("text", "content", "title", "task")), "")
    step = task.step(str(said))
    status = item.get("status", "pending")
    if said == REST or status != "completed" and step and standing(step, view) == "completed":
        status = "completed"
    return Item(str(said), step, status)


def standing(step: Step, view: View) -> str:
    """Where a step stands, as far as the calls in view show it: its last action tells."""
    return "completed" if settled(step.actions[-1], view) else "pending"


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


def hopeless(step: Step, view: View) -> bool:
    """Whether the step cannot be done, because a file is not what it should be."""
    return any(impossible(action, view) for action in ahead(step, view)[:1])


def touched(step: Step, view: View) -> int:
    """How many calls in view were made for this step: its actions, and reading its files."""
    paths = {action.input.get("path") for action in step.actions} - {None}
    return sum(settled(action, view) for action in step.actions) + sum(
        view.text_of(path) is not None for path in paths)


def settled(action: Action, view: View) -> bool:
    """Whether an action is done: the same call worked, or the file has shown what it is to bring."""
    return any(
        (seen.tool, seen.input, seen.ok) == (action.tool, action.input, True) for seen in view.seen
    ) or any(
        content is not None and brought(action, content)
        for content in view.texts_of(action.input.get("path", ""))
    )


def brought(action: Action, content: str) -> bool:
    """Whether a file with this `content` is as a write or an edit wants it."""
    if action.tool == "write_file":
        return content.strip() == action.input["content"].strip()
    old, new = action.input["old_text"], action.input["new_text"]
    return new in content and old not in (content.replace(new, "") if new else content)


def impossible(action: Action, view: View) -> bool:
    """Whether an edit has no chance: the file is missing, or does not hold the text to change."""
    if action.tool != "edit_file" or settled(action, view):
        return False
    text_there = view.text_of(action.input["path"])
    if text_there is not None:
        return text_there.count(action.input["old_text"]) != 1
    reading = looking(action.input["path"], view)["input"]
    return any(not seen.ok and seen.input == reading for seen in view.seen)


def next_call(step: Step, view: View) -> list[dict[str, Any]] | None:
    """The next reply in the work on `step`; None when it is done, or cannot be done."""
    for action in ahead(step, view)[:1]:
        if impossible(action, view):
            return None
        path = action.input.get("path", "")
        if action.tool == "edit_file" and view.text_of(path) is None:
            return [text(f"{step.text}: let me see {path}."), looking(path, view)]
        return [text(action.say or f"{step.activeForm}."), doing(action, view)]
    return None


def looking(path: str, view: View) -> dict[str, Any]:
    """The call that shows the file `path`, with the tools that there are."""
    if "read_file" in view.tools:
        return use("read_file", {"path": path})
    return use("bash", {"command": f"cat {path}"})


def doing(action: Action, view: View) -> dict[str, Any]:
    """The call that does `action`; where its tool is missing, the same by a shell command."""
    if action.tool in view.tools:
        return use(action.tool, action.input)
    path, content = action.input["path"], action.input.get("content")
    if content is None:
        seen = view.text_of(path) or ""
        content = seen.replace(action.input["old_text"], action.input["new_text"], 1)
    content = content.removesuffix("\n") + "\n"
    if "write_file" in view.tools:
        return use("write_file", {"path": path, "content": content})
    return use("bash", {"command": heredoc(path) + content + END})


def drift(task: Task, view: View) -> list[dict[str, Any]]:
    """What it does when its plan is out of view: each move follows from the call before it.

    It cannot know how much it forgot. So a reminder gets a list of what it still sees, which is
    short, and looks complete.
    """
    if view.todo and view.reminder and view.last.tool != view.todo and not refusals(view):
        known = [Item(step.text, step, "completed") for step in task.steps
                 if standing(step, view) == "completed"]
        return [text("My list? As far as I can see, I have done this."),
                Mind().todo(view, [*known, Item(REST, None, "pending")])]
    first = task.steps[0].actions[0]
    path = first.input.get("path")
    look = looking(path, view) if path else use("bash", {"command": "ls"})
    again = doing(first, view)
    notes = doing(Action("write_file", {"path": "NOTES.md", "content": NOTES}), view)
    moves = [
        ("Where was I? Let me look at the files again.", look),
        (f"{task.steps[0].text}: I had better do this first.", again),
        ("While I am here, some notes on this project would be useful.", notes),
    ]
    made = [number for number, (_, call) in enumerate(moves, 1) if view.last
            and (view.last.tool, view.last.input) == (call["name"], call["input"])]
    if len(moves) in made:
        return [text("This looks good to me. The work is complete.")]
    words, call = moves[max(made, default=0)]
    return [text(words), call]


NOTES = """# Notes

- The code is short and easy to read.
- Perhaps it could be faster.
"""


def fill(schema: Mapping[str, Any], number: int, item: Item, status: str) -> dict[str, Any]:
    """A todo item with the fields that the tool's `schema` has."""
    step = item.step
    known = {"id": str(number), "text": item.text, "content": item.text, "status": status}
    if step:
        known |= {"activeForm": step.activeForm, "priority": step.priority}
    filled = {}
    for name, field in schema["properties"].items():
        choices = field.get("enum")
        value = known.get(name)
        if value is None or choices and value not in choices:
            value = field.get("default", choices[0] if choices else None)
        if value is not None:
            filled[name] = value
        elif name in schema.get("required", ()):
            filled[name] = item.text if field.get("type") == "string" else 0
    return filled


def text(words: str) -> dict[str, Any]:
    """A text block."""
    return {"type": "text", "text": words}


def use(name: str, input: Mapping[str, Any]) -> dict[str, Any]:
    """A tool_use block, but for its id, which the wire gives."""
    return {"type": "tool_use", "name": name, "input": dict(input)}


def introduction() -> str:
    """What the practice model answers to anything that it cannot do."""
    prompts = "\n".join(f"- {tasks.load(name).prompt}" for name in tasks.names())
    return (
        "I am a practice model: a program that plays a model's part, with real tool calls but "
        f"no intelligence. This is what I can do:\n\n{prompts}\n\n"
        "For anything else, connect a real model: the README says how, under 'Use a real model'."
    )


def advice(task: Task) -> str:
    """What the practice model answers when it has no tools: words."""
    steps = "\n".join(f"{number}. {step.text}" for number, step in enumerate(task.steps, 1))
    return f"I have no tools here, so I can only say what I would do:\n\n{steps}"
