"""lesson: the classroom around `agentlib`: a practice model, widgets, exercises, a terminal.

Names are imported when they are first used, so that the terminal needs no notebook packages.
"""

from importlib import import_module
from typing import Any

from .exercises import CHECKS

# Each module, and the public names that it provides.
MODULES = {
    "model_choice": "connect",
    "my_agent": "GuardedWorkspace keep open_workspace print_rounds",
    "samples": "sample",
    "practice": "PracticeModel",
    "real_model.connection": "ConnectError Connection",
    "practice.policy.practice_policy": "PracticePolicy",
    "practice.policy.tasks": "load",
    "runs": "Step Trace Trial make_bill play",
    "runs.cuts": "compare_cuts",
    "runs.real_runs": "real_runs",
    "widgets.board": "Board",
    "widgets.player": "Player",
    "widgets.pictures": "draw_costs",
    "widgets.real_runs_picture": "draw_real_runs",
    "widgets.real_sessions": "RealSessions",
    "widgets.runs": "Runs",
    "widgets.seat": "Seat",
    "widgets.walkthrough": "Walkthrough",
    "exercises.catalogue": "progress",
    "exercises.checking.fixtures": "Clock PLANNING WORK compare_with_todomanager play_steps",
    "exercises.checking.result": "Result",
    "exercises.check_loop": "LOOP_SOLUTION",
    "exercises.check_agent": "OWN_AGENT",
    "exercises.scene": "exhaust",
}
HOME = {name: module for module, names in MODULES.items() for name in names.split()}
HOME |= {check: f"exercises.{check}" for check in CHECKS}  # each module has the check's name
__all__ = sorted(HOME)  # noqa: PLE0605


def __getattr__(name: str) -> Any:
    """Import a public name from its module (PEP 562). Raise AttributeError for any other name."""
    if name not in HOME:
        raise AttributeError(f"module 'lesson' has no attribute {name!r}")
    value = getattr(import_module(f".{HOME[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
