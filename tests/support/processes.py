"""Processes that a test looks for, and files that it waits for."""

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

PATIENCE_SECONDS = 60  # an upper bound: what is waited for comes in milliseconds where all is well


def alive(*words: str) -> list[str]:
    """The command lines of the processes that were started with these words, side by side."""
    if Path("/proc/self").exists():
        lines = []
        for process in Path("/proc").glob("[0-9]*"):
            try:
                lines.append((process / "cmdline").read_bytes().replace(b"\0", b" ").decode())
            except OSError:
                pass
    else:
        listed = subprocess.run(["ps", "-Awwo", "args"], capture_output=True, text=True)
        lines = listed.stdout.splitlines()
    return [line for line in lines if line.startswith(" ".join(words))]


def gone(*words: str) -> bool:
    """Wait until there is no such process; whether that came about."""
    return comes_true(lambda: not alive(*words))


def started(*words: str) -> bool:
    """Wait until there is such a process; whether that came about."""
    return comes_true(lambda: alive(*words))


def comes_true(condition: Callable[[], object]) -> bool:
    """Wait for `condition`; whether it came true within PATIENCE_SECONDS."""
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
