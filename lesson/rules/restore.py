"""Restore what a trial has changed in the learner's code, so that each trial begins anew.

A list in a class body, a default argument (`log=[]`), an attribute of a function, a variable of a
closure or of the notebook keeps what one trial put into it. A second check could then give another
verdict.
"""

import gc
import inspect
import sys
from collections.abc import Callable, Iterable
from functools import partial
from types import CellType, CodeType, FunctionType, MethodType
from typing import Any

CONTAINERS = (dict, list, set)
# What leads from the learner's code to more of it.
BETWEEN = (tuple, CellType, MethodType, partial, property, staticmethod, classmethod)
OTHERS = sys.stdlib_module_names | {"agentlib", "lesson"}  # "__main__" is a learner's


def is_own(value: Any) -> bool:
    """Return whether a class, a function or an object is the learner's: not from a package."""
    module = getattr(value, "__module__", None)
    if not isinstance(module, str):
        return False
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


def names_in(code: CodeType) -> set[str]:
    """Return the global names that a function uses, also in the functions inside it."""
    inner = [names_in(one) for one in code.co_consts if isinstance(one, CodeType)]
    return set(code.co_names).union(*inner)


def read_globals(function: FunctionType) -> dict[str, Any]:
    """Return the global variables that a function uses, by name."""
    values = function.__globals__
    return {name: values[name] for name in names_in(function.__code__) if name in values}


def list_next(value: Any) -> list[Any]:
    """Return what belongs to one object of the learner's code."""
    if isinstance(value, FunctionType):
        own = [value.__defaults__, value.__kwdefaults__, value.__closure__, vars(value)]
        return [*own, *read_globals(value).values()]
    if isinstance(value, type):
        return [*value.__mro__, *read_members(value).values()]
    if isinstance(value, (*CONTAINERS, *BETWEEN)):
        return gc.get_referents(value)
    return [type(value), getattr(value, "__dict__", None)]


def walk(made: Iterable[Any]) -> list[Any]:
    """Return the learner's objects that belong to `made`, each once."""
    found: dict[int, Any] = {}
    waiting = list(made)
    while waiting:
        value = waiting.pop()
        if id(value) not in found and (type(value) in (*CONTAINERS, *BETWEEN) or is_own(value)):
            found[id(value)] = value
            waiting += list_next(value)
    return list(found.values())


def files_of(made: Any) -> set[str]:
    """Return the files, or cells, with the functions of `made` and all that it uses."""
    return {one.__code__.co_filename for one in walk([made]) if isinstance(one, FunctionType)}


def cells_of(made: Any) -> set[str]:
    """Return the file, or cell, in which `made` was written, without those of its bases."""
    made = made.func if isinstance(made, partial) else made
    cls = made if isinstance(made, type) else type(made)
    members = [made] if isinstance(made, FunctionType) else read_members(cls).values()
    members = [getattr(one, "__func__", getattr(one, "fget", one)) for one in members]
    codes = [getattr(inspect.unwrap(one), "__code__", None) for one in members if callable(one)]
    return {code.co_filename for code in codes if code}


def save_state(made: Iterable[Any]) -> Callable[[], None]:
    """Return a function that puts back what is now in the learner's code.

    Values are put back and never copied, because a sentinel is compared by identity.
    """
    undo: list[Callable[[], None]] = []
    for value in walk(made):
        if type(value) in CONTAINERS:
            undo.append(partial(refill, value, value.copy()))
        elif isinstance(value, FunctionType):
            undo.append(partial(value.__globals__.update, read_globals(value)))
        elif isinstance(value, type):
            undo.append(partial(reset, value, read_members(value)))
        elif isinstance(value, CellType) and gc.get_referents(value):
            undo.append(partial(setattr, value, "cell_contents", value.cell_contents))

    def restore() -> None:
        for one in undo:
            one()

    return restore


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
