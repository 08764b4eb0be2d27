"""The todo list: the model writes it, the harness checks it, and the user can see it."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from copy import deepcopy
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from safetylib.guard import escape
from safetylib.wire.odd_lists import read_list, tidy, validate

from .tools import Tool

__all__ = [
    "GONE",
    "IN_THE_LINE",
    "MARKS",
    "MAX_CHARS",
    "TodoManager",
    "unfinished",
]

MAX_ITEMS = 20  # as in the course learn-claude-code
MAX_CHARS = 1000  # of each text in an item: the whole list is sent again in every round
MARKS = {"pending": "[ ]", "in_progress": "[>]", "completed": "[x]"}
# The beginning of the note to the model about tasks that a new list lacks.
GONE = "Compared with the last list, "
# The fields that each item has. The model must send them; `update` fills in an id and a status.
REQUIRED = ("id", "text", "status")
# The fields that the line of an item shows in their own way. Any other field is shown by name.
IN_THE_LINE = ("id", "text", "status", "activeForm")


class TodoManager:
    """One todo list. Each call of its tool replaces the whole list; nothing is patched.

    A learner writes a smaller class (notebooks/solutions/todo.py). This one also has schemas that a
    subclass can extend. It corrects what models send, and tells them which tasks a new list lacks.

    To add a field, extend `fields` with its JSON Schema: the model reads it, the `type` and `enum`
    of each item are checked, and the value is shown. Extend `check_list` to add a rule, and `line`
    to show an item differently. With `one_in_progress = False`, several tasks can be in progress.
    """

    name = "todo"
    # Read-only, because all lists share it: `TodoManager.fields | {…}` makes a longer dict.
    fields: Any = MappingProxyType(
        {
            "id": {"type": "string", "description": "Unique. Defaults to the item's position."},
            # No example: a model may take it for a task.
            "text": {"type": "string", "description": "What to do, in one line."},
            "status": {"type": "string", "enum": list(MARKS), "default": "pending"},
            "activeForm": {"type": "string", "description": "Shown in progress: an '-ing' form."},
        }
    )
    one_in_progress = True

    def __init__(self) -> None:
        self.items: list[dict[str, Any]] = []
        # A copy of its own: a list that changed the shared one would change those of all lists.
        self.fields = deepcopy(dict(self.fields))

    def update(self, items: Any) -> str:
        """Replace the list by `items` and return it rendered. Nothing else changes the list.

        `items` is a list of dicts, or such a list as a string. If an item breaks a rule, raise
        ValueError with the item and the rule; the list is then unchanged.
        """
        items = read_list(items)
        if len(items) > MAX_ITEMS:
            raise ValueError(f"Max {MAX_ITEMS} todos allowed")
        checked = [self._check(item, number) for number, item in enumerate(items, 1)]
        self.check_list(checked)
        # Every check is above this line, so a rejected list leaves the old one unchanged.
        old = self.items
        self.items = checked
        try:
            return self.render()
        except BaseException:
            # The model reads this as an error, so the list must not change: a subclass may raise.
            self.items = old
            raise

    def _check(self, item: Any, position: int) -> dict[str, Any]:
        """Return a clean copy of one `item` (`position` counts from 1), or raise ValueError."""
        if not isinstance(item, Mapping):
            raise ValueError(f"Item {position}: must be an object with text and status")
        unknown = {name: value for name, value in item.items() if name not in self.fields}
        nested = any(value and isinstance(value, list | dict) for value in unknown.values())
        # `"done": true` would be a pending task, and the tasks in `children` would be gone.
        if nested or unknown and item.get("status") is None:
            names = ", ".join(f"'{name!s:.60}'" for name in unknown)
            allowed = ", ".join(self.fields)
            raise ValueError(f"Item {position}: unknown field {names}, only {allowed}")
        clean: dict[str, Any] = {}
        for name, schema in (dict.fromkeys(REQUIRED, {}) | self.fields).items():
            value = tidy(item.get(name), schema)
            if value is None and name == "id":
                value = str(position)
            # An error names the item by its id. It is the first field, so it has been checked.
            label = f"Item {clean.get('id', position)}"
            if isinstance(value, str) and len(value) > MAX_CHARS:
                raise ValueError(
                    f"{label}: {name} has {len(value)} characters, max {MAX_CHARS}: shorten it"
                )
            if value is not None:
                clean[name] = validate(value, schema, f"{label}: invalid {name}")
            elif (
                name in REQUIRED
            ):  # a missing text is named before a wrong status, as in the course
                raise ValueError(f"{label}: {name} required")
        return clean

    def check_list(self, items: list[dict[str, Any]]) -> None:
        """Raise ValueError if the new list `items` breaks a rule.

        Each item has passed its own check, and `self.items` is still the old list.
        """
        # Items with equal text are the same task; with equal ids, the model could mean either.
        for name in ("id", "text"):
            seen = set()
            for item in items:
                if item[name] in seen:
                    raise ValueError(f"Item {item['id']}: another item has the same {name}")
                seen.add(item[name])
        started = [item for item in items if item["status"] == "in_progress"]
        if self.one_in_progress and len(started) > 1:
            raise ValueError("Only one task can be in_progress at a time")

    def render(self) -> str:
        """Return the list as text: one line for each item, then how many are completed."""
        if not self.items:
            return "No todos."
        done = sum(item.get("status") == "completed" for item in self.items)
        # A line break inside `text` would look like another item, so each item is one line.
        lines = [" ".join(self.line(item).splitlines()) for item in self.items]
        lines += ["", f"({done}/{len(self.items)} completed)"]
        # Other control characters could clear the screen.
        return escape.for_screen("\n".join(lines))

    def line(self, item: Mapping[str, Any]) -> str:
        """Return one item as one line: `[>] #2: Add tests  <- Adding tests…`."""
        mark = MARKS.get(str(item.get("status")), "[?]")  # a subclass can add a status
        number = f" #{item['id']}:" if item.get("id") not in (None, "") else ""
        extra = [f"{name}: {item[name]}" for name in item if name not in IN_THE_LINE]
        text = f"{mark}{number} {item['text']}" + (f" ({', '.join(extra)})" if extra else "")
        active = str(item.get("activeForm") or "").rstrip(".… ")  # models often send the dots
        if active and item.get("status") == "in_progress":
            text += f"  <- {active}…"
        return text

    def tool(self) -> Tool:
        """Return the tool with which the model writes the list."""
        required = [name for name in REQUIRED if name in self.fields]
        item = {"type": "object", "properties": self.fields, "required": required}
        return Tool(
            name=self.name,
            # Not `maxItems`, with which some servers reject each request.
            description="Write your plan for multi-step work and keep it up to date. Send the "
            f"whole list each time, of at most {MAX_ITEMS} tasks. Mark a task in_progress before "
            "you start it, only one at a time, and completed as soon as it is done.",
            input_schema={
                "type": "object",
                "properties": {"items": {"type": "array", "items": item}},
                "required": ["items"],
            },
            run=self._answer,
            asks=False,  # it changes only the list
        )

    def _answer(self, items: Any) -> str:
        """Replace the list. Return what the model reads: the new list, and which tasks it lacks.

        A model may send only the tasks that have changed, or two lists in one reply. A list that
        lacks tasks is accepted, because the model may have given them up.
        """
        before, open_before = texts_of(self.items), unfinished(self.items)
        shown = self.update(items)
        now, open_now = texts_of(self.items), unfinished(self.items)
        gone = [text for text in open_before if text not in now]
        # A second list in one reply often comes from the same state as the first one.
        reopened = [text for text in before if text not in open_before and text in open_now]
        differences = {"unfinished tasks that are missing": gone, "no longer completed": reopened}
        counts = ", ".join(f"{name}: {len(texts)}" for name, texts in differences.items() if texts)
        if counts:
            shown += f"\n\n{GONE}{counts}. If this was not meant, send the whole list again."
        return shown


def texts_of(items: Iterable[Any]) -> list[str]:
    """Return the texts of the items. A subclass may store odd items."""
    return [str(item.get("text")) for item in items if isinstance(item, Mapping)]


def unfinished(items: Iterable[Any]) -> list[str]:
    """Return the texts of the items that are not completed. A subclass may store odd items."""
    readable = (item for item in items if isinstance(item, Mapping))
    return texts_of(item for item in readable if item.get("status") != "completed")


def list_tool(todo: Any) -> Tool:
    """Return the tool of a list. The user is not asked, because it changes only the list.

    If the list has no `tool()` yet, or `tool()` raises NotImplementedError, the list gets the
    package's definition with its own `fields`. Raise ValueError for invalid fields.
    """
    if hasattr(todo, "tool"):
        with suppress(NotImplementedError):
            tool: Tool = todo.tool()
            return replace(tool, asks=False)
    model = TodoManager()
    model.fields = getattr(todo, "fields", model.fields)
    # Not `run=todo.update`: its argument may have another name.
    return replace(model.tool(), run=lambda items: todo.update(items))
