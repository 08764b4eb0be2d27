"""The todo list: the model writes it, the harness checks it, and the user can see it."""

import ast
import json
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from copy import deepcopy
from types import MappingProxyType
from typing import Any

from safetylib import escape

from .tools import Tool

__all__ = [
    "GONE",
    "IN_THE_LINE",
    "MARKS",
    "MAX_CHARS",
    "TodoManager",
    "read_list",
    "tidy",
    "unfinished",
]

MAX_ITEMS = 20  # as in the course learn-claude-code
MAX_CHARS = 1000  # of each text in an item: the whole list is sent again in every round
MARKS = {"pending": "[ ]", "in_progress": "[>]", "completed": "[x]"}
# The beginning of what the model reads if a list lacks what the list before it had.
GONE = "Compared with the last list, "
# The fields that each item has. The model must send them; `update` fills in an id and a status.
REQUIRED = ("id", "text", "status")
# The fields that the line of an item shows in their own way. Any other field is shown by name.
IN_THE_LINE = ("id", "text", "status", "activeForm")


class TodoManager:
    """One todo list. Each call of its tool replaces the whole list; nothing is patched.

    To add a field, extend `fields` with its JSON Schema: the model reads it, the `type` and `enum`
    of each item are checked, and the value is shown. Extend `check_list` to add a rule, and `line`
    to show an item differently. With `one_in_progress = False`, several tasks can be in progress.
    """

    name = "todo"
    # All lists share it, so it cannot be changed: `TodoManager.fields | {…}` makes a longer dict.
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
        self.fields = deepcopy(dict(self.fields))  # or a list could change those of all lists

    def update(self, items: Any) -> str:
        """Replace the list by `items` and return it rendered. Nothing else changes the list.

        `items` is a list of dicts, or one as a string. Raise ValueError with the item and the rule
        if it breaks one; the list is then unchanged.
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
        unknown = ", ".join(f"'{name!s:.60}'" for name in item if name not in self.fields)
        if unknown and item.get("status") is None:  # `"done": true` would be a pending task
            known = ", ".join(self.fields)
            raise ValueError(f"Item {position}: unknown field {unknown}, only {known}")
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
            elif name in REQUIRED:  # the text before a wrong status, as the course does it
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
            description="Write your plan for multi-step work and keep it up to date. Send the "
            "whole list each time. Mark a task in_progress before you start it, only one at a "
            "time, and completed as soon as it is done.",
            input_schema={
                "type": "object",
                "properties": {"items": {"type": "array", "maxItems": MAX_ITEMS, "items": item}},
                "required": ["items"],
            },
            run=self._answer,
            asks=False,  # it changes only the list
        )

    def _answer(self, items: Any) -> str:
        """Replace the list, and return what the model reads: the new list, and what it lacks.

        A model may send only the tasks that have changed, or two lists in one reply. Nothing is
        rejected, because it may also have given a task up.
        """
        before, open_before = texts_of(self.items), unfinished(self.items)
        shown = self.update(items)
        now, open_now = texts_of(self.items), unfinished(self.items)
        gone = [text for text in open_before if text not in now]
        # A second list in one reply often comes from the same state as the first one.
        reopened = [text for text in before if text not in open_before and text in open_now]
        found = {"unfinished tasks that are missing": gone, "no longer completed": reopened}
        said = ", ".join(f"{words}: {len(texts)}" for words, texts in found.items() if texts)
        if not said:
            return shown
        return f"{shown}\n\n{GONE}{said}. If this was not meant, send the whole list again."


def texts_of(items: Iterable[Any]) -> list[str]:
    """Return the texts of the items. A subclass may store odd items."""
    return [str(item.get("text")) for item in items if isinstance(item, Mapping)]


def unfinished(items: Iterable[Any]) -> list[str]:
    """Return the texts of the items that are not completed. A subclass may store odd items."""
    found = (item for item in items if isinstance(item, Mapping))
    return texts_of(item for item in found if item.get("status") != "completed")


def read_list(sent: Any) -> list[Any]:
    """Return the list in `sent`, which a model may also send as a string.

    Raise ValueError with the beginning of what was sent if there is none.
    """
    value = sent
    # Claude sends JSON in a string at times (opencode, issue 34652, July 2026), and Qwen3-Coder a
    # literal of Python, if its server does not correct it (vllm-mlx, issue 63, February 2026).
    for parse in (json.loads, ast.literal_eval) if isinstance(sent, str) else ():
        with suppress(ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
            value = parse(sent)
            break
    if not isinstance(value, list):
        raise ValueError(f"items must be a list, not {type(sent).__name__}: {sent!r:.60}")
    return value


def tidy(value: Any, schema: Mapping[str, Any]) -> Any:
    """Return `value`, corrected if that needs no guessing, or the default if it is left out."""
    # Models send an id as a number. (A bool is an int in Python, but not a number in JSON.)
    if type(value) in (int, float) and schema.get("type") == "string":
        value = str(value)
    if isinstance(value, str):
        value = escape.compose(escape.for_api(value.strip()))
    # An empty string means "left out", except for an enum: there it is an invalid value.
    if value == "" and "enum" not in schema:
        value = None
    return schema.get("default") if value is None else value


# The types of JSON Schema. (A bool is an int in Python, but not a number in JSON.)
TYPES: dict[str, Callable[[Any], bool]] = {
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "integer": lambda value: TYPES["number"](value) and value == int(value),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
    "null": lambda value: value is None,
}


def validate(value: Any, schema: Mapping[str, Any], problem: str) -> Any:
    """Return a copy of `value` if its type and enum allow it, or raise ValueError with `problem`.

    The other rules of a JSON Schema, such as `maximum`, are only told to the model.
    """
    # Enum values match case-insensitively; the list gets the spelling of the schema.
    for choice in schema.get("enum", ()):
        if str(choice).lower() == str(value).lower():
            value = choice
            break
    given = schema.get("type", [])
    types = [given] if isinstance(given, str) else given
    if types and not any(TYPES.get(one, bool)(value) for one in types):
        raise ValueError(f"{problem} '{value!s:.60}': must be {' or '.join(types)}")
    if "enum" in schema and value not in schema["enum"]:
        raise ValueError(f"{problem} '{value!s:.60}': must be one of {schema['enum']}")
    return deepcopy(value)  # or items would share a list or a default
