"""Open the run in a file. It is shown like one that was just played, and is not saved."""

from pathlib import Path
from typing import Any

from IPython.display import display

from safetylib.guard.escape import for_print

from ..drawing.picture import escape
from ..drawing.run_picture import format_run
from ..kernel.ipython_shell import find_shell
from ..kernel.watching import is_watched
from ..runs.record import Record
from ..runs.saved_run import SavedRun, read_run
from ..widgets.run_view import RunView

UNSAVED = "lp-unsaved"  # the lesson's extension for JupyterLab does not save what has this class
OPENED = (
    "This is the run of a file, with all of its texts: prompts, results and paths. It is not saved "
    "with the notebook. open_run(…, keep=True) saves it, and print(open_run(…)) prints it."
)


class OpenedView(RunView):
    """The view of a run that is from a file. A notebook does not save it."""

    def __init__(self, run: Record) -> None:
        super().__init__(run)
        self.add_class(UNSAVED)

    def _draw_at(self, at: int) -> None:
        super()._draw_at(at)
        self._notes.value += f"<p class='lp-note'>{escape(OPENED)}</p>"

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        return super()._repr_mimebundle_(**kwargs) | {"text/plain": OPENED}


class OpenedRun(SavedRun):
    """A run from a file, which is shown as the last value of its cell. `print(run)` prints it."""

    is_kept = False

    def __str__(self) -> str:
        return for_print(format_run(self))

    def __repr__(self) -> str:
        """Return the text, but not for the output of a cell, which would be saved."""
        in_notebook = hasattr(find_shell(), "kernel") and not self.is_kept
        return OPENED if in_notebook else str(self)

    def _ipython_display_(self) -> None:
        """Show the run. Without a page, a program that runs a notebook would save it."""
        if self.is_kept:
            display(RunView(self))
        elif is_watched():
            display(OpenedView(self))
        else:
            display({"text/plain": repr(self)}, raw=True)


def open_run(file: str | Path, keep: bool = False) -> OpenedRun:
    """Open a run that `run.save`, `play(…, save=…)` or my_agent's --save has written.

    It is drawn as `play` draws one, with all texts of the run, and a notebook saves what is drawn
    only with `keep`. It has the attributes and methods of a run that was just played, except
    `workspace`, `fork` and `save`: copy the file. Raise RunFileError for a file that is not a run,
    and OSError if it cannot be read.
    """
    run = read_run(file, OpenedRun)
    run.is_kept = keep
    return run
