"""Who runs the current cell, and whether something can be done after it has ended."""

import asyncio
from typing import Any

from .ipython_shell import find_shell


def find_kernel_request() -> dict[str, Any]:
    """Return the message of the front end that the kernel handles now; {} outside of a kernel."""
    kernel = getattr(find_shell(), "kernel", None)
    return (kernel.get_parent() or {}) if kernel else {}


def is_watched() -> bool:
    """Return whether a page runs the current cell: only a page names the cell in its request.

    Without a page (nbclient, nbval, a console, a script), output cannot be updated later.
    """
    return "cellId" in find_kernel_request().get("metadata", {})


def is_cell_running() -> bool:
    """Return whether a cell is running, and not what a reader's hand on a widget has started."""
    return find_kernel_request().get("header", {}).get("msg_type") == "execute_request"


def find_event_loop() -> asyncio.AbstractEventLoop | None:
    """Return the running event loop, or None in a script."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
