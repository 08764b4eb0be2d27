"""Restore what a trial has changed in the learner's code, so that each trial begins anew.

A list in a class body, a default argument (`log=[]`), an attribute of a function or a variable of
the notebook keeps what one trial put into it. A second check could then give another verdict.
"""

import sys
from collections.abc import Callable, Iterable
from functools import partial
from types import CodeType, FunctionType
from typing import Any

OTHERS = sys.stdlib_module_names - {"__main__"} | {"agentlib", "lesson"}


def is_own(value: Any) -> bool:
    """Return whether a class or a function is the learner's: not from a package."""
    module = str(getattr(value, "__module__", None))
    if module == "__main__":  # under pytest, its file is pytest's
        return True
    file = getattr(sys.modules.get(module), "__file__", None) or ""
    return module.partition(".")[0] not in OTHERS and "-packages" not in file


def read_members(cls: type) -> dict[str, Any]:
    """Return what was written in the body of a class, by name."""
    return {
        name: value
        for name, value in vars(cls).items()
        if not name.startswith(("_abc", "__annotate"))  # added by Python
        and (callable(value) or not name.startswith("__"))
    }


def list_names(code: CodeType) -> set[str]:
    """Return the names of the notebook that a function uses, also in the functions inside it."""
    inner = [list_names(one) for one in code.co_consts if isinstance(one, CodeType)]
    return set(code.co_names).union(*inner)


def read_globals(function: FunctionType) -> dict[str, Any]:
    """Return the variables of the notebook that a function uses, by name."""
    values = function.__globals__
    return {name: values[name] for name in list_names(function.__code__) if name in values}


def list_next(value: Any) -> Iterable[Any]:
    """Return what belongs to a function, a class or a container."""
    if isinstance(value, FunctionType):
        defaults = [*(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values()]
        return [*defaults, vars(value), *read_globals(value).values()]
    if isinstance(value, type):
        return [*value.__mro__, *map(unwrap, read_members(value).values())]
    return value.values() if isinstance(value, dict) else ()


def unwrap(member: Any) -> Any:
    """Return the function of a static method, a class method or a property, or the member."""
    return getattr(member, "__func__", getattr(member, "fget", member))


def walk(made: Iterable[Any]) -> list[Any]:
    """Return the learner's classes, functions and containers that belong to `made`, each once."""
    found: dict[int, Any] = {}
    waiting = list(made)
    while waiting:
        value = waiting.pop()
        is_known = isinstance(value, type | FunctionType) and is_own(value)
        if id(value) not in found and (is_known or type(value) in (dict, list, set)):
            found[id(value)] = value
            waiting += list_next(value)
    return list(found.values())


def cells_of(made: Any) -> set[str]:
    """Return the file, or cell, in which `made` was written, without those of its bases."""
    members = read_members(made).values() if isinstance(made, type) else [made]
    codes = [getattr(unwrap(one), "__code__", None) for one in members]
    return {code.co_filename for code in codes if code}


def save_state(made: Iterable[Any]) -> Callable[[], Any]:
    """Return a function that puts back what is now in the learner's code.

    Values are put back and never copied, because a sentinel is compared by identity.
    """
    undo: list[Callable[[], Any]] = []
    for value in walk(made):
        if isinstance(value, FunctionType):
            undo.append(partial(value.__globals__.update, read_globals(value)))
        elif isinstance(value, type):
            undo.append(partial(reset, value, read_members(value)))
        else:
            undo.append(partial(refill, value, value.copy()))

    return lambda: [one() for one in undo]


def refill(container: Any, content: Any) -> None:
    """Put back the content of a container."""
    container.clear()
    fill = container.extend if isinstance(container, list) else container.update
    fill(content)


def reset(cls: type, members: dict[str, Any]) -> None:
    """Put back the members of a class, and delete those that a trial has added."""
    for name in read_members(cls).keys() - members.keys():
        delattr(cls, name)
    for name, value in members.items():
        if vars(cls).get(name) is not value:
            setattr(cls, name, value)
