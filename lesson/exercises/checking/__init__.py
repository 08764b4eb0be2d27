"""Check a learner's code: the rules, their trials and the feedback."""

from .check import check, exercise, explain_upto
from .result import Result
from .rule import case, hint, rule, why

__all__ = ["Result", "case", "check", "exercise", "explain_upto", "hint", "rule", "why"]
