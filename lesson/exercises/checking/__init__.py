"""Check a learner's code: the rules, their trials and the feedback."""

from .check import check, exercise
from .result import Result
from .rule import Rules, case, hint, why

__all__ = ["Result", "Rules", "case", "check", "exercise", "hint", "why"]
