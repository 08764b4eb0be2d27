"""The input of a call whose arguments are no JSON, and its error result."""

import json
from collections.abc import Mapping
from typing import Any

NO_JSON = "arguments that are no JSON"  # the only field of such a call: its value is what was sent
WRONG = (
    "the arguments of your call are no JSON: {}. Send the call again. In a text, write a quote as "
    r"\" and a backslash as \\."
)


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
