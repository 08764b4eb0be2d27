"""Import what the first `play` and `check` need while the kernel is idle, never while a cell runs.

A fresh kernel spends a second on these imports. Here they begin when a page's first cell has ended,
one module after another, in the kernel's own event loop: Python in a browser has no threads, and a
thread would take time from the next cell. On a busy machine, as when thirty kernels start at once,
it waits, so that no start is later. In a browser, where a kernel has a page and nobody else's
processor, they begin before the first cell. So they do in the kernels of `planning-agent lab`, for
most notebooks begin with the cell that needs them.
"""

import asyncio
import sys
import time
from asyncio import TimerHandle
from collections import deque
from contextlib import suppress
from importlib import import_module
from typing import Any

from .watching import find_event_loop, is_watched

MODULES = (
    "lesson.in_cells.play_job",  # a small one first: it shows if the machine is busy
    "anthropic",
    "anthropic.resources.messages.messages",  # of the deferred imports, what a request needs
    "lesson.practice.api.server",
    "lesson.in_cells.check_part",
    "lesson.exercises.my_todo",
    "lesson.exercises.agent_loop",
)
# In a browser, these come first: what needs no SDK, as the first cell of the lesson, and then parts
# of the SDK, so that a cell that begins meanwhile waits for one of them and not for all.
BEFORE_A_CELL = (
    "lesson.widgets.seat",
    "lesson.in_cells.play_job",
    "lesson.in_cells.check_part",
    "lesson.exercises.my_todo",
    "pydantic",
    "httpx2",
)
WARM_UP = "lesson.runs.warm_up"  # comes last in a browser, and plays a run
AFTER_CELL_SECONDS = 0.5  # its picture is drawn first
BETWEEN_SECONDS = 0.05  # the next cell can begin here
WAIT_SECONDS = 10.0  # on a busy machine
BUSY = 2.0  # times its processor time by the clock, and a module was imported on a busy machine
BUSY_SECONDS = 0.1  # that a disk may take


class LoadAhead:
    """The modules that are still to be imported, while the cells of an IPython shell run."""

    def __init__(self, shell: Any) -> None:
        self.has_page = sys.platform == "emscripten"
        self.waiting = deque((*BEFORE_A_CELL, *MODULES, WARM_UP) if self.has_page else MODULES)
        self.timer: TimerHandle | None = None
        shell.events.register("pre_execute", self.stop)
        shell.events.register("post_execute", self.begin)
        if self.has_page:
            self.plan(BETWEEN_SECONDS)

    def begin(self) -> None:
        """Import soon, if a page has run a cell: others, such as a debugger, send code as well."""
        self.has_page = self.has_page or is_watched()
        if self.has_page:
            self.plan(AFTER_CELL_SECONDS)

    def begin_with_the_kernel(self) -> None:
        """Import before the first cell of a page. The kernel's loop begins in a moment."""
        self.has_page = True
        self.stop()
        self.timer = asyncio.get_event_loop().call_later(AFTER_CELL_SECONDS, self.step)

    def stop(self) -> None:
        """Import nothing while a cell runs."""
        if self.timer:
            self.timer.cancel()

    def plan(self, seconds: float) -> None:
        """Import the next module after so many seconds."""
        self.stop()
        if self.waiting and (loop := find_event_loop()):
            self.timer = loop.call_later(seconds, self.step)

    def step(self) -> None:
        """Import a module."""
        clock, work = time.monotonic(), time.process_time()
        with suppress(Exception):  # the cell that needs it imports it again, and shows the error
            import_module(self.waiting.popleft())
        took, worked = time.monotonic() - clock, time.process_time() - work
        self.plan(WAIT_SECONDS if took > BUSY * worked + BUSY_SECONDS else BETWEEN_SECONDS)
