"""The screen: what is shown there, without the key, and without what could move the cursor."""

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from safetylib.guard import escape
from safetylib.guard.hide_keys import hide_keys_in

QUIET_SECONDS = 5  # a longer wait for the server is said
MOST_LINES, MOST_CHARS = 40, 200  # of what is shown without a question, and of a line of it


def is_user_there() -> bool:
    """Return whether a user sits at a terminal, who can answer and go on."""
    return all(stream and stream.isatty() for stream in (sys.stdin, sys.stdout))


def say(text: object) -> None:
    """Print text, or end the run if the screen is closed, as after `| head`."""
    try:
        print(plain(text), flush=True)
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        close()


def close(*_: object) -> None:
    """End the conversation, and the command that runs: the terminal was closed."""
    sys.stdin = None  # nobody is there any more
    raise KeyboardInterrupt


def plain(text: object) -> str:
    """Return text for the screen, without the key, and without what could move the cursor."""
    return escape.for_print(hide_keys_in(str(text)))


def say_first(text: str) -> None:
    """Show the first lines of a text."""
    lines = text.split("\n")
    left = len(lines) - MOST_LINES
    say("\n".join(cut_lines(lines[:MOST_LINES]) + [f"(… {left} more lines)"] * (left > 0)))


def say_last(text: str) -> None:
    """Show the last lines of what a command has printed."""
    lines = cut_lines(hide_keys_in(text).strip().splitlines()[-5:])
    if lines not in ([], ["(no output)"]):
        say("\n".join(f"    {one}" for one in lines))


def cut_lines(lines: list[str]) -> list[str]:
    """Return lines without the ends of long ones."""
    return [one if len(one) <= MOST_CHARS else f"{one:.{MOST_CHARS}} …" for one in lines]


@contextmanager
def waiting(host: str) -> Iterator[None]:
    """Say in a terminal that the server is waited for, if it takes longer than QUIET_SECONDS."""
    said = f"(Waiting for {host}. Ctrl-C stops this.)"
    timer = threading.Timer(QUIET_SECONDS, lambda: print(plain(said), flush=True))
    timer.daemon = True
    if is_user_there():
        timer.start()
    try:
        yield
    finally:
        timer.cancel()
