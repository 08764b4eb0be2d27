"""What the user types in a terminal while nothing is asked, which is no answer to a question."""

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

QUIET_TENTHS = 2  # of a second without a key: then all of a paste has come
MAX_BYTES = 100_000  # of what is kept
MAX_LINE = 4095  # bytes: Linux cuts a longer line, and says nothing
MEANWHILE = "\n\nThe user says meanwhile: "
YES, ALL, NO = ("y", "yes"), ("a", "all"), ("n", "no")
ANSWERS = (*YES, *ALL, *NO)


class Typed(NamedTuple):
    """What was typed: whole lines, and the beginning of one that has no Enter yet."""

    lines: tuple[str, ...] = ()
    rest: str = ""

    @property
    def words(self) -> list[str]:
        """Return the lines that say something: a lone answer is none, because nothing was asked."""
        return [one for one in self.lines if one and one.lower() not in ANSWERS]


def has_lines() -> bool:
    """Return whether a whole line was typed in the terminal and is not read yet. Never wait."""
    if not is_ours():
        return False
    return bool(select.select([sys.stdin], [], [], 0)[0])


def take_lines() -> Typed:
    """Take the whole lines that were typed, and leave the one that is still edited. Never wait."""
    found = b""
    while has_lines():
        if not (some := os.read(sys.stdin.fileno(), MAX_BYTES)):
            break  # Ctrl-D
        found = (found + some)[:MAX_BYTES]
    return split(found)


def take_typed() -> Typed:
    """Take what was typed in the terminal, also of a paste that is still coming.

    It ends when no key has come for QUIET_TENTHS, so what comes later was typed after it.
    Return nothing if no terminal is there, or another program has its keys.
    """
    if sys.platform == "win32":
        import msvcrt

        keys = []
        while sys.stdin and sys.stdin.isatty() and msvcrt.kbhit():
            keys.append(msvcrt.getwch())
        return Typed(rest=clean("".join(keys).replace("\r", " ")))
    if not is_ours():
        return Typed()
    file, found = sys.stdin.fileno(), b""
    before = termios.tcgetattr(file)
    now = deepcopy(before)
    now[3] &= ~termios.ICANON  # then also a line without its end can be read
    now[6][termios.VMIN], now[6][termios.VTIME] = 0, QUIET_TENTHS
    try:
        termios.tcsetattr(file, termios.TCSANOW, now)
        while some := os.read(file, MAX_BYTES):
            found = (found + some)[:MAX_BYTES]
    finally:
        termios.tcsetattr(file, termios.TCSANOW, before)
    return split(found)


def split(found: bytes) -> Typed:
    *lines, rest = re.split(r"\r\n|\r|\n", found.decode("utf-8", "replace"))
    return Typed(tuple(map(clean, lines)), clean(rest))


def is_ours() -> bool:
    """Return whether this program reads the keys of a terminal: a background job does not."""
    if not (termios and sys.stdin and sys.stdin.isatty()):
        return False
    return os.tcgetpgrp(sys.stdin.fileno()) == os.getpgrp()


def clean(line: str) -> str:
    """Return a line without keys that are no characters, such as arrows."""
    line = re.sub(r"\x1b(\[[0-9;?]*[ -/]*[@-~]|O.|.)?", "", line)
    return "".join(one for one in line if one.isprintable() or one == "\t").strip()
