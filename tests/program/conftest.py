"""The fixtures of the learner's program."""

from support.program import frame, practice, program, project, sdk_python

__all__ = ["frame", "practice", "program", "sdk_python", "project"]
