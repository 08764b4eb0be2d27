"""Tells a solution that has been begun from the bare cell that a learner starts with."""

import dis
import inspect
from collections.abc import Iterable
from typing import Any

from .report import Result
from .rules import Rule

QUIET = {"RESUME", "NOP", "LOAD_CONST", "RETURN_CONST", "RETURN_VALUE", "CACHE"}
BESIDES = {"__module__", "__qualname__", "__doc__", "__dict__", "__weakref__", "__annotations__",
           "__firstlineno__", "__static_attributes__", "__annotate_func__", "__annotate__",
           "__parameters__", "__orig_bases__", "__abstractmethods__", "_abc_impl"}


def not_begun(subject: str, made: Any, rules: Iterable[Rule], given: Iterable[str] = ()) -> Result:
    """The Result for a cell in which there is nothing yet, or nothing that can be checked.

    `given` are the members that the bare cell has. Returns None where there is something to check.
    """
    rules = tuple(rules)
    if blank(made, set(given)):
        return Result(subject, rules, note=(
            f"{subject}: nothing there yet, and that is fine. Write it in the cell above, run that "
            f"cell, then this one again. The first thing to reach: {rules[0].title}."))
    if isinstance(made, str) or not callable(made):
        return Result(subject, rules, note=(
            f"{subject}: not yet. This check wants the class itself, and got {kind(made)}. "
            f"Write `class {subject}…:` in the cell above, and give the check its bare name, "
            "without quotes and without parentheses."))
    return None


def kind(made: Any) -> str:
    """What something is that is no class: "a piece of text", "an object made from Todo"."""
    if isinstance(made, str):
        return "a piece of text"
    if isinstance(made, (int, float, list, dict, tuple, set)):
        return f"a {type(made).__name__}"
    return f"an object made from {type(made).__name__}"


def blank(made: Any, given: set[str]) -> bool:
    """Whether there is nothing of the learner's own in `made`."""
    if made is None or made is ...:
        return True
    if not isinstance(made, type):
        return inspect.isfunction(made) and stub(made)
    return all(
        name in BESIDES or name in given or stub(member)
        for one in made.__mro__ if not one.__module__.startswith("agentlib.") and one is not object
        for name, member in vars(one).items()
    )


def stub(member: Any) -> bool:
    """Whether a function has nothing in it but `...`, `pass`, or `raise NotImplementedError`."""
    function = inspect.unwrap(getattr(member, "__func__", member))
    if not inspect.isfunction(function):
        return False
    code = function.__code__
    only_raises = code.co_names == ("NotImplementedError",) and len(list(
        dis.get_instructions(code))) < 12
    simple = {step.opname for step in dis.get_instructions(code)} <= QUIET
    constants = set(code.co_consts) <= {None, ..., function.__doc__}
    return only_raises or simple and constants
