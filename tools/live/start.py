"""Prepare the browser's kernel before the first cell: import slow modules, patch its functions.

JupyterLite's page waits for the kernel anyway; imports are slower once its files are mounted.
"""

import signal

import anthropic
import page_alarm
import pyodide_kernel
from pyodide.ffi import jsnull
from pyodide_kernel import comm, kernel

import lesson.practice.api.server
import lesson.program.progress
import lesson.widgets.arena
import lesson.widgets.board
import lesson.widgets.runs
import lesson.widgets.seat
import lesson.widgets.walk
from lesson.time_limit import OutOfTimeError, TimeLimit

CELL_SECONDS = 60.0  # the longest cell of the lesson needs 20, most of them to be watched

__all__ = ["anthropic", "lesson", "pyodide_kernel"]


def with_null(thing):
    """Return JSON with JavaScript's null for None. Pyodide converts None to `undefined`."""
    if isinstance(thing, dict):
        return {key: with_null(value) for key, value in thing.items()}
    if isinstance(thing, list | tuple):
        return [with_null(one) for one in thing]
    return jsnull if thing is None else thing


publish = comm.Comm.publish_msg


def publish_msg(self, msg_type, data=None, metadata=None, buffers=None, **keys):
    """Send a message of a widget, with null for None."""
    publish(self, msg_type, with_null(data or {}), metadata, buffers, **keys)


def get_parent(self, channel="shell"):
    """Return the header of the current request. ipykernel's method has the same argument."""
    return self._parent_header


def setitimer(which, seconds, interval=0.0):
    """Send SIGALRM after this many `seconds`, then at each `interval`. See start.mjs."""
    return tuple(page_alarm.set(seconds, interval))


run = kernel.PyodideKernel.run


async def run_with_limit(self, code):
    """Run a cell, and end it after CELL_SECONDS: a kernel cannot be interrupted here."""
    limit = TimeLimit(CELL_SECONDS)

    def explain(shell, kind, problem, traceback, tb_offset=None):
        limit.end()  # no more of them while this one is shown
        lines = shell.InteractiveTB.structured_traceback(kind, problem, traceback, tb_offset)
        shell._showtraceback(kind, problem, lines)

    self.interpreter.set_custom_exc((OutOfTimeError,), explain)
    with limit:
        return await run(self, code)


signal.setitimer = setitimer
kernel.PyodideKernel.run = run_with_limit
comm.Comm.publish_msg = publish_msg
kernel.PyodideKernel.get_parent = get_parent
