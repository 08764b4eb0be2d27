"""The learner's loop, list and nag, with our solution's for those that are not written yet."""

from collections.abc import Callable
from typing import Any, NamedTuple

from ..program.my_agent import load_solutions, my_agent
from ..runs.adapters import uses_remind

NAMES = {"agent_loop": "loop", "MyTodo": "list", "MyNag": "nag"}
OURS = "our solution's"
NO_REMIND = f"Your loop does not use `remind` yet, so {OURS} loop is played."


class OwnParts(NamedTuple):
    """A loop that takes a nag, a list and a nag; whose they are, and what is to be said of them."""

    loop: Callable[..., Any]
    todo: Any
    nag: Any
    whose: str
    note: str = ""


def read_solution() -> OwnParts:
    """Return the parts of our solution, which are short."""
    solution = load_solutions()
    whose = f"{OURS} {join([*NAMES])}"
    return OwnParts(solution.agent_loop, solution.MyTodo, solution.MyNag, whose)


def read_own_parts(others: OwnParts) -> OwnParts:
    """Return the parts of `my_agent`; `others` are in place of those that are not written yet.

    So is their loop if that of `my_agent` does not use `remind`.
    """
    own = [name for name in NAMES if name in my_agent._list_own()]
    note = ""
    if "agent_loop" in own and not uses_remind(my_agent.agent_loop):
        own.remove("agent_loop")
        note = NO_REMIND
    given = dict(zip(NAMES, others, strict=False))
    parts = [getattr(my_agent, name) if name in own else given[name] for name in NAMES]
    rest = [name for name in NAMES if name not in own]
    said = [f"{whose} {join(some)}" for whose, some in (("your", own), (OURS, rest)) if some]
    return OwnParts(*parts, " and ".join(said), note)


def join(parts: list[str]) -> str:
    """Return the names of parts as words: "loop, list and nag"."""
    *first, last = [NAMES[part] for part in parts]
    return f"{', '.join(first)} and {last}" if first else last
