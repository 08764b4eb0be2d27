"""Print on the screen, without the key, and without characters that could move the cursor.

A sign says who speaks in the conversation. Colours are added last, to text without codes.
"""

import os
import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from safetylib.guard import escape
from safetylib.guard.hide_keys import hide_keys_in

Speaker = tuple[str, str, int]  # a sign, the same in ASCII, and the number of a colour
# The colours are readable on a light and on a dark background. What the program tells only the user
# has no sign.
MODEL, CALL = ("●", "*", 35), ("▸", "-", 35)  # a model's words, and what it calls
PROGRAM, USER = ("◆", "#", 36), ("›", ">", 32)
BOLD, RED, GREEN, CYAN = 1, 31, 32, 36
QUIET_SECONDS = 5  # after this wait for the server, the program says that it is waiting
MOST_LINES, MOST_CHARS = 40, 200  # of a diff that is shown without a question, and of a line


def is_user_there() -> bool:
    """Return whether a user sits at a terminal, who can answer and go on."""
    return all(stream and stream.isatty() for stream in (sys.stdin, sys.stdout))


def say(text: object, speaker: Speaker | None = None, *, is_diff: bool = False) -> None:
    """Print text, with the sign of who speaks. End the run if the screen is closed."""
    try:
        print(mark(plain(text), speaker, is_diff=is_diff), flush=True)
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        close()


def close(*_: object) -> None:
    """End the conversation, and the command that runs, because the terminal was closed."""
    sys.stdin = None  # so `is_user_there` is false
    raise KeyboardInterrupt


def plain(text: object) -> str:
    """Return text for the screen, without the key and without control characters."""
    return escape.for_print(hide_keys_in(str(text)))


def has_colours() -> bool:
    """Return whether the output is a terminal with colours, and the user has not refused them."""
    if not sys.stdout or not sys.stdout.isatty() or os.environ.get("NO_COLOR"):
        return False
    return os.environ.get("TERM", "dumb") != "dumb" or "WT_SESSION" in os.environ  # Windows


def colour(text: str, number: int | str) -> str:
    """Return text in a colour, if the screen has colours."""
    return f"\x1b[{number}m{text}\x1b[0m" if text and has_colours() else text


def mark(text: str, speaker: Speaker | None, *, is_diff: bool = False) -> str:
    """Return plain text with the sign of who speaks, and a diff in the usual colours."""
    text = colour_diff(text) if is_diff else text
    if speaker is None:
        return text
    sign = colour(sign_of(speaker), f"{BOLD};{speaker[2]}")
    return f"{sign} " + re.sub(r"\n(?=.)", "\n  ", text)


def sign_of(speaker: Speaker) -> str:
    """Return the sign of a speaker, which is another one on a screen of ASCII."""
    sign, in_ascii, _ = speaker
    return sign if escape.for_print(sign) == sign else in_ascii


def legend() -> str:
    """Return what the signs mean, in one line."""
    meanings = ((MODEL, "the model"), (CALL, "its call"), (PROGRAM, "the program"), (USER, "you"))
    return ", ".join(f"{sign_of(speaker)} {words}" for speaker, words in meanings)


def colour_diff(text: str) -> str:
    """Return a diff in colours. Its head ends before the first line that begins with @@."""
    head, separator, changes = text.partition("\n@@")
    lines = [colour(line, BOLD) for line in head.split("\n")]
    colours = {"@": CYAN, "-": RED, "+": GREEN}
    if separator:
        for line in f"@@{changes}".split("\n"):
            number = colours.get(line[:1])
            lines.append(colour(line, number) if number else line)
    return "\n".join(lines)


def one_line(text: object) -> str:
    """Return text of a model in one line, so that it cannot look like a line of the program."""
    return " ".join(str(text).split())


def indent_rest(text: str) -> str:
    """Return text whose first line is the program's: no other line can look like one."""
    return text.replace("\n", "\n    ")


def say_first(text: str, speaker: Speaker) -> None:
    """Show the first lines of a diff."""
    lines = text.split("\n")
    shown = cut_lines(lines[:MOST_LINES])
    if len(lines) > MOST_LINES:
        shown.append(f"(… {len(lines) - MOST_LINES} more lines)")
    say("\n".join(shown), speaker, is_diff=True)


def say_last(text: str) -> None:
    """Show the last lines of a command's output."""
    lines = cut_lines(hide_keys_in(text).strip().splitlines()[-5:])
    if lines not in ([], ["(no output)"]):
        say("\n".join(f"    {line}" for line in lines))


def cut_lines(lines: list[str]) -> list[str]:
    """Return the lines, each shortened to MOST_CHARS."""
    return [line if len(line) <= MOST_CHARS else f"{line:.{MOST_CHARS}} …" for line in lines]


@contextmanager
def waiting(host: str) -> Iterator[None]:
    """Tell the user of a terminal that the program is waiting, after QUIET_SECONDS in the block."""
    message = f"(Waiting for {host}. Ctrl-C stops this.)"
    timer = threading.Timer(QUIET_SECONDS, lambda: print(plain(message), flush=True))
    timer.daemon = True
    if is_user_there():
        timer.start()
    try:
        yield
    finally:
        timer.cancel()
