"""TodoManager and Nag stay as they are: what a cell changed in them is noticed and undone."""

import re
from contextlib import suppress
from copy import deepcopy
from types import FunctionType, ModuleType
from typing import Any

from ... import nag, todo
from ...nag import Nag
from ...todo import TodoManager

CONTAINERS = (dict, list, set, bytearray)
CHANGE = re.compile(  # an assignment to something of a parent, or a method that changes it
    r"\b(TodoManager|Nag|todo|nag|agentlib)\.[\w.]+(\[[^\]]*\])*"
    r"(\s*\|?=(?!=)|\.(update|setdefault|append|extend|insert|pop|remove|clear)\()|\bsetattr\("
)
MISSING = object()
Owner = type | ModuleType


class Snapshot:
    """What these classes and modules hold; `restore` gives it back."""

    def __init__(self, *owners: Owner) -> None:
        self.saved = [(owner, *copy_content(owner)) for owner in owners]

    def list_changes(self) -> list[str]:
        """The names that have another value now: ["TodoManager.fields", "MAX_ITEMS"]."""
        changes = []
        for owner, content, _ in self.saved:
            now = read_content(owner)
            names = [name for name in {**content, **now} if not is_same(content, now, name)]
            changes += [qualify(owner, name) for name in names]
        return sorted(changes)

    def restore(self) -> None:
        """Give everything back as it was; names that were added go."""
        for owner, content, defaults in self.saved:
            now = read_content(owner)
            for name in {**content, **now}:
                with suppress(Exception):  # a class may refuse to be changed
                    if name not in content:
                        delattr(owner, name)
                    elif not is_same(content, now, name):
                        setattr(owner, name, copy_data(content[name]))
            for function, values in defaults:
                function.__defaults__ = deepcopy(values)


def read_content(owner: Owner) -> dict[str, Any]:
    """What belongs to a class, or the constants of a module."""
    with suppress(Exception):  # a metaclass may refuse to be looked into
        if isinstance(owner, ModuleType):
            return {name: value for name, value in vars(owner).items() if name.isupper()}
        members = vars(owner).items()
        return {
            name: value
            for name, value in members
            if isinstance(value, FunctionType) or not name.startswith(("__", "_abc"))
        }
    return {}


def copy_content(owner: Owner) -> tuple[dict[str, Any], list[tuple[FunctionType, Any]]]:
    """The content, data copied; and its functions, with a copy of their default arguments."""
    content = {name: copy_data(value) for name, value in read_content(owner).items()}
    defaults = []
    for value in content.values():
        if isinstance(value, FunctionType) and value.__defaults__:
            with suppress(Exception):  # what cannot be copied stays
                defaults.append((value, deepcopy(value.__defaults__)))
    return content, defaults


def copy_data(value: Any) -> Any:
    """A copy of a dict, a list or a set; anything else as it is."""
    if not isinstance(value, CONTAINERS):
        return value
    with suppress(Exception):
        return deepcopy(value)
    return value


def is_same(before: dict[str, Any], now: dict[str, Any], name: str) -> bool:
    """Whether a name has the value that it had."""
    old, new = before.get(name, MISSING), now.get(name, MISSING)
    with suppress(Exception):  # a learner's __eq__ may raise anything
        return bool(old == new) if isinstance(old, CONTAINERS) else old is new
    return False


def qualify(owner: Owner, name: str) -> str:
    """A name as it is written: "TodoManager.fields", but "MAX_ITEMS"."""
    return name if isinstance(owner, ModuleType) else f"{owner.__name__}.{name}"


PARENTS = {TodoManager: Snapshot(TodoManager, todo), Nag: Snapshot(Nag, nag)}


def changes(parent: type) -> list[str]:
    """What has been changed in `parent` (TodoManager or Nag) since it was imported, by name."""
    return PARENTS[parent].list_changes()


def restore_parents() -> None:
    """Give TodoManager and Nag back as they were imported."""
    for snapshot in PARENTS.values():
        snapshot.restore()


def is_to_blame(made: Any, cell: str) -> bool:
    """Whether the `cell` that defines `made` changed a parent, and not one that ran before it.

    Where it cannot be told (no class, a `cell` of ""), it is to blame.
    """
    if not cell or not isinstance(made, type) or vars(made).get("fields") is TodoManager.fields:
        return True
    return CHANGE.search(cell) is not None
