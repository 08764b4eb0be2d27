"""One run of the agent: played, measured, saved, and opened again."""

from .trace import Trace
from .trial import Trial, play

__all__ = ["Trace", "Trial", "play"]
