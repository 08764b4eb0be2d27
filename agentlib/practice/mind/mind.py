"""What decides the practice model's next reply: a plan in view is followed, a lost one is not.

A mind is any function from a request of the Messages API to the content of a reply. It has no
memory of its own, no clock and no chance: the same request always gets the same reply.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from . import tasks
from .attention import View, item_fields, todo_items
from .steps import doing, effort, is_done, is_hopeless, looking, next_reply, text, use
from .tasks import Action, Step, Task

ATTENTION = 12
PATIENCE = 200
REST = "Finish the rest"
NOTES = """# Notes

- The code is short and easy to read.
- Perhaps it could be faster.
"""
STATUSES = ("pending", "in_progress", "completed")
BLANK = {"integer": 0, "number": 0, "boolean": False, "array": [], "object": {}}

Reply = list[dict[str, Any]]


@dataclass(frozen=True)
class Item:
    """One line of the plan as the mind holds it: a text, the step it means, where it stands."""

    text: str
    step: Step | None
    status: str


class PracticeMind:
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

    def __call__(self, request: Mapping[str, Any]) -> Reply:
        """The content blocks of the reply to `request`."""
        view = View(request, self.attention)
        task = tasks.find(view.prompt)
        if task is None:
            return [text(introduction())]
        if words := obstacle(task, view):
            return [text(words)]

        refused, listed = refusals(view), view.plan()
        if refused == 1 and view.last.tool == view.todo:
            return self.mend(view)
        if listed:
            plan = [up_to_date(item, task, view) for item in listed]
        elif view.whole:
            plan = [Item(step.text, step, standing(step, view)) for step in task.steps]
        else:
            return self.drift(task, view)

        # Refused twice in a row, it works on without its list.
        trusted = bool(view.todo) and not refused
        if trusted and not listed:
            return self.write("I list the steps first, then I work through them.", plan, view)
        if trusted and is_due(view):
            return self.write("Right: my list is behind.", plan, view)
        for item in in_order(plan, view):
            if item.step and (reply := next_reply(item.step, view)):
                return reply
        if trusted and [item["status"] for item in listed] != [item.status for item in plan]:
            return self.write("Last, my list: it should say how things stand.", plan, view)
        return [text(last_words(task, plan))]

    def write(self, words: str, plan: list[Item], view: View) -> Reply:
        """Write `plan` with the todo tool, with every field that its schema has."""
        name, schema = item_fields(view.tools[view.todo])
        items, started = [], False
        for number, item in enumerate(plan, 1):
            status = item.status
            if status != "completed":
                can_go_on = item.step is None or not is_hopeless(item.step, view)
                start = self.eager or can_go_on and not started
                status = "in_progress" if start else "pending"
                started = started or status == "in_progress"
            items.append(fields(schema, number, item, status))
        return [text(words), use(view.todo, {name: items})]

    def mend(self, view: View) -> Reply:
        """Send a refused list again, changed as the error says."""
        name, schema = item_fields(view.tools[view.todo])
        items, error = todo_items(view.last.input), view.last.output
        if "in_progress" in error:
            started = [item for item in items if item["status"] == "in_progress"]
            for item in started[1:]:
                item["status"] = "pending"
        elif limit := re.search(r"max\D*(\d+)", error, re.IGNORECASE):
            items = items[: int(limit[1])]
        elif field := re.search(r"invalid (\w+)", error):
            choices = schema["properties"].get(field[1], {}).get("enum") or [""]
            for item in items:
                item[field[1]] = item["status"] if field[1] == "status" else choices[0]
        else:
            items = [
                {key: item[key] for key in schema.get("required") or item if key in item}
                for item in items
            ]
        return [text("My list was not accepted. I mend it."), use(view.todo, {name: items})]

    def drift(self, task: Task, view: View) -> Reply:
        """What it does when its plan is out of view: each move follows from the call before it.

        It cannot know how much it forgot. So a reminder gets a list of what it still sees, which
        is short, and looks complete.
        """
        if is_due(view) and not refusals(view):
            known = [
                Item(step.text, step, "completed") for step in task.steps if is_done(step, view)
            ]
            words = "My list? As far as I can see, I have done this."
            return self.write(words, [*known, Item(REST, None, "pending")], view)
        first = task.steps[0]
        notes = Action("write_file", {"path": "NOTES.md", "content": NOTES})
        moves = [
            ("Where was I? Let me look at the files again.", looking_around(first, view)),
            (f"{first.text}: I had better do this first.", doing(first.actions[0], view)),
            ("While I am here, some notes on this project would be useful.", doing(notes, view)),
        ]
        moves = [(words, call) for words, call in moves if call]
        made = [
            number
            for number, (_, call) in enumerate(moves, 1)
            if view.last and (view.last.tool, view.last.input) == (call["name"], call["input"])
        ]
        if max(made, default=0) == len(moves):
            return [text("This looks good to me. The work is complete.")]
        words, call = moves[max(made, default=0)]
        return [text(words), call]


def obstacle(task: Task, view: View) -> str | None:
    """Why it does not begin, or stops, as what it then says; None where it can go on."""
    if not view.tools:
        return advice(task)
    if view.todo and not all(status in statuses(view) for status in STATUSES):
        return (
            f"I know the statuses {', '.join(STATUSES)}, and this todo tool has others: "
            f"{', '.join(map(str, statuses(view)))}. So I cannot keep its list."
        )
    if view.length > PATIENCE:
        return "I have been at this for very long, so I stop here."
    worked = [seen for seen in view.seen if seen.tool != view.todo][-2:]
    if len(worked) == 2 and not any(seen.ok for seen in worked):
        return (
            f"Two calls in a row have failed, so I stop: {worked[-1].output} "
            f"(I can do this job in its own project: the sample '{task.name}'.)"
        )
    return None


def statuses(view: View) -> list[str]:
    """The statuses that the todo tool's schema allows."""
    _, schema = item_fields(view.tools[view.todo])
    return schema["properties"]["status"].get("enum") or list(STATUSES)


