"""lesson: the classroom around `agentlib`: a practice model, rules, widgets, and a program.

Names are imported when they are first used, so that the program needs no notebook packages.
"""

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from exerciselib.learners_code import add_teachers

from .common.version import __version__ as __version__
from .kernel.deferred_imports import install
from .kernel.ipython_shell import find_shell

# A learner's code is what is neither ours nor a package's.
add_teachers(*(Path(__file__).parents[1] / name for name in ("agentlib", "lesson", "safetylib")))

# The module of each public name.
HOME = {
    "NagSlider": ".widgets.nag_slider",
    "PracticeModel": ".practice.practice_model",
    "Seat": ".widgets.seat",
    "Walk": ".widgets.walk",
    "ask_at_the_stop": ".runs.run",
    "check": ".in_cells.check_part",
    "claude_runs": ".runs.claude_runs",
    "compare": ".widgets.compare_runs",
    "connect": ".practice.model_choice",
    "edit_loop": ".in_cells.edit_loop",
    "evaluate": ".tables.evaluate",
    "find_missing": ".samples.copies",
    "my_agent": ".program.my_agent",
    "open_run": ".in_cells.open_run",
    "play": ".in_cells.play_job",
    "reveal": ".in_cells.learner_predictions",
    "sample": ".samples.copies",
    "take_away": ".program.take_away",
    "terminal": ".program.terminal",
}
__all__ = sorted(HOME)  # noqa: PLE0605


def __getattr__(name: str) -> Any:
    """Import a public name from its module (PEP 562).

    Raise AttributeError for what Python itself asks for, as a submodule, and otherwise ImportError:
    a notebook that imports an unknown name may be of an older lesson.
    """
    if name in HOME:
        value = getattr(import_module(HOME[name], __name__), name)
        globals()[name] = value
        return value
    if name.startswith("_") or find_spec(f"{__name__}.{name}"):
        raise AttributeError(f"module 'lesson' has no attribute {name!r}")
    raise ImportError(
        f"lesson has no {name}. Is it misspelled? Otherwise this notebook is of an older lesson: "
        "`planning-agent lesson NEW_FOLDER` copies the notebooks of this one, and changes no file "
        "of yours."
    )


def __dir__() -> list[str]:
    return __all__


if (shell := find_shell()) is not None:  # the cells of a notebook are noted from here on
    from .kernel import cell_errors
    from .kernel.load_ahead import LoadAhead
    from .program.newest import start

    install()
    ahead = LoadAhead(shell)
    start(shell)
    cell_errors.start(shell, HOME)


def load_ipython_extension(shell: Any) -> None:
    """Load ahead from the kernel's start on. The kernels of `planning-agent lab` call this."""
    ahead.begin_with_the_kernel()
