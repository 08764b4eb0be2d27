"""Class attributes that a trial changes get their values back before the next trial."""

from contextlib import suppress
from types import FunctionType
from typing import Any


class ClassState:
    """The attributes of classes, and the contents of the containers in them.

    Values are put back, never replaced by copies: a sentinel is compared by identity.
    """

    def __init__(self, *classes: type) -> None:
        """Save the attributes of `classes`, and the defaults of their methods."""
        self.attributes = [(cls, read_attributes(cls)) for cls in classes]
        self.contents: dict[int, tuple[Any, Any]] = {}  # container and shallow copy, by id
        for _, attributes in self.attributes:
            for value in attributes.values():
                self._save(value)
                if isinstance(value, FunctionType):
                    self._save(
                        [*(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values()]
                    )

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
