"""lesson: the classroom around `agentlib`: a practice model, widgets, exercises, a terminal.

Names are imported when they are first used, so that the terminal needs no notebook packages.
"""

from importlib import import_module
from typing import Any

# Each module, and the public names that it provides.
MODULES = {
    "model_choice": "connect",
    "samples": "sample",
    "practice": "PracticeModel",
    "practice.policy.practice_policy": "PracticeMind",
    "practice.policy.tasks": "load",
    "runs": "Step Trace Trial make_bill play",
    "runs.cuts": "compare_cuts",
    "widgets": "Approval Board Chart NagSlider Player RealSessions Runs Walkthrough",
    "exercises": (
        "Clock LOOP_SCAFFOLD LOOP_SOLUTION OWN_AGENT PLANNING Puzzle Result WORK changes "
        "check_agent check_brief check_kept check_loop check_nag check_nag_facts "
        "check_order check_priority check_rules check_timed check_tool compare_curves "
        "progress"
    ),
    "exercises.scene": "exhaust",
}
HOME = {name: module for module, names in MODULES.items() for name in names.split()}
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
