"""The parts that a learner writes, each in its own file of the folder `my_agent`."""

import re
from typing import NamedTuple


class Level(NamedTuple):
    """One exercise of a part. `name` is what `check(part, name)` takes; the first is ""."""

    name: str
    exercise: str
    notebook: str


class Part(NamedTuple):
    """One part of the program.

    `file` is the name of its module in `my_agent`, `start` the text of that module until the
    learner has written it, and `base` the part that it extends, if it does.
    """

    name: str
    file: str
    start: str
    levels: tuple[Level, ...]
    base: str = ""


PARTS = {
    part.name: part
    for part in (
        Part(
            "agent_loop",
            "loop",
            "from agentlib import agent_loop",
            (Level("", "E1", "s02_tool_use"), Level("remind", "E5", "s03b_nag_reminder")),
        ),
        Part(
            "read_file",
            "read_file",
            "from agentlib import read_file",
            (Level("", "E11", "s04b_who_says_no"),),
        ),
        Part(
            "MyTodo",
            "todo",
            "from agentlib import TodoManager as MyTodo",
            (Level("", "E2", "s03a_todo_write"), Level("tool", "E3", "s03a_todo_write")),
        ),
        Part(
            "MyNag",
            "nag",
            "from agentlib import Nag as MyNag",
            (
                Level("", "E4", "s03b_nag_reminder"),
                Level("shows the list", "E6", "s03b_nag_reminder"),
            ),
        ),
        Part(
            "ask_at_the_stop",
            "stop",
            "from agentlib import ask_at_the_stop",
            (Level("", "E10", "s04b_who_says_no"),),
        ),
        Part(
            "trim_messages",
            "trim",
            "from agentlib import trim_messages",
            (Level("", "E7", "s03d_trim_messages"),),
        ),
        Part(
            "PriorityTodo",
            "priority",
            "from todo import MyTodo as PriorityTodo",
            (Level("", "E8", "s04a_what_comes_next"),),
            base="MyTodo",
        ),
        Part(
            "PriorityNag",
            "next_task",
            "from nag import MyNag as PriorityNag",
            (Level("", "E9", "s04a_what_comes_next"),),
            base="MyNag",
        ),
        Part(
            "TimedTodo",
            "times",
            "from priority import PriorityTodo as TimedTodo",
            (Level("", "E12", "s04c_take_it_with_you"),),
            base="PriorityTodo",
        ),
    )
}


def import_part(name: str) -> str:
    """Return the line that imports a part in the file of another one."""
    return f"from {PARTS[name].file} import {name}"


def read_cell(text: str) -> str:
    """Return the cell in the text of a part's file, without the imports of other parts above it."""
    imports = "|".join(re.escape(import_part(name)) for name in PARTS)
    return re.sub(rf"\A(?:(?:{imports})?[ \t]*\n)*", "", text).rstrip()
