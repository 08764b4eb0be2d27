"""JSON Schemas: protect one from changes, and check a value against it."""

import copyreg
import json
from collections.abc import Mapping
from copy import deepcopy
from functools import cache
from types import MappingProxyType
from typing import Any

import fastjsonschema

# Without this line, copy.deepcopy() of a read-only schema fails. The copy can be changed.
copyreg.pickle(MappingProxyType, lambda schema: (dict, (dict(schema),)))  # type: ignore[arg-type, return-value]


def read_only(schema: Any) -> Any:
    """Return a JSON Schema of which no part can be changed."""
    if isinstance(schema, Mapping):
        return MappingProxyType({name: read_only(part) for name, part in schema.items()})
    return tuple(map(read_only, schema)) if isinstance(schema, list) else schema


def plain(schema: Any) -> Any:
    """Return the same schema as dicts and lists, which can be changed and written as JSON."""
    if isinstance(schema, Mapping):
        return {name: plain(part) for name, part in schema.items()}
    return list(map(plain, schema)) if isinstance(schema, list | tuple) else schema


def validate(value: Any, schema: Mapping[str, Any], problem: str) -> Any:
    """Return a copy of `value` if it fits the JSON Schema, or raise ValueError with `problem`."""
    # Enum values match case-insensitively; the list gets the spelling of the schema.
    for choice in schema.get("enum", ()):
        if str(choice).lower() == str(value).lower():
            value = choice
            break
    if rule := broken_rule(value, schema):
        raise ValueError(f"{problem} '{value!s:.60}': {rule}")
    return deepcopy(value)  # or items would share a list or a default


def broken_rule(value: Any, schema: Mapping[str, Any]) -> str | None:
    """Return the rule of `schema` that `value` breaks, such as "must be string", or None."""
    try:
        compile_schema(json.dumps(plain(schema)))(value)
    except fastjsonschema.JsonSchemaValueException as problem:
        return str(problem.message).removeprefix("data").strip()  # "data" stands for the value
    return None


@cache
def compile_schema(schema: str) -> Any:
    """Return the function that checks a value. Raise TypeError if `schema` is invalid."""
    try:
        # With use_default, the function would change the objects that it checks.
        return fastjsonschema.compile(json.loads(schema), use_default=False)
    except Exception as problem:  # the library raises many types, such as re.error for a pattern
        raise TypeError(f"{schema} is not a JSON Schema: {problem}") from None
