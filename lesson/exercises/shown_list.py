"""The base of the learner's list: it shows the items, and the learner writes the rest."""

from typing import Any

from agentlib import TodoManager
from agentlib.schemas import SharedFields


class Shown(metaclass=SharedFields):
    """A list that can show its items, whatever they are. It has no `fields` and no `update` yet.

    The `fields` of a class that extends it cannot be changed once the class is made.
    """

    def __init__(self) -> None:
        self.items: list[Any] = []

    render = TodoManager.render
    line = TodoManager.line
