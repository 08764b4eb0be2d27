"""The parts that a learner writes, in the order of their sections in `my_agent.py`."""

from typing import NamedTuple


class Level(NamedTuple):
    """One exercise of a part. `name` is what `check(part, name)` takes; the first is ""."""

    name: str
    exercise: str
    notebook: str


class Part(NamedTuple):
    """One part of the program.

    `role` is what the program and `play` take it for, such as "loop" or "todo", or "" for what
    neither of them runs. Of the parts with one role, the program takes the last. `start` is
    its section until the learner has written it, and `base` the part that it extends, if it does.
    """

    name: str
    role: str
    start: str
    levels: tuple[Level, ...]
    base: str = ""


PARTS = {
    part.name: part
    for part in (
        Part(
            "agent_loop",
            "loop",
            "from agentlib import run as agent_loop",
            (Level("", "E1", "s02_tool_use"), Level("remind", "E5", "s03b_nag_reminder")),
        ),
        Part(
            "read_file",
            "file",
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
            "ask",
            "from agentlib import ask_at_the_stop",
            (Level("", "E10", "s04b_who_says_no"),),
        ),
        Part(
            "make_room",
            "room",
            "from agentlib import make_room",
            (Level("", "E7", "s03d_make_room"),),
        ),
        Part(
            "PriorityTodo",
            "todo",
            "PriorityTodo = MyTodo",
            (Level("", "E8", "s04a_what_comes_next"),),
            base="MyTodo",
        ),
        Part(
            "PriorityNag",
            "nag",
            "PriorityNag = MyNag",
            (Level("", "E9", "s04a_what_comes_next"),),
            base="MyNag",
        ),
        Part(
            "TimedTodo",
            "todo",
            "TimedTodo = PriorityTodo",
            (Level("", "E12", "s04c_take_it_with_you"),),
            base="PriorityTodo",
        ),
    )
}
# The part of each role that the program takes.
NEWEST = {part.role: part.name for part in PARTS.values()}
