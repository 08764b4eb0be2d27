"""One run of the agent: played, measured, saved, and opened again."""

from .bill import make_bill
from .step import Step
from .trace import Trace
from .trial import Trial, play

__all__ = ["Step", "Trace", "Trial", "make_bill", "play"]
