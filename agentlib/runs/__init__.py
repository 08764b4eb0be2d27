"""One run of the agent: played, measured, saved, and opened again."""

from .step import Step
from .trace import Trace
from .trial import Trial, measure, play

__all__ = ["Step", "Trace", "Trial", "measure", "play"]
