"""Restore what a trial changed in the learner's code before the next trial.

A list in a class body, a default argument (`log=[]`) or a global variable keeps what one trial
put into it. Without restoring it, the same check could give another verdict the second time.
"""

from collections.abc import Callable, Iterable
from functools import partial
from types import CodeType, FunctionType
from typing import Any

from agentlib.tools import Tool

from .blank import read_members


def save_state(made: Iterable[Any]) -> Callable[[], None]:
    """Return a function that restores what is in `made`, and what it uses from its modules.

    Values are put back, never replaced by copies: a sentinel is compared by identity.
    """
    waiting: list[Any] = [one.run if isinstance(one, Tool) else one for one in made]
    undo: dict[int, Callable[[], None]] = {}  # by id, so that each value is saved once
    modules = {getattr(one, "__module__", None) for one in waiting}
    while waiting:
        value = waiting.pop()
        if id(value) in undo:
            continue
        if type(value) in (dict, list, set):
            undo[id(value)] = partial(refill, value, value.copy())
            waiting += value.values() if isinstance(value, dict) else value
        elif getattr(value, "__module__", None) not in modules:
            continue
        elif isinstance(value, FunctionType):
            names = value.__globals__
            used = {name: names[name] for name in list_names(value.__code__) if name in names}
            undo[id(value)] = partial(names.update, used)
            waiting += [*used.values(), *(value.__defaults__ or ())]
        elif isinstance(value, type):
            members = read_members(value)
            undo[id(value)] = partial(reset, value, members)
            waiting += [*members.values(), *value.__mro__[1:]]

    def restore() -> None:
        for one in undo.values():
            one()

    return restore


def refill(container: Any, content: Any) -> None:
    """Restore the content of a container."""
    container.clear()
    fill = container.extend if isinstance(container, list) else container.update
    fill(content)


def reset(cls: type, members: dict[str, Any]) -> None:
    """Restore the members of a class."""
    for name, value in members.items():
        if vars(cls).get(name) is not value:
            setattr(cls, name, value)


def list_names(code: CodeType) -> set[str]:
    """Return the global names that a function uses, also in the functions inside it."""
    inner = [list_names(one) for one in code.co_consts if isinstance(one, CodeType)]
    return set(code.co_names).union(*inner)
