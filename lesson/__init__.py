"""lesson: the classroom around `agentlib`: a practice model, widgets, exercises, a terminal.

Names are imported when they are first used, so that the terminal needs no notebook packages.
"""

import ast
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .exercises import CHECKS

# The public names, as type checkers and editors read them, without the checks: each is in a module
# with its name. At run time nothing here is imported: `HOME` is read from these lines, and
# `__getattr__` imports a name when it is used.
if TYPE_CHECKING:
    from .exercises.catalogue import progress as progress
    from .exercises.checking import Result as Result
    from .exercises.checking.fixtures import PLANNING as PLANNING
    from .exercises.checking.fixtures import WORK as WORK
    from .exercises.checking.fixtures import Clock as Clock
    from .model_choice import connect as connect
    from .my_agent import keep as keep
    from .practice import PracticeModel as PracticeModel
    from .practice.ask_person import ask_person as ask_person
    from .practice.policy.jobs import load_job as load_job
    from .practice.policy.practice_policy import PracticePolicy as PracticePolicy
    from .predictions import said as said
    from .program import GuardedWorkspace as GuardedWorkspace
    from .program import find_missing as find_missing
    from .program import list_tool as list_tool
    from .program import open_workspace as open_workspace
    from .program import print_rounds as print_rounds
    from .real_model.connection import ConnectError as ConnectError
    from .real_model.connection import Connection as Connection
    from .runs import Trace as Trace
    from .runs import Trial as Trial
    from .runs import make_bill as make_bill
    from .runs import play as play
    from .runs.cuts import compare_cuts as compare_cuts
    from .runs.experiment import experiment as experiment
    from .runs.judged_runs import judged_runs as judged_runs
    from .runs.real_runs import real_runs as real_runs
    from .samples import sample as sample
    from .terminal.command_line import command_line as command_line
    from .trying import exhaust as exhaust
    from .widgets.arena import Arena as Arena
    from .widgets.board import Board as Board
    from .widgets.judged import JudgedRuns as JudgedRuns
    from .widgets.pictures import draw_costs as draw_costs
    from .widgets.player import Player as Player
    from .widgets.runs import Runs as Runs
    from .widgets.seat import Seat as Seat
    from .widgets.walkthrough import Walkthrough as Walkthrough


def read_imports() -> dict[str, str]:
    """Return the module of each public name, from the imports above."""
    tree = ast.parse(Path(__file__).read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    imports = (node for node in block.body if isinstance(node, ast.ImportFrom))
    return {alias.name: str(node.module) for node in imports for alias in node.names}


HOME = read_imports() | {check: f"exercises.{check}" for check in CHECKS}
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
