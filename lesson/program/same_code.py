"""Whether two things do the same, so that a part that passed need not be tried once more."""

import dis
from types import CodeType, FunctionType
from typing import Any

from ..exercises.kit.restore import read_members
from ..learners_code import is_learners

PLAIN = (int, float, str, bytes, bool, type(None))


def is_same(one: Any, other: Any, seen: frozenset[tuple[int, int]] = frozenset()) -> bool:
    """Return whether two values, functions or classes certainly do the same.

    The answer is no if that cannot be known. Functions are the same if their code, their defaults
    and the global names that they use are, and classes if their bases and members are.
    """
    pair = (id(one), id(other))
    if one is other or pair in seen:
        return True
    seen |= {pair}
    if type(one) is not type(other):
        return False
    if type(one) in PLAIN:
        return bool(one == other)
    if isinstance(one, list | tuple):
        return have_same(dict(enumerate(one)), dict(enumerate(other)), seen)
    if isinstance(one, dict):
        return have_same(one, other, seen)
    if isinstance(one, FunctionType):
        return is_same_function(one, other, seen)
    if isinstance(one, type) and is_learners(one) and is_learners(other):
        return (
            one.__name__ == other.__name__
            and is_same(one.__bases__, other.__bases__, seen)
            and have_same(read_members(one), read_members(other), seen)
        )
    return False


def have_same(one: dict[Any, Any], other: dict[Any, Any], seen: frozenset[tuple[int, int]]) -> bool:
    """Return whether two dicts have the same keys, in the same order, with the same values."""
    return [*one] == [*other] and all(is_same(one[key], other[key], seen) for key in one)


def is_same_function(
    one: FunctionType, other: FunctionType, seen: frozenset[tuple[int, int]]
) -> bool:
    """Return whether two functions do the same. One that has kept something is not compared."""
    # `super()` needs its class. Any other closure may have kept a value.
    has_kept = bool(vars(one)) or one.__code__.co_freevars not in ((), ("__class__",))
    return (
        not has_kept
        and read_code(one.__code__) == read_code(other.__code__)
        and is_same(one.__defaults__, other.__defaults__, seen)
        and is_same(one.__kwdefaults__, other.__kwdefaults__, seen)
        and have_same(read_used(one), read_used(other), seen)
    )


def read_used(function: FunctionType) -> dict[str, Any]:
    """Return the values of the global names that a function uses. Python's own are left out."""
    names = sorted(set(list_global_names(function.__code__)))
    return {name: function.__globals__[name] for name in names if name in function.__globals__}


def list_global_names(code: CodeType) -> list[str]:
    """Return the global names that a function uses, also in the functions inside it."""
    names = [one.argval for one in dis.get_instructions(code) if "GLOBAL" in one.opname]
    inner = [one for one in code.co_consts if isinstance(one, CodeType)]
    return names + [name for one in inner for name in list_global_names(one)]


def read_code(code: CodeType) -> Any:
    """Return what a function does, without where it was written."""
    constants = [read_code(one) if isinstance(one, CodeType) else one for one in code.co_consts]
    return (
        *(code.co_code, code.co_names, code.co_varnames, code.co_freevars, code.co_flags),
        *(code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, repr(constants)),
    )
