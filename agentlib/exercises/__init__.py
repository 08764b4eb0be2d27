"""The checks of the exercises: each takes what a learner made, and says how far it is.

    check_priority(PriorityTodo)            a result: read it, or `assert` its `.ok`

`checking` holds what a check consists of and runs a learner's code, `grading` checks notebooks
outside Jupyter: `python -m agentlib.exercises NOTEBOOK…`
"""

from .brief import check_brief
from .catalogue import progress
from .checking.fixtures import PLANNING, WORK, Clock, play
from .checking.parents import changes
from .checking.result import Result
from .order import Puzzle, check_order
from .priority import check_priority
from .priority_nag import check_nag
from .timed import check_timed

__all__ = [
    "PLANNING",
    "WORK",
    "Clock",
    "Puzzle",
    "Result",
    "changes",
    "check_brief",
    "check_nag",
    "check_order",
    "check_priority",
    "check_timed",
    "play",
    "progress",
]
