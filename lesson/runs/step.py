"""One step of a recorded run."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NotRequired, TypedDict

from agentlib.loop import Round
from agentlib.tools import Call

from ..window import Message, is_list_tool


class Item(TypedDict):
    """An item of the todo list. It may have other fields, which an exercise has added."""

    id: str
    text: str
    status: str
    activeForm: NotRequired[str]


@dataclass(frozen=True)
class Step:
    """One step of a run: a Round, and the state after it.

    `round` is None for a prompt (the first step is one) and for a round that was interrupted.
    `messages` are those the step added, in the API's format; `items` is the todo list; `waited` is
    the number of rounds since the last todo call.
    """

    round: Round | None
    messages: tuple[Message, ...]
    items: tuple[Item, ...]
    waited: int


def count_waited(before: int, calls: Iterable[Call]) -> int:
    """Return the rounds since the last call of a list tool, after a round with `calls`."""
    names = [call.name for call in calls]
    if any(map(is_list_tool, names)):
        return 0
    return before + 1 if names else before
