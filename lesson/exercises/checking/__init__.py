"""Check a learner's code: the rules, their trials and the feedback."""

from .check import check
from .exercise import Exercise, Further
from .result import Result
from .rule import Rules, case, hint, why

__all__ = ["Exercise", "Further", "Result", "Rules", "case", "check", "hint", "why"]
