"""One frame of a recorded run."""

from dataclasses import dataclass
from typing import Any

from agentlib.loop import Round

from ..blocks import Message


@dataclass(frozen=True)
class Frame:
    """One frame of a run: a Round, and the state after it.

    `round` is None for a prompt (the first frame is one) and for a round that was interrupted.
    `messages` are those the frame added, in the API's format; `items` is the todo list; `waited` is
    the number of rounds since the last todo call.
    """

    round: Round | None
    messages: tuple[Message, ...]
    items: tuple[dict[str, Any], ...]
    waited: int
