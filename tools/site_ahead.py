"""Import the lesson in an idle kernel of the browser edition, and say if it can keep no files.

This is a module of the site's kernel, which imports it last. A kernel whose folder is not the
lesson's is left alone. The lesson imports what comes next: lesson/kernel/load_ahead.py. In a
browser without a service worker, a kernel has none of the page's files: its first cell says so.
"""

import asyncio
import os
import sys
from glob import glob
from importlib import import_module

from IPython import get_ipython

IDLE_SECONDS = 1.0
NOT_KEPT = (
    "Your files cannot be kept here, because this page may not run its service worker. A private "
    "window, a filter of your network, or an address that begins with http:// can be the reason. "
    "The notebook works, but what it writes into my_agent is gone at its end, and no other "
    "notebook finds it. Open the page in an ordinary window or in another browser, or choose "
    "File › Download at the end of each notebook.\n"
)


def begin() -> None:
    """Import the lesson, also after a first cell that came earlier and did not need it."""
    if os.path.exists("00_start_here.ipynb"):
        import_module("lesson")


def warn(_: object) -> None:
    """Say before the first cell if this kernel does not see the page's files."""
    events.unregister("pre_run_cell", warn)
    if not glob("*.ipynb"):  # a notebook is in its own folder
        print(NOT_KEPT, file=sys.stderr)


events = get_ipython().events
events.register("pre_run_cell", warn)
asyncio.get_running_loop().call_later(IDLE_SECONDS, begin)
