"""Find processes, wait for conditions, count calls, and interrupt, for tests."""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import psutil

PATIENCE_SECONDS = 60  # an upper bound: without an error, each wait takes milliseconds


def alive(*words: str) -> list[str]:
    """Return the command lines that begin with these words, of all running processes."""
    commands = [process.info["cmdline"] or [] for process in psutil.process_iter(["cmdline"])]
    return [line for line in map(" ".join, commands) if line.startswith(" ".join(words))]


def gone(*words: str) -> bool:
    """Wait until there is no such process; return False after PATIENCE_SECONDS."""
    return comes_true(lambda: not alive(*words))


def started(*words: str) -> bool:
    """Wait until there is such a process; return False after PATIENCE_SECONDS."""
    return comes_true(lambda: alive(*words))


def comes_true(condition: Callable[[], object]) -> bool:
    """Wait until `condition` is true; return False after PATIENCE_SECONDS."""
    give_up = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        if time.monotonic() > give_up:
            return False
        time.sleep(0.01)
    return True


@contextmanager
def interrupt_when(condition: Callable[[], object]) -> Iterator[None]:
    """Press Ctrl-C as soon as `condition` is true."""

    def press() -> None:
        if comes_true(condition):
            os.kill(os.getpid(), signal.SIGINT)

    presser = threading.Thread(target=press)
    presser.start()
    try:
        yield
    finally:
        presser.join()
