"""agentlib: a small coding agent that plans before it acts.

Read `tools`, `loop`, `workspace`, `todo` and `nag`, in this order: they are the agent. `sandbox`
reads and writes files and runs commands, and `approval` asks the user first. The classroom around
it (practice model, real models, widgets, exercises) is the package `lesson`.
"""

import sys
from importlib.abc import MetaPathFinder
from typing import Any

from .loop import Round, rounds, run
from .nag import Nag
from .prompts import carry_on, first_message, system_prompt
from .todo import TodoManager
from .tools import Call, Tool, call_tool
from .workspace import Workspace

__all__ = [
    "Call",
    "Nag",
    "Round",
    "TodoManager",
    "Tool",
    "Workspace",
    "call_tool",
    "carry_on",
    "first_message",
    "rounds",
    "run",
    "system_prompt",
]

# Version 1.0 had everything in this package. Its notebooks get one message that says what to write.
MOVED = ("exercises", "live", "machine", "practice", "runs", "samples", "terminal", "widgets")


class MovedFinder(MetaPathFinder):
    """Explain how to replace a module of version 1.0. Python asks it last, for missing modules."""

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> None:
        """Raise ModuleNotFoundError for a module of version 1.0; otherwise return None."""
        package, _, rest = fullname.partition(".")
        name = rest.partition(".")[0]
        if package == __name__ and name in MOVED:
            raise ModuleNotFoundError(explain_move(fullname), name=fullname)


def explain_move(name: str) -> str:
    """Return the message for `name`, which was part of agentlib in version 1.0."""
    return (
        f"{name} was part of agentlib in version 1.0. Write `from lesson import …` for connect, "
        'PracticeModel, play, the widgets and the checks, and `sample("hello")` from lesson '
        'for `Workspace.sample("hello")`.'
    )


def __getattr__(name: str) -> Any:
    if name in ("connect", "PracticeModel"):
        raise ImportError(explain_move(f"agentlib.{name}"))
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


sys.meta_path.append(MovedFinder())
