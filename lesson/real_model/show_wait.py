"""Show that a model is being waited for: one line with the seconds, if a user is there."""

import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import copy_context
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

from agentlib import escape
from agentlib.safety.approval import someone_can_answer

if TYPE_CHECKING:
    from collections.abc import Callable

    from anthropic import APIRequest, APIResponse

TICK_SECONDS = 1


def show_wait(
    request: "APIRequest", call_next: "Callable[[APIRequest], APIResponse[Any]]"
) -> "APIResponse[Any]":
    """Send a request and, if it is for a message, show the wait: a middleware of the SDK."""
    match request.json:
        case {"model": str(model), "messages": _} if someone_can_answer():
            with waiting(f"Waiting for {model}"):
                return call_next(request)
    return call_next(request)


@contextmanager
def waiting(reason: str) -> Iterator[None]:
    """Show `reason` and the seconds in the last line, from the first second to the block's end."""
    done = Event()
    # A notebook's kernel finds the cell that an output belongs to in the context.
    thread = Thread(target=copy_context().run, args=(tick, reason, done), daemon=True)
    try:
        thread.start()
        yield
    finally:
        done.set()
        thread.join()


def tick(reason: str, done: Event) -> None:
    """Write the line again every second, with a carriage return, and erase it when `done`."""
    start, line = time.monotonic(), ""
    columns = shutil.get_terminal_size().columns - 1
    reason = escape.for_screen(reason, getattr(sys.stdout, "encoding", None) or "utf-8")
    while not done.wait(TICK_SECONDS):
        line = f"{reason}: {int(time.monotonic() - start)} s"[:columns]
        print(f"\r{line}", end="", flush=True)
    if line:
        print(f"\r{' ' * len(line)}\r", end="", flush=True)
