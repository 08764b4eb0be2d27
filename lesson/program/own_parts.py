"""The learner's loop, list and nag, for what plays or shows them together."""

from collections.abc import Callable
from typing import Any, NamedTuple

from agentlib.loop import run
from agentlib.nag import Nag
from agentlib.todo import TodoManager

from ..runs.adapt import takes_remind
from .my_agent import my_agent

NAMES = {"agent_loop": "loop", "MyTodo": "list", "MyNag": "nag"}
NO_REMIND = "Your loop takes no `remind` yet, so the package's loop is played."


class OwnParts(NamedTuple):
    """A loop that takes a nag, a list and a nag; whose they are, and what is to be said of them."""

    loop: Callable[..., Any]
    todo: Any
    nag: Any
    whose: str
    note: str = ""


PACKAGE = OwnParts(run, TodoManager, Nag, "the package's loop, list and nag")


def read_own_parts() -> OwnParts:
    """Return the parts of `my_agent`, with the package's loop if theirs takes no `remind`."""
    own = [name for name in NAMES if name in my_agent._list_own()]
    loop, note = my_agent.agent_loop, ""
    if not takes_remind(loop):
        own = [name for name in own if name != "agent_loop"]
        loop, note = PACKAGE.loop, NO_REMIND
    others = [name for name in NAMES if name not in own]
    said = [
        f"{whose} {join(some)}"
        for whose, some in (("your", own), ("the package's", others))
        if some
    ]
    return OwnParts(loop, my_agent.MyTodo, my_agent.MyNag, " and ".join(said), note)


def join(parts: list[str]) -> str:
    """Return the names of parts as words: "loop, list and nag"."""
    *first, last = [NAMES[part] for part in parts]
    return f"{', '.join(first)} and {last}" if first else last
