"""lesson: the classroom around `agentlib`: a practice model, widgets, exercises, a program.

Names are imported when they are first used, so that the program needs no notebook packages.
"""

from importlib import import_module
from typing import Any

from .exercises import CHECKS

# The module of each public name. Each check is in a module with its name.
HOME = {
    "Arena": "widgets.arena",
    "Board": "widgets.board",
    "Clock": "exercises.checking.fixtures",
    "ConnectError": "real_model.connection",
    "Diagram": "widgets.diagram",
    "GuardedWorkspace": "program.workspace",
    "JudgedRuns": "widgets.judged",
    "MARKS": "exercises.shown_list",
    "PLANNING": "exercises.checking.fixtures",
    "PlanStudy": "widgets.plan_study",
    "Player": "widgets.player",
    "PracticeModel": "practice",
    "RemindIt": "widgets.remind_it",
    "Runs": "widgets.runs",
    "Seat": "widgets.seat",
    "Shown": "exercises.shown_list",
    "Trace": "runs",
    "Trial": "runs",
    "WORK": "exercises.checking.fixtures",
    "Walk": "widgets.walk",
    "bring": "program.bring",
    "claude_runs": "runs.claude_runs",
    "command_line": "program.command_line",
    "compare_series": "runs.planning_study",
    "connect": "model_choice",
    "count_lines": "program.save",
    "draw": "widgets.picture",
    "exhaust": "time_limit",
    "export": "program.export",
    "find_missing": "at_the_stop",
    "judged_runs": "runs.judged_runs",
    "keep": "program.save",
    "list_tool": "runs.trial",
    "load_job": "samples.jobs",
    "my_code": "widgets.my_agent",
    "open_program": "program.run",
    "open_workspace": "program.workspace",
    "play": "runs",
    "play_asking": "runs.play_asking",
    "play_once": "widgets.picture",
    "practice_line": "program.command_line",
    "progress": "program.progress",
    "said": "learner_predictions",
    "sample": "samples",
    "starter": "practice.models.starter",
    "what_changed": "widgets.my_agent",
} | {check: f"exercises.{check}" for check in CHECKS}
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
