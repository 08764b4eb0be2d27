"""Right solutions of PriorityTodo in different styles."""

import json
from enum import StrEnum

from agentlib import TodoManager, Tool

from .marks import right


@right
class ByFields(TodoManager):
    fields = TodoManager.fields | {
        "priority": {"type": "string", "enum": ["high", "medium", "low"], "default": "medium"}
    }


@right
class LevelsFromBelow(TodoManager):
    """Another order of the words, a tuple, spread instead of |."""

    LEVELS = ("low", "medium", "high")
    fields = {
        **TodoManager.fields,
        "priority": {"enum": LEVELS, "type": "string", "default": LEVELS[1]},
    }


@right
class Required(TodoManager):
    """Requires the field in the schema, but accepts items without it."""

    fields = TodoManager.fields | {
        "priority": {"type": "string", "enum": ["high", "medium", "low"], "default": "medium"}
    }
    required = (*TodoManager.required, "priority")


@right
class InCheck(TodoManager):
    """Uses check(), line() and tool() instead of fields."""

    def check(self, item, position):
        clean = super().check(item, position)
        priority = str(item.get("priority") or "medium").strip().lower()
        if priority not in ("high", "medium", "low"):
            raise ValueError(f"Item {position}: {item['priority']!r} is no priority")
        return clean | {"priority": priority}

    def line(self, item):
        box, rest = super().line({k: v for k, v in item.items() if k != "priority"}).split("]", 1)
        return f"{box}] {item['priority'].upper():6}{rest}"

    def tool(self):
        old = super().tool()
        schema = json.loads(json.dumps(dict(old.input_schema)))
        schema["properties"]["items"]["items"]["properties"]["priority"] = {
            "type": "string",
            "enum": ["high", "medium", "low"],
        }
        return Tool(old.name, old.description, schema, self.update)


class Level(StrEnum):
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


@right
class WithAnEnum(TodoManager):
    fields = TodoManager.fields | {
        "priority": {"type": "string", "enum": list(Level), "default": Level.MEDIUM}
    }


@right
class FilledInCopies(TodoManager):
    """Adds the default to a copy of the item."""

    fields = TodoManager.fields | {"priority": {"enum": ["high", "medium", "low"]}}

    def check(self, item, position):
        return super().check({"priority": "medium"} | item, position)


@right
class AnotherNameForItems(TodoManager):
    fields = TodoManager.fields | {
        "priority": {"enum": ["high", "medium", "low"], "default": "medium"}
    }

    def update(self, todos):
        return super().update(todos)


@right
class FromScratch:
    """Implements the interface without TodoManager."""

    def __init__(self):
        self.items = []

    def update(self, items):
        items = json.loads(items) if isinstance(items, str) else items
        if not isinstance(items, list):
            raise ValueError("items must be a list")
        if len(items) > 20:
            raise ValueError("Max 20 todos allowed")
        new = []
        for n, item in enumerate(items, start=1):
            text = str(item.get("text", "")).strip()
            status = str(item.get("status", "pending")).strip().lower()
            priority = str(item.get("priority", "medium")).strip().lower()
            if not text:
                raise ValueError(f"Item {n}: text required")
            if status not in ("pending", "in_progress", "completed"):
                raise ValueError(f"Item {n}: invalid status '{status}'")
            if priority not in ("high", "medium", "low"):
                raise ValueError(f"Item {n}: invalid priority '{priority}'")
            new.append(
                {
                    "id": str(item.get("id", n)),
                    "text": text,
                    "status": status,
                    "priority": priority,
                    "activeForm": item.get("activeForm", ""),
                }
            )
        if any(len({item[name] for item in new}) < len(new) for name in ("id", "text")):
            raise ValueError("Two items are the same")
        if [item["status"] for item in new].count("in_progress") > 1:
            raise ValueError("Only one task can be in_progress at a time")
        self.items = new
        return self.render()

    def render(self):
        marks = {"pending": " ", "in_progress": ">", "completed": "x"}
        if not self.items:
            return "No todos."
        done = [item["status"] for item in self.items].count("completed")
        lines = [
            f"[{marks[item['status']]}] #{item['id']}: ({item['priority']}) "
            f"{item['text']} {item['activeForm']}"
            for item in self.items
        ]
        return "\n".join(lines) + f"\n{done}/{len(lines)}"

    def tool(self):
        words = {"type": "string"}
        item = {
            "type": "object",
            "properties": {
                "id": words,
                "text": words,
                "status": words | {"enum": ["pending", "in_progress", "completed"]},
                "priority": words | {"enum": ["high", "medium", "low"]},
            },
        }
        return Tool(
            "todo",
            "The plan.",
            {
                "type": "object",
                "properties": {"items": {"type": "array", "items": item}},
                "required": ["items"],
            },
            self.update,
        )


@right
class Grandchild(ByFields):
    """Inherits everything."""


class Described:
    """A mixin with the field."""

    fields = {
        **TodoManager.fields,
        "priority": {
            "type": "string",
            "enum": ["high", "medium", "low"],
            "default": "medium",
            "description": "What matters most?",
        },
    }


@right
class MixedIn(Described, TodoManager):
    pass
