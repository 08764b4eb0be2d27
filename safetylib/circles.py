"""Notice a model that goes in circles: it makes one call again and again, and reads the same."""

from collections.abc import Sequence
from itertools import takewhile
from typing import Any

SAME_CALLS = 5  # in a row: a model that looks again at a test or a server stops sooner
CIRCLE = (
    "The model has made the same call {} times in a row, and read the same result: {}. It goes in "
    "circles, so more requests may not help: change the prompt, or choose another model."
)


def count_same(calls: Sequence[Any]) -> int:
    """Return how many of the last calls are the same: the name, the input and the output."""
    parts = [(call.name, call.input, call.output) for call in calls]
    return len([*takewhile(lambda one: one == parts[-1], reversed(parts))])


def describe_circle(calls: Sequence[Any]) -> str:
    """Return that the model goes in circles, or "". `calls` are those of a run, in their order."""
    same = count_same(calls)
    return CIRCLE.format(same, calls[-1]) if same >= SAME_CALLS else ""
