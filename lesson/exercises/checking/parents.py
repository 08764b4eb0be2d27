"""TodoManager and Nag stay as they are: what a cell changed in them is noticed and undone."""

import re
from contextlib import suppress
from copy import deepcopy
from types import FunctionType, ModuleType
from typing import Any

from agentlib import nag, todo
from agentlib.nag import Nag
from agentlib.todo import TodoManager

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
        self.saved = []
        for owner in owners:
            content = read_content(owner)
            functions = [one for one in content.values() if isinstance(one, FunctionType)]
            defaults = [(one, copy_data(list(one.__defaults__ or ()))) for one in functions]
            copies = {name: copy_data(value) for name, value in content.items()}
            self.saved.append((owner, copies, defaults))

    def list_changes(self) -> list[str]:
        """The names that have another value now: ["TodoManager.fields", "MAX_ITEMS"]."""
        changes = []
        for owner, content, _ in self.saved:
            prefix = "" if isinstance(owner, ModuleType) else f"{owner.__name__}."
            changes += [prefix + name for name in find_changed(owner, content)]
        return sorted(changes)

    def restore(self) -> None:
        """Give everything back as it was; names that were added go."""
        for owner, content, defaults in self.saved:
            for name in find_changed(owner, content):
                with suppress(Exception):  # a class may refuse to be changed
                    if name in content:
                        setattr(owner, name, copy_data(content[name]))
                    else:
                        delattr(owner, name)
            for function, values in defaults:
                function.__defaults__ = tuple(copy_data(values)) or None


def read_content(owner: Owner) -> dict[str, Any]:
    """What belongs to a class, or the constants of a module."""
    with suppress(Exception):  # a metaclass may refuse to be looked into
        members = dict(vars(owner))
        if isinstance(owner, ModuleType):
            return {name: value for name, value in members.items() if name.isupper()}
        return {name: value for name, value in members.items() if is_written_down(name, value)}
    return {}


def is_written_down(name: str, value: Any) -> bool:
    """Whether a member of a class was written in its body, and not added by Python."""
    is_pythons = name.startswith(("__annotate", "_abc"))
    return not is_pythons and (isinstance(value, FunctionType) or not name.startswith("__"))


def find_changed(owner: Owner, before: dict[str, Any]) -> list[str]:
    """The names whose value is not the one that it was `before`."""
    now = read_content(owner)
    return [
        name
        for name in {**before, **now}
        if not is_same(before.get(name, MISSING), now.get(name, MISSING))
    ]


def is_same(old: Any, new: Any) -> bool:
    """Whether a name has the value that it had; of data, whether it is equal."""
    with suppress(Exception):  # a learner's __eq__ may raise anything
        return bool(old == new) if isinstance(old, CONTAINERS) else old is new
    return False


def copy_data(value: Any) -> Any:
    """A copy of a dict, a list or a set; anything else, and what has no copy, as it is."""
    with suppress(Exception):
        return deepcopy(value) if isinstance(value, CONTAINERS) else value
    return value


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
