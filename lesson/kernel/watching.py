"""Who runs the current cell, and whether something can be done after it has ended."""

import asyncio
import threading
from collections.abc import Callable
from typing import Any

from .ipython_shell import find_shell


def find_kernel_request() -> dict[str, Any]:
    """Return the message of the front end that the kernel handles now; {} outside of a kernel."""
    kernel = getattr(find_shell(), "kernel", None)
    return (kernel.get_parent() or {}) if kernel else {}


def name_request() -> str:
    """Return what is unique to the execution of a cell."""
    shell = find_shell()
    return (
        find_kernel_request().get("header", {}).get("msg_id")
        or f"cell {shell and shell.execution_count}"
    )


def is_watched() -> bool:
    """Return whether a page runs the current cell: only a page names the cell in its request.

    Without a page (nbclient, nbval, a console, a script), output cannot be updated later.
    """
    return find_cell() != ""


def find_cell() -> str:
    """Return the id of the cell that is run, or "" if no page runs one."""
    return str(find_kernel_request().get("metadata", {}).get("cellId", ""))


def is_cell_running() -> bool:
    """Return whether a cell is running, and not what a reader's hand on a widget has started."""
    return find_kernel_request().get("header", {}).get("msg_type") == "execute_request"


def find_event_loop() -> asyncio.AbstractEventLoop | None:
    """Return the running event loop, or None in a script."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def call_in_main_thread(function: Callable[[], object]) -> None:
    """Call a function in the main thread: at once, or when its loop is free.

    JupyterLab runs the callback of a widget in another thread, a subshell, unless the kernel has
    last written to this widget from the main thread (ipykernel 7.4.0). There, no signal arrives,
    so neither a time limit nor the stop button ends a learner's code.
    """
    kernel = getattr(find_shell(), "kernel", None)
    loop = getattr(getattr(kernel, "io_loop", None), "asyncio_loop", None)  # of the main thread
    if loop is None or threading.current_thread() is threading.main_thread():
        function()
    else:
        loop.call_soon_threadsafe(function)
