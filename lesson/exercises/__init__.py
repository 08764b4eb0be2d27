"""The checks of the exercises: each takes what a learner made, and says how far it is.

    check_priority(PriorityTodo)            a result: read it, or `assert` its `.ok`

`checking` holds what a check consists of and runs a learner's code, `grading` checks notebooks
outside Jupyter: `python -m lesson.exercises NOTEBOOK…`
"""

from .brief import check_brief
from .catalogue import progress
from .checking.fixtures import PLANNING, WORK, Clock, play
from .checking.result import Result
from .kept import check_kept, compare_curves
from .loop_by_hand import LOOP_SCAFFOLD, LOOP_SOLUTION, check_loop
from .order import Puzzle, check_order
from .own_agent import OWN_AGENT, check_agent
from .own_nag import check_nag_facts
from .own_tool import check_tool
from .priority import check_priority
from .priority_nag import check_nag
from .timed import check_timed
from .todo_rules import check_rules

__all__ = [
    "Clock",
    "LOOP_SCAFFOLD",
    "LOOP_SOLUTION",
    "OWN_AGENT",
    "PLANNING",
    "Puzzle",
    "Result",
    "WORK",
    "check_agent",
    "check_brief",
    "check_kept",
    "check_loop",
    "check_nag",
    "check_nag_facts",
    "check_order",
    "check_priority",
    "check_rules",
    "check_timed",
    "check_tool",
    "compare_curves",
    "play",
    "progress",
]
