"""What agentlib uses of jsonschema-rs, by jsonschema: the former has no wheel for a browser."""

import json
from functools import cache

import jsonschema

DIALECT = jsonschema.Draft202012Validator


@cache
def is_valid_text(schema: str, instance: str) -> bool:
    return DIALECT(json.loads(schema)).is_valid(json.loads(instance))


def is_valid(schema: dict, instance: object) -> bool:
    """Whether the JSON Schema allows the instance; both are JSON."""
    # The same tools come with every request, and jsonschema takes milliseconds for each.
    return is_valid_text(json.dumps(schema), json.dumps(instance))


class Draft202012Validator:
    def __init__(self, schema: dict) -> None:
        self.schema = schema

    def is_valid(self, instance: object) -> bool:
        return is_valid(self.schema, instance)
