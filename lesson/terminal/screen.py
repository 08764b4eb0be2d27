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

from agentlib.client import escape
from agentlib.client.approval import fold_lines
from agentlib.client.streaming import print_words

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
    """At most `most` lines: the first ones, the last ones, and how many are left out."""
    cut = [line if len(line) <= MAX_COLUMNS else f"{line[:MAX_COLUMNS]} …" for line in lines]
    if len(cut) <= most:
        return cut
    head, tail = most // 3, most - 1 - most // 3
    return [*cut[:head], f"… ({len(cut) - head - tail} more lines)", *cut[-tail:]]


def can_redraw(stream: TextIO) -> bool:
    """Whether what stands there can be taken away again: on no pipe, and where it is wanted."""
    is_plain = "NO_COLOR" in os.environ or os.environ.get("TERM") == "dumb"
    return stream.isatty() and not is_plain


class Foot:
    """What stands at the foot of a screen while work goes on: the plan, and what is waited for.

    It goes before anything else is shown, and comes back below it. What is waited for appears
    after a second. Where the screen is a plain one, it needs no escape sequence, and the plan is
    not there. On a pipe there is nothing.
    """

    def __init__(self) -> None:
        self.stream = sys.stderr
        self.is_redrawn = can_redraw(self.stream) and can_redraw(sys.stdout)
        self.plan = self.spent = ""
        self._lock = threading.Lock()
        self._reason, self._since = "", 0.0
        self._drawn: list[str] = []
        self._is_within_line = False
        if self.stream.isatty():
            threading.Thread(target=self._run, daemon=True).start()

    @contextmanager
    def shown(self, reason: str) -> Iterator[None]:
        """Say `reason` for as long as the block takes."""
        before = self._reason
        self._change(reason)
        try:
            yield
        finally:
            self._change(before)

    def hidden(self) -> AbstractContextManager[None]:
        """Keep the foot away for as long as the block takes."""
        return self.shown("")

    def say_words(self, words: str) -> None:
        """Print a piece of what the model says; until its line ends, the foot is away."""
        with self._lock:
            self._clear()
            self._is_within_line = not words.endswith("\n")
            self._since = time.monotonic()
            print_words(words)

    def _change(self, reason: str) -> None:
        with self._lock:
            self._reason, self._since = reason, time.monotonic()
            if self._is_within_line:
                self._is_within_line = False
                print(flush=True)
            self._draw()

    def _run(self) -> None:
        while True:
            time.sleep(TICK_SECONDS)
            with self._lock:
                self._draw()

    def _draw(self) -> None:
        """Put what is to be seen now in the place of what is; the lock is held."""
        lines = self._lines()
        if lines == self._drawn or self._is_within_line:
            return
        self._clear()
        self._drawn = lines
        if lines:
            shown = [*(f"\033[{BOLD}m{line}\033[0m" for line in lines[:-1]), lines[-1]]
            self.stream.write("\n".join(shown))
            self.stream.flush()

    def _lines(self) -> list[str]:
        """The rows of the foot, each fit for the screen; the last says what is waited for."""
        if not (self._reason and self.stream.isatty()):
            return []
        columns, rows = shutil.get_terminal_size()
        plan = shorten(self.plan.splitlines(), max(rows // 2, 3)) if self.is_redrawn else []
        seconds = int(time.monotonic() - self._since)
        spent = f" · {self.spent}" if self.spent else ""
        waiting = f"  {self._reason}, {seconds} s{spent} (Ctrl-C stops it)" if seconds else ""
        lines = [*(f"    {line}" for line in plan if line), waiting]
        encoding = self.stream.encoding or "utf-8"
        cut = [fold_lines([escape.prose(line, encoding)], columns)[0] for line in lines]
        return cut if any(cut) else []

    def _clear(self) -> None:
        """Take away what is drawn; the lock is held."""
        if not self._drawn:
            return
        if self.is_redrawn:
            up = f"\033[{len(self._drawn) - 1}A" if len(self._drawn) > 1 else ""
            self.stream.write(f"\r{up}\033[J")
        else:
            self.stream.write("\r" + " " * len(self._drawn[-1]) + "\r")
        self.stream.flush()
        self._drawn = []
