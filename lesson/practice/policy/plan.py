"""The policy's plan, and the todo calls that write it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from ...common.message_blocks import read_items
from ...samples.jobs import Job, Step
from .history import VisibleHistory, as_object
from .parse_reminder import open_steps
from .steps import Reply, count_work, is_blocked, is_seen_done, reply_with, tool_use

OPEN = ("pending", "in_progress")  # a list can have other statuses, which stay as they are
CATCH_ALL = "Finish the rest"  # one item for all the steps that cannot be seen
EMPTY_VALUES = {"integer": 0, "number": 0, "boolean": False, "array": [], "object": {}}


@dataclass(frozen=True)
class Item:
    """One item of the plan: its text, the step of the job that it names, and its status."""

    text: str
    step: Step | None
    status: str


def update_item(item: Mapping[str, Any], job: Job, view: VisibleHistory) -> Item:
    """Return an item of a todo list, completed if its step has been done since."""
    text = find_text(item)
    step = job.step(text)
    has_ended = text == CATCH_ALL or (step and is_seen_done(step, view))
    return Item(text, step, "completed" if has_ended else item["status"])


def find_text(item: Mapping[str, Any]) -> str:
    """Return the text of an item of a todo list. Some tools call this field `content`."""
    return str(item.get("text", item.get("content", "")))


def add_named(plan: list[Item], job: Job, view: VisibleHistory) -> list[Item]:
    """Return the plan with the steps that the user names as open since the last todo call.

    The user knows more than the list: add steps that are not on it, and reopen ticked ones.
    """
    if any(call.name == view.todo for call in view.calls_since):
        return plan
    named = [step for step in open_steps(view.follow_up, job) if not is_seen_done(step, view)]
    reopened = [
        replace(item, status="pending")
        if item.step in named and item.status == "completed"
        else item
        for item in plan
    ]
    planned = [item.step for item in plan]
    return [*reopened, *(make_item(step, view) for step in named if step not in planned)]


def make_item(step: Step, view: VisibleHistory) -> Item:
    return Item(step.text, step, "completed" if is_seen_done(step, view) else "pending")


def order_steps(plan: list[Item], view: VisibleHistory, suggested: Step | None) -> list[Step]:
    """Return the open steps in order: in progress, `suggested` by a reminder, pending.

    Of the steps in progress, the one with the least work done is first. So a model that starts
    all steps switches between them and finishes none.
    """
    started = [item.step for item in plan if item.step and item.status == "in_progress"]
    started.sort(key=lambda step: count_work(step, view))
    pending = [item.step for item in plan if item.step and item.status == "pending"]
    return [*started, *([suggested] if suggested else []), *pending]


def write_list(
    words: str,
    plan: list[Item],
    view: VisibleHistory,
    *,
    suggested: Step | None = None,
    eager: bool = False,
) -> Reply:
    """Return a todo call that writes `plan`, with every field that the tool's schema has.

    An item in progress stays in progress unless it is blocked. If there is none, start the step
    `suggested` by a reminder, or the first that is not blocked. An `eager` model starts all steps.
    """
    assert view.todo
    current = choose_item_to_start(plan, view, suggested)
    items = []
    for number, item in enumerate(plan, 1):
        if item.status in OPEN:
            is_started = eager or item is current
            item = replace(item, status="in_progress" if is_started else "pending")
        items.append(fill_fields(view.item_schema, number, item))
    return reply_with(words, tool_use(view.todo, {view.list_name: items}))


def choose_item_to_start(
    plan: list[Item], view: VisibleHistory, suggested: Step | None
) -> Item | None:
    """Return the item to mark as in progress, or None if all are blocked."""
    open_items = [item for item in plan if item.status in OPEN]
    possible = [item for item in open_items if not (item.step and is_blocked(item.step, view))]
    started = [item for item in possible if item.status == "in_progress"]
    named = [item for item in possible if item.step and item.step is suggested]
    return next(iter(started + named + possible), None)


def fill_fields(schema: Mapping[str, Any], number: int, item: Item) -> dict[str, Any]:
    """Return a todo item with the fields that the tool's `schema` has."""
    values = {"id": str(number), "text": item.text, "content": item.text, "status": item.status}
    if item.step:
        values |= {"activeForm": item.step.activeForm, "priority": item.step.priority}
    filled = {}
    for name, field in schema["properties"].items():
        field, value = as_object(field), values.get(name)
        choices = field.get("enum")
        if value is None or (choices and value not in choices):
            value = field.get("default", choices[0] if choices else None)
        if value is not None:
            filled[name] = value
        elif name in (schema.get("required") or ()):
            filled[name] = EMPTY_VALUES.get(str(field.get("type")), item.text)
    return filled


def repair_list(view: VisibleHistory) -> Reply:
    """Return a todo call with the rejected list, with one item in progress.

    If no more than one was in progress, each item keeps only its status and the required fields, or
    all fields if none is required.
    """
    assert view.todo and view.last
    items = read_items(view.last.input)
    started = [item for item in items if item["status"] == "in_progress"]
    if len(started) > 1:
        for item in started[1:]:
            item["status"] = "pending"
    else:
        if required := view.item_schema.get("required"):
            kept = {*required, "status"}
            items = [{key: item[key] for key in item if key in kept} for item in items]
    words = "My list was not accepted, so I correct it."
    return reply_with(words, tool_use(view.todo, {view.list_name: items}))


def count_rejected_lists(view: VisibleHistory) -> int:
    """Return the number of lists that were rejected since the last accepted one."""
    lists = [call for call in view.calls if call.name == view.todo]
    accepted = [number for number, call in enumerate(lists, 1) if call.ok]
    return len(lists) - max(accepted, default=0)
