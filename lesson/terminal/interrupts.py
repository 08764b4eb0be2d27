"""Interrupts: Ctrl-C stops the agent, and a closed terminal ends the program.

Both are a KeyboardInterrupt, at any instant. `agentlib.sandbox.shell` kills the running command,
`agentlib.loop` leaves a history that can be sent, and `lesson.__main__` asks what to do next.
Ctrl-C in a line that the user types is a key: see `read_prompt`.
"""

import signal
from types import FrameType
from typing import NoReturn


class ClosedError(KeyboardInterrupt):
    """Raised if the terminal was closed or the program was told to end."""


def end_on_signals() -> None:
    """Make SIGTERM and SIGHUP end the running command as Ctrl-C does."""
    for name in ("SIGTERM", "SIGHUP"):  # Windows has no SIGHUP
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), end)


def end(number: int, frame: FrameType | None) -> NoReturn:
    """Raise ClosedError: the handler of a signal."""
    raise ClosedError
