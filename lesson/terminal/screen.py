"""Print text in a terminal: escaped, styled and shortened."""

import os
import sys
from textwrap import indent
from typing import TextIO

from agentlib.client import escape

BOLD, DIM, RED, GREEN = "bold", "dim", "ansired", "ansigreen"  # styles of prompt_toolkit
MAX_LINES, MAX_COLUMNS = 12, 200  # of a command's output or a diff


def is_screen(stream: TextIO) -> bool:
    """Return whether `stream` is a terminal that can show styles and move its cursor."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def say(text: str, style: str = "", file: TextIO | None = None) -> None:
    """Print `text`, with control characters escaped; on a terminal in `style`."""
    file = file or sys.stdout
    text = escape.prose(text, file.encoding or "utf-8")
    if style and is_screen(file):
        from prompt_toolkit import print_formatted_text  # late: piped output needs none of it
        from prompt_toolkit.formatted_text import FormattedText

        print_formatted_text(FormattedText([(style, text)]), file=file, flush=True)
    else:
        print(text, file=file, flush=True)


def say_output(text: str, style: str = DIM) -> None:
    """Print what a tool returned, indented and shortened."""
    say(indent("\n".join(shorten(text.splitlines())), "    "), style)


def say_diff(diff: str) -> None:
    """Print a unified diff without its first two lines, which name the file."""
    lines = diff.removesuffix("\n").split("\n")
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
