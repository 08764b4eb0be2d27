"""Find IPython's shell, which has the learner's names, the cells that ran, and the front end."""

import sys
import traceback
from typing import Any


def find_shell() -> Any:
    """Return IPython's shell, or None outside of IPython. Never import IPython."""
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython else None


def shorten_interrupts(shell: Any) -> None:
    """Show a cell that was stopped with its own lines only, and say that nothing is broken.

    A run is many calls deep when it is stopped, and its traceback would be 180 lines long.
    """

    def show(shell: Any, etype: type, problem: BaseException, tb: Any, tb_offset: int = 0) -> None:
        frames = traceback.extract_tb(tb)
        own = [one for one in frames if one.name == "<module>"] or frames[-1:]
        lines = [f"  line {one.lineno}: {one.line}" for one in own[-1:]]
        said = ["Stopped, in this cell:", *lines, "You can run the cell again."]
        problem._render_traceback_ = lambda: said  # type: ignore[attr-defined]
        shell.showtraceback((etype, problem, tb))

    shell.set_custom_exc((KeyboardInterrupt,), show)
