"""Restore what a trial has changed, so that each trial begins anew.

A rule may pass its constants to the learner's code, which can change them. And a list in a class
body, a default argument (`log=[]`), an attribute of a function or a variable of the notebook keeps
what one trial put into it. Without this, a second check could give another verdict.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import partial
from types import CodeType, FunctionType, MappingProxyType
from typing import Any

from .learners_code import is_learners, read_members, unwrap

DEFAULT = (
    "The default of `{0}` is made only once, and keeps what earlier calls of `{1}` have put into "
    "it: write `{0}=None`."
)
IN_BODY = (
    "`{0}` is made once, in the body of the class, so all objects share it: make it in "
    "`__init__`, as `self.{0}`, or in each call."
)
CONTAINERS = (dict, list, tuple, set, MappingProxyType)


def list_names(code: CodeType) -> set[str]:
    """Return the names of the notebook that a function uses, also in the functions inside it."""
    inner = [list_names(one) for one in code.co_consts if isinstance(one, CodeType)]
    return set(code.co_names).union(*inner)


def read_globals(function: FunctionType) -> dict[str, Any]:
    """Return the variables of the notebook that a function uses, by name."""
    values = function.__globals__
    return {name: values[name] for name in list_names(function.__code__) if name in values}


def copy_scope(part: Any) -> dict[str, Any]:
    """Return a copy of all variables of the notebook that has a learner's function or class."""
    members = map(unwrap, read_members(part).values()) if isinstance(part, type) else [part]
    return next({**one.__globals__} for one in members if isinstance(one, FunctionType))


def list_next(value: Any) -> Iterable[Any]:
    """Return what belongs to a function, a class or a container."""
    if isinstance(value, FunctionType):
        defaults = [*(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values()]
        return [*defaults, vars(value), *read_globals(value).values()]
    if isinstance(value, type):
        return [one for cls in value.__mro__ for one in (cls, *list_members(cls))]
    if isinstance(value, dict | MappingProxyType):
        return value.values()
    if isinstance(value, list | tuple | set):
        return value
    return [vars(value)] if hasattr(value, "__dict__") else ()


def list_members(cls: type) -> list[Any]:
    """Return what a class has, or only the containers of a class that is not the learner's."""
    members = [unwrap(one) for one in read_members(cls).values()]
    return members if is_learners(cls) else [one for one in members if type(one) in CONTAINERS]


def find_shared(parts: Iterable[Any]) -> list[Any]:
    """Return what trials of these parts share: classes, functions and containers of the learner."""
    shared: dict[int, Any] = {}
    waiting = list(parts)
    while waiting:
        value = waiting.pop()
        cls = value if isinstance(value, type | FunctionType) else type(value)
        is_known = is_learners(cls) or type(value) in CONTAINERS
        if id(value) not in shared and is_known:
            shared[id(value)] = value
            waiting += list_next(value)
    return list(shared.values())


def keeps_more(part: Any) -> bool:
    """Return whether calls of a part may share what `save_state` cannot put back."""
    shared = find_shared([part])
    restored = {id(one) for one in shared}
    rest = [one for value in shared for one in list_next(value) if id(one) not in restored]
    if any(getattr(one, "__closure__", None) for one in shared):
        return True
    plain = [one for one in rest if type(one).__module__ == "builtins" or isinstance(one, type)]
    is_constant = [isinstance(one, Hashable) and not isinstance(one, Iterator) for one in plain]
    return len(plain) < len(rest) or not all(is_constant)


def save_state(parts: Iterable[Any]) -> Callable[[], None]:
    """Return a function that puts back what is now in the learner's code.

    Values are put back and never copied, because a sentinel is compared by identity.
    """
    undo: list[Callable[[], Any]] = []
    for value in find_shared(parts):
        if isinstance(value, FunctionType):
            undo.append(partial(value.__globals__.update, read_globals(value)))
        elif isinstance(value, type):
            undo.append(partial(reset, value, read_members(value)))
        elif type(value) in (dict, list, set):
            undo.append(partial(refill, value, value.copy()))

    def restore() -> None:
        for put_back in undo:
            put_back()

    return restore


def refill(container: Any, content: Any) -> None:
    """Put back the content of a container."""
    container.clear()
    fill = container.extend if isinstance(container, list) else container.update
    fill(content)


def reset(cls: type, members: dict[str, Any]) -> None:
    """Put back the members of a class."""
    for name in read_members(cls).keys() - members.keys():
        delattr(cls, name)
    for name, value in members.items():
        if vars(cls).get(name) is not value:
            setattr(cls, name, value)


def watch_shared(part: Any) -> Callable[[], str]:
    """Return a function that returns a sentence about a shared value that has changed, or "".

    A shared value is the default of an argument, or is in a class body: Python makes both once.
    """
    shared: list[tuple[str, Any]] = []
    for value in find_shared([part]):
        if isinstance(value, FunctionType):
            for name, default in list_defaults(value):
                shared.append((DEFAULT.format(name, value.__name__), default))
        elif isinstance(value, type):
            shared += [(IN_BODY.format(n), value) for n, value in read_members(value).items()]
    changeable = [(text, value) for text, value in shared if type(value) in (dict, list, set)]
    kept = [(text, value, value.copy()) for text, value in changeable]

    def find_changed() -> str:
        return next((text for text, value, old in kept if value != old), "")

    return find_changed


def list_defaults(function: FunctionType) -> list[tuple[str, Any]]:
    """Return the arguments of a function that have a default, each with its value.

    `inspect.signature` would evaluate annotations, which may name what does not exist.
    """
    defaults, code = function.__defaults__ or (), function.__code__
    names = code.co_varnames[code.co_argcount - len(defaults) : code.co_argcount]
    return [*zip(names, defaults, strict=True), *(function.__kwdefaults__ or {}).items()]
