"""Find the notebook that runs this code, if there is one."""

import sys
from typing import Any


def find_shell() -> Any:
    """Return IPython's shell, or None outside of IPython. Never import IPython."""
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython else None


def is_watched() -> bool:
    """Return whether a page runs the current cell: only a page names the cell in its request.

    Without a page (nbclient, nbval, a console, a script), output cannot be updated later.
    """
    kernel = getattr(find_shell(), "kernel", None)
    return kernel is not None and "cellId" in kernel.get_parent("shell").get("metadata", {})
