"""What a person types: prompts with line editing and a history, a pasted text as one prompt."""

import select
import sys

try:
    import readline  # from now on, input() has line editing and a history
except ImportError:  # not on Windows, whose console edits lines by itself
    readline = None  # type: ignore[assignment]  # each use asks first
try:
    import termios
except ImportError:  # Windows
    termios = None  # type: ignore[assignment]  # each use asks first

PASTE_SECONDS = 0.05  # in which the next line of a pasted text is there; no person is so fast

# Prompts are remembered while the program runs, and nowhere else: they may hold what is private.
if readline:
    readline.set_auto_history(False)


def read_prompt() -> str:
    """The next prompt, which has several lines where they were pasted together.

    Without a terminal it is one line of the input. "" is an empty line or the end of the input.
    """
    try:
        if not sys.stdin.isatty():
            return input().strip()
        lines = [input("> ")]
        while has_more_typed():
            lines.append(input("  "))
    except EOFError:
        return ""
    prompt = "\n".join(lines).strip()
    if readline and prompt:
        readline.add_history(prompt)
    return prompt


def has_more_typed() -> bool:
    """Whether more is there to be read, if only a part of a line, as at the end of a paste."""
    if not termios:
        return False
    stdin = sys.stdin.fileno()
    usual = termios.tcgetattr(stdin)
    at_once = list(usual)
    at_once[3] &= ~(termios.ICANON | termios.ECHO)  # an unfinished line counts as well
    try:
        termios.tcsetattr(stdin, termios.TCSANOW, at_once)
        return bool(select.select([stdin], [], [], PASTE_SECONDS)[0])
    finally:
        termios.tcsetattr(stdin, termios.TCSANOW, usual)
