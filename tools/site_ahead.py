"""Import the lesson in an idle kernel of the browser edition, before its first cell.

This is a module of the site's kernel, which imports it last. A kernel whose folder is not the
lesson's is left alone. The lesson imports what comes next: lesson/kernel/load_ahead.py.
"""

import asyncio
import os
from importlib import import_module

IDLE_SECONDS = 1.0


def begin() -> None:
    """Import the lesson, also after a first cell that came earlier and did not need it."""
    if os.path.exists("00_start_here.ipynb"):
        import_module("lesson")


asyncio.get_running_loop().call_later(IDLE_SECONDS, begin)
