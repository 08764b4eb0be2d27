"""Restore what a trial changed in the learner's classes and variables before the next trial.

A list in a class body, a default argument (`log=[]`) or a global variable keeps what one trial
put into it. Without restoring it, the same check could give another verdict the second time.
"""

from collections.abc import Iterable
from contextlib import suppress
from types import FunctionType
from typing import Any

from .blank import list_own_classes

DATA = (bool, bytearray, dict, float, int, list, set, str, type(None))  # of a global variable


class State:
    """The attributes of the learner's classes, global variables, and the containers in them.

    Values are put back, never replaced by copies: a sentinel is compared by identity.
    """

    def __init__(self, made: Iterable[Any]) -> None:
        """Save the state of the classes and functions in `made`."""
        made = list(made)
        classes = {cls for one in made for cls in list_own_classes(one)}
        self.attributes = [(cls, read_attributes(cls)) for cls in classes]
        members = [value for _, own in self.attributes for value in own.values()]
        functions = [one for one in [*made, *members] if type(one) is FunctionType]
        self.variables = [(one.__globals__, read_variables(one)) for one in functions]
        self.contents: dict[int, tuple[Any, Any]] = {}  # container and shallow copy, by id
        for value in members:
            self._save(value)
        for one in functions:
            self._save([*(one.__defaults__ or ()), *(one.__kwdefaults__ or {}).values()])
        for _, values in self.variables:
            self._save(values)

    def _save(self, value: Any) -> None:
        """Save the contents of a container, and of those inside it."""
        if isinstance(value, (dict, list, set, bytearray)) and id(value) not in self.contents:
            self.contents[id(value)] = value, value.copy()
            for one in value.values() if isinstance(value, dict) else value:
                self._save(one)

    def restore(self) -> None:
        """Undo all changes since the state was saved; attributes that were added are deleted."""
        for cls, saved in self.attributes:
            now = read_attributes(cls)
            with suppress(Exception):  # a metaclass may reject changes
                for name in now.keys() - saved.keys():
                    delattr(cls, name)
                for name, value in saved.items():
                    if name not in now or now[name] is not value:
                        setattr(cls, name, value)
        for variables, values in self.variables:
            variables.update(values)
        for container, content in self.contents.values():
            with suppress(Exception):  # a subclass may reject changes
                container.clear()
                fill = container.extend if hasattr(container, "extend") else container.update
                fill(content)


def read_attributes(cls: type) -> dict[str, Any]:
    """Return the attributes that the body of `cls` defines, without those that Python adds."""
    with suppress(Exception):  # a metaclass may reject access
        return {name: value for name, value in vars(cls).items() if is_defined(name, value)}
    return {}


def is_defined(name: str, value: Any) -> bool:
    """Return whether the class body defines this attribute."""
    is_pythons = name.startswith(("__annotate", "_abc"))
    return not is_pythons and (isinstance(value, FunctionType) or not name.startswith("__"))


def read_variables(function: FunctionType) -> dict[str, Any]:
    """Return the global variables with data that a function uses."""
    names = function.__globals__
    used = set(function.__code__.co_names) & names.keys()
    return {name: names[name] for name in used if type(names[name]) in DATA}
