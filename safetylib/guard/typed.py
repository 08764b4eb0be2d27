"""Take what the user typed in a terminal before a question: it must not count as an answer."""

import os
import re
import select
import sys
from copy import deepcopy
from typing import NamedTuple

try:
    import termios
except ImportError:  # Windows
    termios = None  # type: ignore[assignment]  # code below checks for None

QUIET_TENTHS = 2  # tenths of a second without a key, after which a paste is complete
MAX_BYTES = 100_000  # that are kept
MAX_LINE = 4095  # bytes: Linux cuts a longer line without a message
MEANWHILE = "\n\nThe user says meanwhile: "
YES, ALL, NO = ("y", "yes"), ("a", "all"), ("n", "no")
ANSWERS = (*YES, *ALL, *NO)


class Typed(NamedTuple):
    """Whole lines that were typed, and the beginning of a line without its Enter."""

    lines: tuple[str, ...] = ()
    rest: str = ""

    @property
    def words(self) -> list[str]:
        """Return the lines that are not empty. A lone answer does not count without a question."""
        return [line for line in self.lines if line and line.lower() not in ANSWERS]


def has_lines() -> bool:
    """Return whether a whole line was typed and was not read yet. Do not wait."""
    if not reads_keyboard():
        return False
    return bool(select.select([sys.stdin], [], [], 0)[0])


def take_lines() -> Typed:
    """Take the whole lines that were typed, but not a line that is still edited. Do not wait."""
    typed = b""
    while has_lines():
        new = os.read(sys.stdin.fileno(), MAX_BYTES)
        if not new:  # Ctrl-D
            break
        typed = (typed + new)[:MAX_BYTES]
    return split(typed)


def take_typed() -> Typed:
    """Take all that was typed in the terminal, even if a paste is still coming.

    It ends when no key has come for QUIET_TENTHS. Keys that come later were typed after the call.
    Without a terminal, or if another program reads its keys, return nothing.
    """
    if sys.platform == "win32":
        import msvcrt

        keys = []
        while sys.stdin and sys.stdin.isatty() and msvcrt.kbhit():
            keys.append(msvcrt.getwch())
        return Typed(rest=clean("".join(keys).replace("\r", " ")))
    if not reads_keyboard():
        return Typed()
    file, typed = sys.stdin.fileno(), b""
    before = termios.tcgetattr(file)
    now = deepcopy(before)
    now[3] &= ~termios.ICANON  # so that a line without its end can be read
    now[6][termios.VMIN], now[6][termios.VTIME] = 0, QUIET_TENTHS
    try:
        termios.tcsetattr(file, termios.TCSANOW, now)
        while new := os.read(file, MAX_BYTES):
            typed = (typed + new)[:MAX_BYTES]
    finally:
        termios.tcsetattr(file, termios.TCSANOW, before)
    return split(typed)


def split(typed: bytes) -> Typed:
    """Return the lines of what was typed, without control keys."""
    *lines, rest = re.split(r"\r\n|\r|\n", typed.decode("utf-8", "replace"))
    return Typed(tuple(map(clean, lines)), clean(rest))


def reads_keyboard() -> bool:
    """Return whether this program reads the keys of a terminal: a background job does not."""
    if not (termios and sys.stdin and sys.stdin.isatty()):
        return False
    return os.tcgetpgrp(sys.stdin.fileno()) == os.getpgrp()


def clean(line: str) -> str:
    """Return a line without keys that are not characters, such as arrows."""
    line = re.sub(r"\x1b(\[[0-9;?]*[ -/]*[@-~]|O.|.)?", "", line)
    return "".join(key for key in line if key.isprintable() or key == "\t").strip()
