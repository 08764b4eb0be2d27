"""One run of the agent: played and measured, kept and opened again."""

from .trace import Step, Trace
from .trial import Trial, measure, play

__all__ = ["Step", "Trace", "Trial", "measure", "play"]
