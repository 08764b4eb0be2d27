"""One run of the agent: played, measured, saved, and opened again."""

from .bill import make_bill
from .trace import Trace
from .trial import Trial, play

__all__ = ["Trace", "Trial", "make_bill", "play"]
