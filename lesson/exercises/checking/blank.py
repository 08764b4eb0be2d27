"""Tell a solution that a learner has begun from the cell that was given."""

import ast
import inspect
import re
import textwrap
from collections.abc import Collection
from typing import Any

from agentlib.tools import Tool

# Statements that do nothing yet: placeholders, docstrings, and the start of an `__init__`.
FILLER = re.compile(
    r"pass$|\.\.\.$|return( None)?$|raise NotImplemented|['\"]"
    r"|super\(\)\.__init__\(\)$|self\.(\w+) = \2$"
)


def is_blank(made: Any, given: Collection[str] = ()) -> bool:
    """Return whether `made` is nothing, or a class or function without a written line.

    The learner's own base classes count as well. `given` are the names of classes in the notebook
    that the learner has not written.
    """
    if isinstance(made, type):
        bases = [one for one in made.__mro__[1:] if is_given(one, given)]
        own = {*made.__mro__}.difference(*(one.__mro__ for one in bases))  # not what they extend
        return not any(is_written(value) for one in own for value in read_members(one).values())
    return made is None or made is ... or not is_written(made)


def is_given(cls: type, given: Collection[str]) -> bool:
    """Return whether a base class is Python's, from a package, or from one of our cells."""
    package = cls.__module__.partition(".")[0]
    return package in ("builtins", "agentlib", "lesson") or cls.__name__ in given


def read_members(cls: type) -> dict[str, Any]:
    """Return what was written in the body of a class, by name."""
    return {
        name: value
        for name, value in vars(cls).items()
        if not name.startswith(("__annotate", "_abc"))  # added by Python
        and (inspect.isfunction(value) or not name.startswith("__"))
    }


def list_functions(made: Any) -> list[Any]:
    """Return a function, or the functions in the class of anything else."""
    made = made.run if isinstance(made, Tool) else made
    if inspect.isfunction(made):
        return [made]
    kind = made if isinstance(made, type) else type(made)
    return [one for one in read_members(kind).values() if inspect.isfunction(one)]


def is_written(value: Any) -> bool:
    """Return whether a value is more than a stub: any value, or a function that does something."""
    try:
        node: Any = ast.parse(textwrap.dedent(inspect.getsource(value))).body[0]
        return not all(FILLER.match(ast.unparse(one)) for one in node.body)
    except (OSError, SyntaxError, IndexError, TypeError, AttributeError):
        return True  # no function, or one whose source cannot be read
