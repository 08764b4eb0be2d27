"""One run of the agent: played, measured, and read again from its messages."""

from .trace import Trace
from .trial import Trial, play

__all__ = ["Trace", "Trial", "play"]
