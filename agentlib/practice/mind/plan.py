"""The plan as the mind holds it, and the todo calls that write it down."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .attention import VisibleHistory, list_schema, todo_items
from .reminders import mentions
from .steps import Reply, is_done, is_hopeless, reply_with, tool_use, work_done
from .tasks import Step, Task

STATUSES = ("pending", "in_progress", "completed")
CATCH_ALL = "Finish the rest"  # what it writes for all that it has forgotten
TEXT_FIELDS = ("text", "content", "title", "task")
EMPTY_VALUES = {"integer": 0, "number": 0, "boolean": False, "array": [], "object": {}}


@dataclass(frozen=True)
class Item:
    """One line of the plan: a text, the step that it means, and where it stands."""

    text: str
    step: Step | None
    status: str


def item_from_list(item: Mapping[str, Any], task: Task, view: VisibleHistory) -> Item:
    """One item of a todo list, brought up to date with what was done since."""
    said = text_of(item)
    step = task.step(said)
    has_ended = item["status"] == "completed" or said == CATCH_ALL
    if has_ended or (step and is_done(step, view)):
        return Item(said, step, "completed")
    return Item(said, step, item["status"])


def text_of(item: Mapping[str, Any]) -> str:
    """What an item of a todo list says is to be done, whatever that field is called."""
    return str(next((item[field] for field in TEXT_FIELDS if field in item), ""))


def item_for_step(step: Step, view: VisibleHistory) -> Item:
    """An item for a step that is on no list yet."""
    return Item(step.text, step, "completed" if is_done(step, view) else "pending")


def steps_in_order(plan: list[Item], view: VisibleHistory, told: Step | None) -> list[Step]:
    """The steps to do, in their order: what is in progress, the one it was `told`, what is pending.

    Of several in progress, the one that least was done for: so a model that starts everything
    hops from one to the next.
    """
    started = [item.step for item in plan if item.step and item.status == "in_progress"]
    started.sort(key=lambda step: work_done(step, view))
    pending = [item.step for item in plan if item.step and item.status == "pending"]
    return [*started, *([told] if told else []), *pending]


def write_list(
    words: str,
    plan: list[Item],
    view: VisibleHistory,
    *,
    told: Step | None = None,
    eager: bool = False,
) -> Reply:
    """Write `plan` with the todo tool, with every field that its schema has.

    What is in progress stays so while it can go on. Then it is the step that the model was `told`,
    or the first that can go on. An `eager` model starts everything.
    """
    assert view.todo
    name, schema = list_schema(view.tools[view.todo]) or ("items", {"properties": {}})
    current = item_to_start(plan, view, told)
    items = []
    for number, item in enumerate(plan, 1):
        status = item.status
        if status != "completed":
            status = "in_progress" if eager or item is current else "pending"
        items.append(fill_fields(schema, number, item, status))
    return reply_with(words, tool_use(view.todo, {name: items}))


def item_to_start(plan: list[Item], view: VisibleHistory, told: Step | None) -> Item | None:
    """The item to mark as in progress, or None where nothing can go on."""
    open_items = [item for item in plan if item.status != "completed"]
    possible = [item for item in open_items if not (item.step and is_hopeless(item.step, view))]
    started = [item for item in possible if item.status == "in_progress"]
    named = [item for item in possible if item.step and item.step is told]
    return next(iter(started + named + possible), None)


def fill_fields(schema: Mapping[str, Any], number: int, item: Item, status: str) -> dict[str, Any]:
    """A todo item with the fields that the tool's `schema` has."""
    known = {"id": str(number), "text": item.text, "content": item.text, "status": status}
    if item.step:
        known |= {"activeForm": item.step.activeForm, "priority": item.step.priority}
    filled = {}
    for name, field in schema["properties"].items():
        value = known.get(name)
        choices = field.get("enum")
        if value is None or (choices and value not in choices):
            value = field.get("default", choices[0] if choices else None)
        if value is not None:
            filled[name] = value
        elif name in (schema.get("required") or ()):
            filled[name] = EMPTY_VALUES.get(str(field.get("type")), item.text)
    return filled


def repair_list(task: Task, view: VisibleHistory) -> Reply:
    """Send a refused list again, changed as the error says."""
    assert view.todo and view.last
    name, schema = list_schema(view.tools[view.todo]) or ("items", {"properties": {}})
    items, error = todo_items(view.last.input), view.last.output
    limit = re.search(r"max\D*(\d+)", error, re.IGNORECASE)
    field = re.search(r"invalid (\w+)", error)
    missing = missing_steps(items, error, task)
    if missing:
        items = restore_steps(items, missing, schema)
    elif "in_progress" in error:
        started = [item for item in items if item["status"] == "in_progress"]
        for item in started[1:]:
            item["status"] = "pending"
    elif limit:
        items = items[: int(limit[1])]
    elif field:
        choices = schema["properties"].get(field[1], {}).get("enum") or [""]
        for item in items:
            item[field[1]] = item["status"] if field[1] == "status" else choices[0]
    else:
        items = [keep_required(item, schema) for item in items]
    words = "My list was not accepted, so I correct it."
    return reply_with(words, tool_use(view.todo, {name: items}))


def missing_steps(items: list[dict[str, Any]], error: str, task: Task) -> list[Step]:
    """The steps that a refusal names and the refused list does not have."""
    sent = [task.step(text_of(item)) for item in items]
    return [mention.step for mention in mentions(error, task) if mention.step not in sent]


def restore_steps(
    items: list[dict[str, Any]], missing: list[Step], schema: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """The list with the missing steps in place of its catch-all; the first of them is begun."""
    kept = [item for item in items if text_of(item) != CATCH_ALL]
    for number, step in enumerate(missing, len(kept) + 1):
        status = "in_progress" if step is missing[0] else "pending"
        kept.append(fill_fields(schema, number, Item(step.text, step, status), status))
    return kept


def keep_required(item: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """An item with the fields that the schema requires, or with all where it requires none."""
    return {key: item[key] for key in schema.get("required") or item if key in item}


def statuses(view: VisibleHistory) -> list[str]:
    """The statuses that the todo tool's schema allows."""
    assert view.todo
    _, schema = list_schema(view.tools[view.todo]) or ("items", {"properties": {}})
    return schema["properties"]["status"].get("enum") or list(STATUSES)


def refusals(view: VisibleHistory) -> int:
    """How many of the todo calls in view were refused since the last that was accepted."""
    accepted = [call.ok for call in reversed(view.calls) if call.tool == view.todo]
    return accepted.index(True) if True in accepted else len(accepted)
