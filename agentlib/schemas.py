"""JSON Schemas: protect one from changes, and check a value against it."""

import json
from abc import ABCMeta
from collections.abc import Mapping
from copy import deepcopy
from functools import cache
from typing import Any

import fastjsonschema

__all__ = ["SharedFields"]

SHARED = (
    "All lists share `fields`, so it cannot be changed. Make a new one in the body of your class: "
    "`fields = MyTodo.fields | {…}`, with the name of the class that you extend."
)


def refuse(self: Any, *_: Any, **__: Any) -> Any:
    """Raise TypeError: what was called would change a JSON Schema that all lists share."""
    raise TypeError(SHARED)


class ReadOnlyDict(dict[str, Any]):
    """A dict that cannot be changed, and can be written as JSON. A copy of it can be changed."""

    __setitem__ = __delitem__ = __ior__ = refuse
    clear = pop = popitem = setdefault = update = refuse

    def __reduce__(self) -> Any:
        return dict, (dict(self),)


def read_only(schema: Any) -> Any:
    """Return a JSON Schema whose fields cannot be changed, and those inside of them neither."""
    if not isinstance(schema, dict):
        return schema
    return ReadOnlyDict({name: read_only(part) for name, part in schema.items()})


class SharedFields(ABCMeta):
    """The class of a list's class. It makes `fields` read-only, and refuses to replace it."""

    def __init__(cls, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        if "fields" in vars(cls):
            super().__setattr__("fields", read_only(vars(cls)["fields"]))

    def __setattr__(cls, name: str, value: Any) -> None:
        if name == "fields" and name in vars(cls):
            raise TypeError(SHARED)
        super().__setattr__(name, read_only(value) if name == "fields" else value)


def validate(value: Any, schema: Mapping[str, Any], problem: str) -> Any:
    """Return a copy of `value` if it fits the JSON Schema, or raise ValueError with `problem`."""
    # Enum values match case-insensitively; the list gets the spelling of the schema.
    for choice in schema.get("enum", ()):
        if str(choice).lower() == str(value).lower():
            value = choice
            break
    try:
        compile_schema(json.dumps(schema))(value)
    except fastjsonschema.JsonSchemaValueException as error:
        rule = str(error.message).removeprefix("data").strip()  # "data" stands for the value
        raise ValueError(f"{problem} '{value!s:.60}': {rule}") from None
    return deepcopy(value)  # or items would share a list or a default


@cache
def compile_schema(schema: str) -> Any:
    """Return the function that checks a value. Raise TypeError if `schema` is invalid."""
    try:
        # With use_default, the function would change the objects that it checks.
        return fastjsonschema.compile(json.loads(schema), use_default=False)
    except Exception as problem:  # the library raises many types, such as re.error for a pattern
        raise TypeError(f"{schema} is not a JSON Schema: {problem}") from None
