"""The notebook that runs this code, where one does: its shell, and whether a page shows it."""

import sys
from typing import Any


def find_shell() -> Any:
    """IPython's shell, or None where this does not run in IPython. It never imports IPython."""
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython else None


def is_watched() -> bool:
    """Whether a page is running the current cell: only a page names the cell in its request.

    Without a page (nbclient, nbval, a console, a script), nothing can be shown later.
    """
    kernel = getattr(find_shell(), "kernel", None)
    return kernel is not None and "cellId" in kernel.get_parent("shell").get("metadata", {})
