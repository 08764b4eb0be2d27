"""Print in a terminal, with control characters escaped and keys redacted."""

import os
import sys
from textwrap import indent
from typing import TextIO

from agentlib import escape

from ..redaction import redact

PLAIN, BOLD, DIM = "", "\x1b[1m", "\x1b[2m"
RESET = "\x1b[0m"
MAX_LINES, MAX_COLUMNS = 12, 200  # of a tool's output


def say(text: str, style: str = PLAIN, file: TextIO | None = None) -> None:
    """Print `text`; in `style` if it is read on a terminal that shows styles."""
    file = file or sys.stdout
    text = escape.for_screen(redact(text), file.encoding or "utf-8")
    shows_styles = file.isatty() and "NO_COLOR" not in os.environ
    print(f"{style}{text}{RESET}" if style and shows_styles else text, file=file, flush=True)


def note(text: str) -> None:
    """Print a line about the run, which is not a part of it."""
    say(text, DIM, sys.stderr)


def say_output(output: str) -> None:
    """Print what a tool returned, indented and shortened."""
    lines = redact(output).splitlines()  # before a long line is cut, or half a key would be left
    lines = [line if len(line) <= MAX_COLUMNS else f"{line[:MAX_COLUMNS]} …" for line in lines]
    if len(lines) > MAX_LINES:
        head, tail = lines[: MAX_LINES // 2], lines[1 - MAX_LINES // 2 :]
        lines = [*head, f"… ({len(lines) - len(head) - len(tail)} more lines)", *tail]
    say(indent("\n".join(lines), "    "), DIM)
