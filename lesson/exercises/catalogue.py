"""All exercises in the lesson's order, and the parts of an agent that they are about."""

from importlib import import_module

from . import CHECKS
from .checking.exercise import Exercise

FUNCTIONS = [getattr(import_module(f".{name}", __package__), name) for name in CHECKS]
EXERCISES: list[Exercise] = sorted((one.exercise for one in FUNCTIONS), key=lambda one: one.order)
# The exercises by the name of what a learner writes. The loop is of two exercises.
PARTS: dict[str, list[Exercise]] = {}
for one in EXERCISES:
    PARTS.setdefault(one.subject, []).append(one)
