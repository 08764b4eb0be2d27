"""Processes that a test looks for, and files that it waits for."""

import subprocess
import time
from collections.abc import Callable
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
        lines = subprocess.run(["ps", "-Awwo", "args"], capture_output=True, text=True).stdout
        lines = lines.splitlines()
    return [line for line in lines if line.startswith(" ".join(words))]


def gone(*words: str) -> bool:
    """Wait until there is no such process; whether that came about."""
    return comes_true(lambda: not alive(*words))


def started(*words: str) -> bool:
    """Wait until there is such a process; whether that came about."""
    return comes_true(lambda: bool(alive(*words)))


def comes_true(condition: Callable[[], bool]) -> bool:
    """Wait for `condition`; whether it came true within PATIENCE_SECONDS."""
    give_up = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        if time.monotonic() > give_up:
            return False
        time.sleep(0.01)
    return True
