"""Restore what a trial changed in the learner's code before the next trial.

A list in a class body, a default argument (`log=[]`) or a global variable keeps what one trial
put into it. Without restoring it, the same check could give another verdict the second time.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable
from functools import partial
from types import CodeType, FunctionType
from typing import Any

from agentlib.tools import Tool

from .blank import read_members

CONTAINERS = (Counter, defaultdict, deque, dict, list, set)


class State:
    """The learner's classes, objects, functions and global variables, and the containers in them.

    Values are put back, never replaced by copies: a sentinel is compared by identity.
    """

    def __init__(self, made: Iterable[Any]) -> None:
        """Save the state of what is in `made`, and of what it uses from the same modules."""
        roots = [one.run if isinstance(one, Tool) else one for one in made]
        self.modules = {getattr(one, "__module__", None) for one in roots}
        self.undo: dict[int, Callable[[], None]] = {}  # by id, so that each value is saved once
        self.save(*roots)

    def save(self, *values: Any) -> None:
        """Save values, and all values that they contain or use."""
        for value in values:
            if id(value) in self.undo:
                continue
            if type(value) in CONTAINERS:
                content = value.copy()
                self.undo[id(value)] = partial(refill, value, content)
                self.save(*(content.values() if isinstance(content, dict) else content))
            elif getattr(value, "__module__", None) not in self.modules:
                continue
            elif isinstance(value, FunctionType):
                names = value.__globals__
                used = {name: names[name] for name in list_names(value.__code__) if name in names}
                self.undo[id(value)] = partial(names.update, used)
                self.save(*used.values(), *(value.__defaults__ or ()))
            elif isinstance(value, type):
                members = read_members(value)
                self.undo[id(value)] = partial(reset, value, members)
                self.save(*members.values(), *value.__mro__[1:])
            elif hasattr(value, "__dict__"):
                self.save(vars(value), type(value))

    def restore(self) -> None:
        """Undo all changes since the state was saved; attributes that were added are deleted."""
        for undo in self.undo.values():
            undo()


def refill(container: Any, content: Any) -> None:
    """Restore the content of a container."""
    container.clear()
    fill = container.extend if hasattr(container, "extend") else container.update
    fill(content)


def reset(cls: type, saved: dict[str, Any]) -> None:
    """Restore the members of a class."""
    now = read_members(cls)
    for name in now.keys() - saved.keys():
        delattr(cls, name)
    for name, value in saved.items():
        if name not in now or now[name] is not value:
            setattr(cls, name, value)


def list_names(code: CodeType) -> set[str]:
    """Return the global names that a function uses, also in the functions inside it."""
    inner = [list_names(one) for one in code.co_consts if isinstance(one, CodeType)]
    return set(code.co_names).union(*inner)
