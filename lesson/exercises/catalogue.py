"""All exercises in the lesson's order."""

from importlib import import_module

from . import CHECKS
from .checking.exercise import Exercise

FUNCTIONS = [getattr(import_module(f".{name}", __package__), name) for name in CHECKS]
EXERCISES: list[Exercise] = sorted((one.exercise for one in FUNCTIONS), key=lambda one: one.order)
