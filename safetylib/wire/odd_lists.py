"""Read a list as models send it: as a string, with a number for an id, in capital letters."""

import ast
import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from ..guard import escape


def read_list(sent: Any) -> list[Any]:
    """Return the list in `sent`, which a model may also send as a string.

    Raise ValueError with the beginning of what was sent if it is not a list.
    """
    value = sent
    if isinstance(sent, str):
        # Claude sends JSON in a string at times (opencode, issue 34652, July 2026), Qwen3-Coder
        # a literal of Python, unless its server corrects it (vllm-mlx, issue 63, February 2026).
        for parse in (json.loads, ast.literal_eval):
            with suppress(ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
                value = parse(sent)
                break
    if not isinstance(value, list):
        raise ValueError(f"items must be a list, not {type(sent).__name__}: {sent!r:.60}")
    return value


def spell_fields(item: Any, fields: Mapping[str, Any]) -> Any:
    """Return a copy of an item with each field spelled as its schema says.

    `fields` are JSON Schemas by name. What is no dict is returned itself.
    """
    if not isinstance(item, dict):
        return item
    return {name: spell(value, fields.get(name, {})) for name, value in item.items()}


def spell(value: Any, schema: Mapping[str, Any]) -> Any:
    """Return `value`, corrected where the meaning is certain: spaces, signs, and an enum's case."""
    # Models send an id as a number.
    if type(value) in (int, float) and schema.get("type") == "string":
        value = str(value)
    if not isinstance(value, str):
        return value
    value = escape.compose(escape.for_api(value.strip()))
    enum = schema.get("enum")
    choices = enum if isinstance(enum, list | tuple) else []
    return next((choice for choice in choices if str(choice).lower() == value.lower()), value)


def find_lost(item: Any, fields: Mapping[str, Any]) -> str:
    """Return the names of fields that a list does not have, if it would lose what they say, or "".

    `"done": true` would be a pending task, and the tasks in `children` would be gone. `fields` are
    JSON Schemas by name.
    """
    if not isinstance(item, dict) or "status" not in fields:
        return ""
    unknown = {name: value for name, value in item.items() if name not in fields}
    nested = any(value and isinstance(value, list | dict) for value in unknown.values())
    is_lost = nested or unknown and item.get("status") is None
    return ", ".join(f"'{name!s:.60}'" for name in unknown) if is_lost else ""
