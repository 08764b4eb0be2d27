"""The plan: a todo list that the model writes, the harness checks, and everybody can see."""

import json
from collections.abc import Mapping
from contextlib import suppress
from copy import deepcopy
from typing import Any

from .readonly import ReadOnlyDict
from .tools import Tool

MAX_ITEMS = 20
MARKS = {"pending": "[ ]", "in_progress": "[>]", "completed": "[x]"}


class TodoManager:
    """One todo list. The model replaces the whole list at each call, and never patches it.

    Extend `fields` (JSON Schemas) to add a field, `check` to add a rule, `line` to change its text.
    """

    name = "todo"
    fields: Mapping[str, Mapping[str, Any]] = ReadOnlyDict(
        id={"type": "string", "description": "Unique. Its position, where left out."},
        text={"type": "string", "description": "What is to be done: 'Add tests'."},
        status={"type": "string", "enum": list(MARKS), "default": "pending"},
        activeForm={"type": "string", "description": "While it is done: 'Adding tests'."},
    )
    required: tuple[str, ...] = ("id", "text", "status")
    one_in_progress = True

    def __init__(self) -> None:
        self.items: list[dict[str, Any]] = []

    def update(self, items: Any) -> str:
        """Replace the list by `items`, and return it rendered. Nothing else changes the list.

        `items` is a list of dicts, or the same as JSON, which some models send. Raises
        ValueError, which names the item and the rule, and then leaves the list as it was.
        """
        if isinstance(items, str):
            with suppress(ValueError, RecursionError):
                items = json.loads(items)
        if not isinstance(items, list):
            raise ValueError("items must be a list")
        if len(items) > MAX_ITEMS:
            raise ValueError(f"Max {MAX_ITEMS} todos allowed")
        checked = [self.check(item, position) for position, item in enumerate(items, 1)]
        for name in ("id", "text"):
            require_unique(checked, name)
        started = [item for item in checked if item["status"] == "in_progress"]
        if self.one_in_progress and len(started) > 1:
            raise ValueError("Only one task can be in_progress at a time")
        self.items = checked
        return self.render()

    def check(self, item: Any, position: int) -> dict[str, Any]:
        """Return a clean copy of one `item` (`position` counts from 1), or raise ValueError."""
        if not isinstance(item, Mapping):
            raise ValueError(f"Item {position}: must be an object with a text and a status")
        clean: dict[str, Any] = {}
        for name, schema in self.fields.items():
            label = f"Item {clean.get('id', position)}"
            value = item.get(name)
            if type(value) in (int, float) and schema.get("type") == "string":
                value = str(value)
            if isinstance(value, str):
                value = value.strip().encode("utf-8", "replace").decode()
            # An empty field is one that was left out; an empty status is a wrong one.
            if value is None or (value == "" and name != "status"):
                value = schema.get("default")
            if value is None and name == "id":
                value = str(position)
            if value is not None:
                clean[name] = validate(value, schema, f"{label}: invalid {name}")
            elif name in self.required:
                raise ValueError(f"{label}: {name} required")
        return clean

    def render(self) -> str:
        """The list as text: a line for each item, and how many are completed."""
        if not self.items:
            return "No todos."
        done = sum(item["status"] == "completed" for item in self.items)
        lines = [" ".join(self.line(item).splitlines()) for item in self.items]
        return "\n".join(lines) + f"\n\n({done}/{len(self.items)} completed)"

    def line(self, item: Mapping[str, Any]) -> str:
        """One item as one line: `[>] #2: Add tests  <- Adding tests…`."""
        text = f"{MARKS.get(item['status'], '[?]')} #{item['id']}: {item['text']}"
        extra = [f"{name}: {item[name]}" for name in item if name not in TodoManager.fields]
        if extra:
            text += f" ({', '.join(extra)})"
        active = str(item.get("activeForm", "")).rstrip(".… ")
        if active and item["status"] == "in_progress":
            text += f"  <- {active}…"
        return text

    def tool(self) -> Tool:
        """The tool through which a model writes the list."""
        item = {"type": "object", "properties": dict(self.fields), "required": list(self.required)}
        items = {"type": "array", "maxItems": MAX_ITEMS, "items": item}
        return Tool(
            self.name,
            "Write your plan for work of several steps, and keep it up to date: send the whole "
            "list each time. Mark a task in_progress before you start it, only one at a time, "
            "and completed as soon as it is done.",
            {"type": "object", "properties": {"items": items}, "required": ["items"]},
            lambda items: self.update(items),  # whatever a subclass calls its argument
        )


def require_unique(items: list[dict[str, Any]], name: str) -> None:
    """Raise ValueError where two items have the same value in the field `name`."""
    seen = set()
    for item in items:
        if item[name] in seen:
            raise ValueError(f"Item {item['id']}: another item has the same {name}")
        seen.add(item[name])


def validate(value: Any, schema: Mapping[str, Any], problem: str) -> Any:
    """A copy of `value` where the JSON Schema allows it; raises ValueError(`problem` …) if not.

    A value of an enum is known in capital letters, too.
    """
    import jsonschema_rs  # late, because it takes as long to import as all the rest

    choices = schema.get("enum", ())
    value = next((c for c in choices if str(c).lower() == str(value).lower()), value)
    if not jsonschema_rs.is_valid(dict(schema), value):
        raise ValueError(f"{problem} '{value}'")
    return deepcopy(value)
