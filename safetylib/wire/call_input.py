"""Read the arguments of a call, which a model writes as JSON: whole, cut off, or no JSON."""

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from pydantic_core import from_json

NO_JSON = "arguments that are no JSON"  # the only field of such a call: its value is what was sent
WRONG = (
    "the arguments of your call are no JSON: {}. Send the call again. In a text, write a quote as "
    r"\" and a backslash as \\."
)


def read_input(sent: str) -> tuple[Any, bool]:
    """Return the input of a call, and whether all of it has come.

    Only the beginning of some JSON is cut off. The parser's place does not tell it: a model that
    does not escape the quotes of a text also has an error at its end. Line breaks in a text are
    read, as models send them.
    """
    try:
        return json.loads(sent, strict=False), True
    except (ValueError, RecursionError):
        plain = re.sub(r"[\x00-\x1f]", " ", sent)  # `from_json` reads no line break in a text
        try:
            from_json(plain)
        except ValueError as problem:
            if str(problem).startswith("EOF"):
                with suppress(ValueError):
                    return from_json(plain, allow_partial="trailing-strings"), False
                return {}, False
        return {NO_JSON: sent}, True


def refuse_no_json(tool_input: Mapping[str, Any]) -> None:
    """Raise ValueError, with the parser's words and place, for a call whose input is no JSON."""
    if [*tool_input] == [NO_JSON]:
        words = "it is nested too deep"
        try:
            json.loads(tool_input[NO_JSON], strict=False)
        except ValueError as problem:
            words = str(problem)
        except RecursionError:
            pass
        raise ValueError(WRONG.format(words))
