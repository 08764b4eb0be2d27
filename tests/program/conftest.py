"""The fixtures of the learner's program."""

from support.program import frame, guards, practice, program, sdk_python

__all__ = ["frame", "guards", "practice", "program", "sdk_python"]
