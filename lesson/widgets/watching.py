"""Whether a reader watches the running cell: only then does a run wait after each round."""

from time import monotonic
from typing import Any

from ..ipython_shell import find_shell

SOON_SECONDS = 0.3  # nobody runs a cell by hand so soon after the one above has ended


class Cells:
    """Notes when cells begin and end, in this kernel."""

    def __init__(self) -> None:
        self.ended = self.began = 0.0
        self.shell: Any = None

    def start(self, shell: Any) -> None:
        """Begin to note, once for each shell."""
        if shell is None or shell is self.shell:
            return
        self.shell = shell
        shell.events.register("pre_run_cell", self._begin)
        shell.events.register("post_run_cell", self._end)

    def _begin(self, _: object) -> None:
        self.began = monotonic()

    def _end(self, _: object) -> None:
        self.ended = monotonic()

    @property
    def is_run_by_hand(self) -> bool:
        """Return whether the running cell began a while after another one had ended."""
        return bool(self.ended) and not 0 <= self.began - self.ended < SOON_SECONDS


CELLS = Cells()
CELLS.start(find_shell())


def find_request() -> dict[str, Any]:
    """Return the message of the front end that the kernel handles now; {} outside of a kernel."""
    kernel = getattr(find_shell(), "kernel", None)
    return (kernel.get_parent() or {}) if kernel else {}


def is_watched() -> bool:
    """Return whether a page runs the current cell: only a page names the cell in its request.

    Without a page (nbclient, nbval, a console, a script), output cannot be updated later.
    """
    return "cellId" in find_request().get("metadata", {})


def is_cell_running() -> bool:
    """Return whether a cell is running, and not what a reader's hand on a widget has started."""
    return find_request().get("header", {}).get("msg_type") == "execute_request"


def is_run_from_above() -> bool:
    """Return whether nobody watches the running cell, because it is one of many.

    It began right after another one, or is the first one of the lesson in this kernel, which may
    be followed by others at once. To look at the queue of messages would say more, but whoever
    asks a ZeroMQ socket for its events takes the signal away from the kernel.
    """
    return not CELLS.is_run_by_hand
