"""One step of a run that is kept."""

from dataclasses import dataclass
from typing import Any

from ..loop import Round


@dataclass(frozen=True)
class Step:
    """One step of a run: a Round, and how things stood after it.

    A step without a `round` is a prompt, as the first one is, or a round that was stopped.
    `messages` are those that the step added, as they are on the wire; `items` is the todo list,
    `waited` the rounds without a call of the todo tool.
    """

    round: Round | None
    messages: tuple[dict[str, Any], ...]
    items: tuple[dict[str, Any], ...]
    waited: int
