"""The base class of the learner's list: it shows the items, and the learner writes the rest."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any

from .todo import TodoManager


class Shown:
    """A list that shows its items. A subclass adds `fields` and `update`."""

    fields: Any

    def __init__(self) -> None:
        self.items: list[Any] = []
        if hasattr(self, "fields"):
            self.fields = deepcopy(self.fields)  # or a list could change those of all lists

    render: Callable[..., str] = TodoManager.render
    line: Callable[..., str] = TodoManager.line
