"""The todo list: the model writes it, the harness checks it, and the user can see it."""

from collections.abc import Mapping
from copy import deepcopy
from types import MappingProxyType
from typing import Any

from safetylib.guard import escape
from safetylib.wire.odd_lists import find_lost, read_list, tidy, validate

from .tools import Tool

__all__ = ["IN_THE_LINE", "MARKS", "MAX_CHARS", "TodoManager"]

MAX_ITEMS = 20  # as in the course learn-claude-code
MAX_CHARS = 1000  # of each text in an item: the whole list is sent again in every round
MARKS = {"pending": "[ ]", "in_progress": "[>]", "completed": "[x]"}
# The fields that each item has. The model must send them; `update` fills in an id and a status.
REQUIRED = ("id", "text", "status")
# The fields that the line of an item shows in their own way. Any other field is shown by name.
IN_THE_LINE = ("id", "text", "status", "activeForm")


class TodoManager:
    """One todo list. Each call of its tool replaces the whole list; nothing is patched.

    A learner writes a smaller class (notebooks/solutions/todo.py). This one also has schemas that a
    subclass can extend, and it corrects what models send.

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
        if lost := find_lost(item, self.fields):
            allowed = ", ".join(self.fields)
            raise ValueError(f"Item {position}: unknown field {lost}, only {allowed}")
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
            run=self.update,
            asks=False,  # it changes only the list
        )
