"""What is shown in a terminal: text that cannot steer it, shortened, with a sign of life."""

import os
import shutil
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from textwrap import indent
from typing import TextIO

from .. import escape

BOLD, DIM, RED, GREEN = "1", "2", "31", "32"  # ECMA-48, "select graphic rendition"
MAX_LINES, MAX_COLUMNS = 12, 200  # of what a command printed, or of a diff
TICK_SECONDS = 1


def say(text: str, style: str = "", file: TextIO | None = None) -> None:
    """Print `text`, whoever wrote it, so that it cannot steer the terminal; styled on a screen."""
    file = file or sys.stdout
    text = escape.prose(text, file.encoding or "utf-8")
    if style and file.isatty() and "NO_COLOR" not in os.environ:
        text = f"\033[{style}m{text}\033[0m"
    print(text, file=file, flush=True)


def say_output(text: str, style: str = DIM) -> None:
    """Print what a tool returned, indented and shortened."""
    say(indent("\n".join(shorten(text.splitlines())), "    "), style)


def say_diff(diff: str) -> None:
    """Print a unified diff without its head, which names the file: added green, removed red."""
    lines = diff.removesuffix("\n").split("\n")  # as machine/changes does
    body = lines[2:] if diff.startswith("--- ") else lines
    for line in shorten(body, MAX_LINES * 2):
        style = {"+": GREEN, "-": RED}.get(line[:1], DIM)
        say(f"    {line}".rstrip(), style)


def shorten(lines: list[str], most: int = MAX_LINES) -> list[str]:
    """At most so many lines: the first ones, the last ones, and how many are left out."""
    cut = [line if len(line) <= MAX_COLUMNS else f"{line[:MAX_COLUMNS]} …" for line in lines]
    if len(cut) <= most:
        return cut
    head, tail = most // 3, most - 1 - most // 3
    return [*cut[:head], f"… ({len(cut) - head - tail} more lines)", *cut[-tail:]]


class Waiting:
    """A line at the foot of a screen that says what is waited for, and for how long.

    It appears after a second, goes before anything else is shown, and is on no pipe. It needs
    no escape sequence, so it is there with NO_COLOR, too.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self.stream = stream or sys.stderr
        self._lock = threading.Lock()
        self._reason, self._since, self._width = "", 0.0, 0
        if self.stream.isatty():
            threading.Thread(target=self._run, daemon=True).start()

    @contextmanager
    def shown(self, reason: str) -> Iterator[None]:
        """Say `reason` for as long as the block takes."""
        before = self._reason, self._since
        self._change(reason, time.monotonic())
        try:
            yield
        finally:
            self._change(*before)

    def hidden(self) -> AbstractContextManager[None]:
        """Keep the line away for as long as the block takes."""
        return self.shown("")

    def _change(self, reason: str, since: float) -> None:
        with self._lock:
            self._reason, self._since = reason, since
            self._write("")

    def _run(self) -> None:
        while True:
            time.sleep(TICK_SECONDS)
            with self._lock:
                seconds = int(time.monotonic() - self._since)
                if self._reason and seconds:
                    self._write(f"  {self._reason}, {seconds} s (Ctrl-C stops it)")

    def _write(self, line: str) -> None:
        """Put `line` in the place of the one before; the lock is held."""
        if line or self._width:
            columns = shutil.get_terminal_size().columns - 1
            line = escape.prose(line, self.stream.encoding or "utf-8")[:columns]
            self.stream.write("\r" + line.ljust(self._width) + ("" if line else "\r"))
            self.stream.flush()
            self._width = len(line)
