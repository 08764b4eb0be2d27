"""The checks of the exercises: each takes what a learner made, and says how far it is.

    check_priority(PriorityTodo)            a result: read it, or `assert` its `.ok`

`rules` holds what a check consists of, `attempt` runs a learner's code, `report` tells the
outcome, `saved` checks notebooks outside Jupyter: `python -m agentlib.exercises NOTEBOOK…`
"""

from .nag import check_nag
from .order import Puzzle, check_order
from .priority import check_priority
from .props import PLANNING, WORK, Clock
from .report import Result
from .timed import check_timed

__all__ = [
    "PLANNING", "WORK", "Clock", "Puzzle", "Result", "check_nag", "check_order", "check_priority",
    "check_timed",
]
