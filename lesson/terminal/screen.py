"""Print in a terminal: escaped, styled, shortened, wrapped; and show the current wait."""

import os
import re
import shutil
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from textwrap import indent
from typing import TextIO
from unicodedata import east_asian_width

from agentlib import escape

from ..redaction import redact

BOLD, DIM, RED, GREEN = "bold", "dim", "ansired", "ansigreen"  # styles of prompt_toolkit
MAX_LINES, MAX_COLUMNS = 12, 200  # of a command's output or a diff
TICK_SECONDS = 1


def say(text: str, style: str = "", file: TextIO | None = None) -> None:
    """Print `text`, with control characters escaped; on a terminal in `style`."""
    file = file or sys.stdout
    text = escape.for_screen(text, file.encoding or "utf-8")
    if style and file.isatty() and os.environ.get("TERM") != "dumb":
        from prompt_toolkit import print_formatted_text  # late: piped output needs none of it
        from prompt_toolkit.formatted_text import FormattedText

        print_formatted_text(FormattedText([(style, text)]), file=file, flush=True)
    else:
        print(text, file=file, flush=True)


def say_output(text: str, style: str = DIM) -> None:
    """Print what a tool returned, indented and shortened, without keys."""
    say(indent("\n".join(shorten(redact(text).splitlines())), "    "), style)


def say_diff(diff: str) -> None:
    """Print a unified diff without keys and its first two lines, which name the file."""
    lines = redact(diff).removesuffix("\n").split("\n")
    body = lines[2:] if diff.startswith("--- ") else lines
    for line in shorten(body, MAX_LINES * 2):
        style = {"+": GREEN, "-": RED}.get(line[:1], DIM)
        say(f"    {line}".rstrip(), style)


def shorten(lines: list[str], most: int = MAX_LINES) -> list[str]:
    """Return at most `most` lines: the first ones, how many are left out, and the last ones."""
    cut = [line if len(line) <= MAX_COLUMNS else f"{line[:MAX_COLUMNS]} …" for line in lines]
    if len(cut) <= most:
        return cut
    head, tail = most // 3, most - 1 - most // 3
    return [*cut[:head], f"… ({len(cut) - head - tail} more lines)", *cut[-tail:]]


class Stream:
    """Prints text, wrapped between words. Between lines it shows the current wait.

    The wait is the last line of the screen, such as "running bash, 3 s". It is written again every
    second, with a carriage return, which dumb terminals know as well.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._reason, self._since = "", 0.0
        self._shown = ""  # the last line, if it shows a wait
        self._column = 0  # cells in the line of text
        if sys.stdout.isatty():
            threading.Thread(target=self._tick, daemon=True).start()

    @contextmanager
    def waiting(self, reason: str) -> Iterator[None]:
        """Show `reason` during the block, after the first second."""
        before = self._reason
        self._wait_for(reason)
        try:
            yield
        finally:
            self._wait_for(before)

    def paused(self) -> AbstractContextManager[None]:
        """End the line, so that others can print in the block."""
        return self.waiting("")

    def say_words(self, words: str) -> None:
        """Print whole words of what the model says, and the whitespace between them."""
        columns = shutil.get_terminal_size().columns - 1 if sys.stdout.isatty() else sys.maxsize
        with self._lock:
            self._erase()
            self._since = time.monotonic()
            for word in re.findall(r"\s+|\S+", words):
                width = count_cells(word.rpartition("\n")[2])
                if "\n" in word:
                    self._column = width
                elif self._column and self._column + width > columns and not word.isspace():
                    print()
                    self._column = width
                else:
                    self._column += width
                print(escape.for_screen(word, sys.stdout.encoding or "utf-8"), end="")
            sys.stdout.flush()

    def _wait_for(self, reason: str) -> None:
        with self._lock:
            self._reason, self._since = reason, time.monotonic()
            if self._column:
                print(flush=True)
                self._column = 0
            self._erase()

    def _tick(self) -> None:
        while True:
            time.sleep(TICK_SECONDS)
            with self._lock:
                seconds = int(time.monotonic() - self._since)
                if self._reason and seconds and not self._column:
                    self._erase()
                    line = f"  {self._reason}, {seconds} s (Ctrl-C stops it)"
                    line = escape.for_screen(line, sys.stdout.encoding or "utf-8")
                    self._shown = line[: shutil.get_terminal_size().columns - 1]
                    print(self._shown, end="", flush=True)

    def _erase(self) -> None:
        """Erase the wait; the caller has the lock."""
        if self._shown:
            print(f"\r{' ' * len(self._shown)}\r", end="", flush=True)
            self._shown = ""


def count_cells(text: str) -> int:
    """Return how many cells of the screen `text` fills: wide characters fill two."""
    return sum(2 if east_asian_width(character) in ("W", "F") else 1 for character in text)
