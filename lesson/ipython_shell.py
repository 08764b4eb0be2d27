"""Find IPython's shell, which has the learner's names, the cells that ran, and the front end."""

import sys
from typing import Any


def find_shell() -> Any:
    """Return IPython's shell, or None outside of IPython. Never import IPython."""
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython else None


def find_request_metadata() -> dict[str, Any]:
    """Return what a page has sent with the running cell: its id, as `cellId`, and its metadata.

    Without a page (nbclient, nbval, a console, a script), the dict is empty.
    """
    kernel = getattr(find_shell(), "kernel", None)
    return kernel.get_parent("shell").get("metadata", {}) if kernel else {}