def refusals(view: View) -> int:
    """How many of the todo calls in view were refused since the last that was accepted."""
    written = [seen.ok for seen in reversed(view.seen) if seen.tool == view.todo]
    return written.index(True) if True in written else len(written)


def is_due(view: View) -> bool:
    """Whether a reminder has come that the list has not followed yet."""
    return bool(view.todo and view.reminder and view.last and view.last.tool != view.todo)


def up_to_date(item: Mapping[str, Any], task: Task, view: View) -> Item:
    """One item of the list in view, with what was done since."""
    said = str(next((v for k, v in item.items() if k in ("text", "content", "title", "task")), ""))
    step = task.step(said)
    done = said == REST or item.get("status") == "completed" or step and is_done(step, view)
    return Item(said, step, "completed" if done else item.get("status", "pending"))


def standing(step: Step, view: View) -> str:
    """The status of a step that is on no list."""
    return "completed" if is_done(step, view) else "pending"


def in_order(plan: list[Item], view: View) -> list[Item]:
    """What is not done yet, in the order in which to take it: what is in progress comes first.

    Of several in progress, the one that least was done for: so a model that starts everything
    hops from one to the next.
    """
    started = [item for item in plan if item.status == "in_progress"]
    started.sort(key=lambda item: effort(item.step, view) if item.step else 0)
    return started + [item for item in plan if item.status == "pending"]


def last_words(task: Task, plan: list[Item]) -> str:
    """What it says at the end: what is left, or that all is done, as far as it knows."""
    left = [item.text for item in plan if item.status != "completed"]
    if left:
        return f"I could not do this: {'; '.join(left)}."
    planned = [item.step for item in plan]
    whole = all(step in planned for step in task.steps)
    return task.closing if whole else "Everything on my list is done."


def looking_around(step: Step, view: View) -> dict[str, Any] | None:
    """The call of somebody who has lost the thread: the file of a step, or what files there are."""
    path = step.actions[0].input.get("path")
    return looking(path, view) if path else doing(Action("bash", {"command": "ls"}), view)


def fields(schema: Mapping[str, Any], number: int, item: Item, status: str) -> dict[str, Any]:
    """A todo item with the fields that the tool's `schema` has."""
    step = item.step
    known = {"id": str(number), "text": item.text, "content": item.text, "status": status}
    if step:
        known |= {"activeForm": step.activeForm, "priority": step.priority}
    filled = {}
    for name, field in schema["properties"].items():
        choices, value = field.get("enum"), known.get(name)
        if value is None or choices and value not in choices:
            value = field.get("default", choices[0] if choices else None)
        if value is not None:
            filled[name] = value
        elif name in (schema.get("required") or ()):
            filled[name] = BLANK.get(str(field.get("type")), item.text)
    return filled


def introduction() -> str:
    """What the practice model answers to anything that it cannot do."""
    prompts = "\n".join(f"- {tasks.load(name).prompt.strip()}" for name in tasks.names())
    return (
        "I am a practice model: a program that plays a model's part, with real tool calls but "
        f"no intelligence. This is what I can do:\n\n{prompts}\n\n"
        "For anything else, connect a real model: the README says how, under 'Use a real model'."
    )


def advice(task: Task) -> str:
    """What the practice model answers when it has no tools: words."""
    steps = "\n".join(f"{number}. {step.text}" for number, step in enumerate(task.steps, 1))
    return f"I have no tools here, so I can only say what I would do:\n\n{steps}"
