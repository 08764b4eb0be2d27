"""The loop, the list and the nag of an agent: the learner's, from `my_agent.py`, or the package's.

A learner's agent grows part by part. Until a part is in the file, passes its check and can be used
with the others, the lesson uses the package's, and whatever shows such an agent must say which
parts are whose.
"""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agentlib import loop, nag, todo

from .parts import load_parts
from .sections import FILE, list_own_lines, read_parts
from .write_main import NAGS, takes_remind

# The names that each part has in the file, the newest first.
NAMES = {"loop": ("agent_loop",), "list": ("MyTodo",), "nag": ("MyReminder", "MyNag")}


@dataclass(frozen=True)
class MyPart:
    """A part of the agent: its name, what it is, its source, and whether the learner wrote it."""

    name: str
    made: Callable[..., Any]
    source: str
    is_yours: bool = True

    @property
    def lines(self) -> int:
        """Return how many lines it has, without blank lines and imports."""
        return len(list_own_lines(self.source))

    @property
    def whose(self) -> str:
        return "yours" if self.is_yours else "the package's"


def part_of_package(made: Any) -> MyPart:
    return MyPart(made.__name__, made, inspect.getsource(made), is_yours=False)


PACKAGE = {
    "loop": part_of_package(loop.rounds),
    "list": part_of_package(todo.TodoManager),
    "nag": part_of_package(nag.Nag),
}


def read_my_parts() -> dict[str, MyPart]:
    """Return the loop, the list and the nag of `my_agent.py`, or the package's.

    A nag that extends another one comes with it: `MyReminder` has the source of `MyNag` above it.
    A loop that cannot send reminders yet does not count: the package's runs in its place.
    """
    made = load_parts()
    texts = {name: one.text for name, one in read_parts(Path(FILE)).items()} if made else {}
    if not takes_remind(made.get("agent_loop")):
        made.pop("agent_loop", None)
    parts = dict(PACKAGE)
    for part, names in NAMES.items():
        if found := [name for name in names if name in made]:
            source = "\n\n\n".join(texts[name] for name in reversed(found))
            parts[part] = MyPart(found[0], made[found[0]], source)
    return parts


def make_nag(kind: Callable[..., Any], todo: Any, after: int) -> Any:
    """Return a nag. `MyNag` takes the threshold only, and the others also the list."""
    given = [todo] if NAGS.get(kind.__name__, True) else []
    return kind(*given, after=after)
