"""Say of each part of an agent whether it is the learner's, from `my_agent.py`, or the package's.

A learner's agent grows part by part. Until a part is in the file, the lesson uses the package's,
and whatever shows such an agent must say which parts are whose.
"""

import inspect
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agentlib import loop, nag, todo

from .sections import FILE, list_own_lines, read_parts

# Of each part: the names that it has in the file, the newest first, and what the package has.
PARTS: dict[str, tuple[tuple[str, ...], Any]] = {
    "loop": (("agent_loop",), loop.rounds),
    "list": (("MyTodo",), todo.TodoManager),
    "nag": (("MyReminder", "MyNag"), nag.Nag),
}
WITH_REMIND = re.compile(r"def agent_loop\([^)]*\bremind\b")


@dataclass(frozen=True)
class MyPart:
    """A part of the agent: its name, its source, and whether the learner has written it."""

    name: str
    source: str
    is_yours: bool

    @property
    def lines(self) -> int:
        """Return how many lines it has, without blank lines and imports."""
        return len(list_own_lines(self.source))

    @property
    def whose(self) -> str:
        return "yours" if self.is_yours else "the package's"


def read_my_parts(folder: str | Path = ".") -> dict[str, MyPart]:
    """Return the loop, the list and the nag of `my_agent.py` in `folder`, or the package's.

    A nag that extends another one comes with it: `MyReminder` has the source of `MyNag` above it.
    A loop that cannot send reminders yet does not count: the package's runs in its place.
    """
    kept = {name: one.text for name, one in read_parts(Path(folder, FILE)).items()}
    if not WITH_REMIND.search(kept.get("agent_loop", "")):
        kept.pop("agent_loop", None)
    return {part: find_part(kept, names, package) for part, (names, package) in PARTS.items()}


def find_part(kept: Mapping[str, str], names: tuple[str, ...], package: Any) -> MyPart:
    """Return the newest of the parts `names` that was kept, or what the `package` has."""
    found = [name for name in names if name in kept]
    if found:
        return MyPart(found[0], "\n\n\n".join(kept[name] for name in reversed(found)), True)
    return MyPart(package.__name__, inspect.getsource(package), False)
