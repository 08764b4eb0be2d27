"""The parts that a learner writes, in the order of their sections in `my_agent.py`."""

from typing import NamedTuple


class Level(NamedTuple):
    """One exercise of a part. `name` is what `check(part, name)` takes; the first is ""."""

    name: str
    exercise: str
    notebook: str


class Part(NamedTuple):
    """One part of the program. `start` is its section until the learner has written it."""

    name: str
    start: str
    levels: tuple[Level, ...]


PARTS = {
    part.name: part
    for part in (
        Part(
            "agent_loop",
            "from agentlib import run as agent_loop",
            (Level("", "E1", "s02_tool_use"), Level("remind", "E5", "s03b_nag_reminder")),
        ),
        Part(
            "MyTodo",
            "from agentlib import TodoManager as MyTodo",
            (Level("", "E2", "s03a_todo_write"), Level("tool", "E3", "s03a_todo_write")),
        ),
        Part(
            "MyNag",
            "from agentlib import Nag as MyNag",
            (
                Level("", "E4", "s03b_nag_reminder"),
                Level("shows the list", "E6", "s03b_nag_reminder"),
            ),
        ),
        Part(
            "ask_at_the_stop",
            "from lesson import ask_at_the_stop",
            (Level("", "E7", "s04_exercises"),),
        ),
        Part("PriorityTodo", "PriorityTodo = MyTodo", (Level("", "E8", "s04_exercises"),)),
        Part("PriorityNag", "PriorityNag = MyNag", (Level("", "E9", "s04_exercises"),)),
        Part("TimedTodo", "TimedTodo = PriorityTodo", (Level("", "E10", "s04_exercises"),)),
    )
}
