"""lesson: the classroom around `agentlib`: a practice model, widgets, exercises, a program.

Names are imported when they are first used, so that the program needs no notebook packages.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from .exercises import CHECKS

# The module of each public name. Each check is in a module with its name.
HOME = {
    "Board": "widgets.board",
    "Clock": "exercises.checking.fixtures",
    "ConnectError": "real_model.connection",
    "FourRuns": "widgets.four_runs",
    "MARKS": "exercises.shown_list",
    "PLANNING": "exercises.checking.fixtures",
    "Player": "widgets.player",
    "PracticeModel": "practice",
    "Seat": "widgets.seat",
    "Shown": "exercises.shown_list",
    "Trace": "runs",
    "Trial": "runs",
    "WORK": "exercises.checking.fixtures",
    "Walk": "widgets.walk",
    "bring": "program.bring",
    "claude_runs": "runs.claude_runs",
    "command_line": "program.command_line",
    "connect": "model_choice",
    "draw": "widgets.picture",
    "exhaust": "time_limit",
    "find_missing": "at_the_stop",
    "keep": "program.save",
    "list_tool": "runs.trial",
    "load_job": "samples.jobs",
    "open_program": "program.run",
    "open_workspace": "program.workspace",
    "play": "runs",
    "play_asking": "runs.play_asking",
    "play_once": "widgets.picture",
    "said": "learner_predictions",
    "sample": "samples",
    "starter": "practice.starter",
} | {check: f"exercises.{check}" for check in CHECKS}
__all__ = sorted(HOME)  # noqa: PLE0605


def __getattr__(name: str) -> Any:
    """Import a public name from its module (PEP 562).

    Raise AttributeError for what Python itself asks for, as a submodule, and otherwise ImportError:
    a notebook that imports an unknown name may be of another version.
    """
    if name in HOME:
        value = getattr(import_module(f".{HOME[name]}", __name__), name)
        globals()[name] = value
        return value
    if name.startswith("_") or find_spec(f"{__name__}.{name}"):
        raise AttributeError(f"module 'lesson' has no attribute {name!r}")
    raise ImportError(
        f"lesson has no {name}. Is it misspelled? Otherwise this notebook is of another version."
    )


def __dir__() -> list[str]:
    return __all__
