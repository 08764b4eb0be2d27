"""The fixtures of the learner's program."""

from support.program import frame, practice, program, sdk_python, terminal

__all__ = ["frame", "practice", "program", "sdk_python", "terminal"]
