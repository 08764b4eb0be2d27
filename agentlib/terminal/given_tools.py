"""Check the TOOLS of a program before the first prompt: what the model is told must be accepted."""

import re
from collections.abc import Collection
from inspect import isasyncgenfunction, iscoroutinefunction, isgeneratorfunction
from typing import Any

from safetylib.guard.signatures import signature

from ..signatures import BY_NAME
from ..tools import Tool

NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")  # as the API accepts it
NEVER_RUN = (iscoroutinefunction, isgeneratorfunction, isasyncgenfunction)
WRITE = "write a function with `def` that calls it"


def explain_tool(one: Any, taken: Collection[str]) -> str:
    """Return what is wrong with one of TOOLS, and what to change; "" if nothing is.

    `taken` are the names of the other tools.
    """
    function = one.run if isinstance(one, Tool) else one
    if not callable(function):
        return f"{one!r:.60} is not a function. Write its name, without quotes and parentheses."
    name = one.name if isinstance(one, Tool) else getattr(one, "__name__", "")
    if not name:
        return f"{one!r:.60} has no name: {WRITE}."
    if not NAME.fullmatch(name):
        return f"{name:.60} is not a name that the API accepts: use a to z, 0 to 9 and _."
    if name in taken:
        return f"There are two tools with the name {name}: rename or remove one."
    if any(never_runs(function) for never_runs in NEVER_RUN):
        return f"{name} is async, or has `yield`, so a call would not run it: return the text."
    if isinstance(one, Tool):
        return ""
    try:
        parameters = signature(one).parameters.values()
    except (TypeError, ValueError):
        return f"{name} does not say which arguments it takes: {WRITE}."
    wrong = [str(each) for each in parameters if each.kind not in BY_NAME]
    if wrong:
        return f"{name} takes `{wrong[0]}`, but a model sends each argument by its name: {WRITE}."
    return ""
