"""The part of JSON Schema that describes one field of a todo item, without a library for it."""

import re
from collections.abc import Mapping
from typing import Any

TYPES: dict[str, type | tuple[type, ...]] = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "array": list,
    "object": dict,
    "null": type(None),
}
CHECKED = {"type", "enum", "minimum", "maximum", "minLength", "maxLength", "pattern", "items"}
IGNORED = {"title", "description", "default", "examples"}  # they only describe the field


def require_supported(fields: Mapping[str, Mapping[str, Any]]) -> None:
    """Raise NotImplementedError if a schema in `fields` has a keyword that is not checked."""
    for name, schema in fields.items():
        unknown = sorted(schema.keys() - CHECKED - IGNORED)
        unknown += [kind for kind in type_names(schema) if kind not in TYPES]
        if unknown:
            raise NotImplementedError(
                f"The schema of {name!r} has {', '.join(map(repr, unknown))}, which is not "
                f"supported. Keywords that are checked: {', '.join(sorted(CHECKED))}. "
                f"Types: {', '.join(TYPES)}."
            )
        if "items" in schema:
            require_supported({f"{name} items": schema["items"]})


def is_valid(value: Any, schema: Mapping[str, Any]) -> bool:
    """Return whether `value` fits the `schema`. A keyword for another type of value is ignored."""
    if not any(has_type(value, kind) for kind in type_names(schema)):
        return False
    if "enum" in schema and value not in schema["enum"]:
        return False
    if has_type(value, "number"):
        return bool(schema.get("minimum", value) <= value <= schema.get("maximum", value))
    if isinstance(value, str):
        fits = schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value))
        return fits and re.search(schema.get("pattern", ""), value) is not None
    if isinstance(value, list):
        return all(is_valid(each, schema.get("items", {})) for each in value)
    return True


def type_names(schema: Mapping[str, Any]) -> list[str]:
    """Return the types that `schema` allows: the one that it names, those that it lists, or all."""
    names = schema.get("type", list(TYPES))
    return names if isinstance(names, list) else [names]


def has_type(value: Any, name: str) -> bool:
    """Return whether `value` has the JSON type `name`."""
    # In Python True is an int and 1.0 is not; in JSON it is the other way round.
    if isinstance(value, bool):
        return name == "boolean"
    if isinstance(value, float) and value.is_integer():
        return name in ("integer", "number")
    return isinstance(value, TYPES[name])
