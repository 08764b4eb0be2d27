"""What a model, a tool or a file says, made fit to be looked at: nothing in it steers or hides."""

import unicodedata

# Signs that turn a line round, so that it reads otherwise than it runs; they show as their codes.
TURNS = {code: rf"\u{code:04x}" for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))}
STEERS = {code: "\ufffd" for code in (*range(0x20), *range(0x7F, 0xA0)) if chr(code) not in "\n\t"}
BLANKS = "\u115f\u1160\u2800\u3164\uffa0"  # letters and signs of which nothing is seen


def prose(text: str, encoding: str = "utf-8") -> str:
    """The text for a screen of this encoding; what would move its cursor shows as "\ufffd"."""
    return text.translate(TURNS | STEERS).encode(encoding, "replace").decode(encoding)


def command(text: str, encoding: str = "utf-8") -> str:
    """A command for such a screen, to be judged: whatever could hide in it shows as its code."""
    shown = "".join(c if is_seen(c) or c == "\n" else ascii(c)[1:-1] for c in text)
    return shown.encode(encoding, "backslashreplace").decode(encoding)


def is_seen(character: str) -> bool:
    """Whether a character shows something, in the place where it stands in the line."""
    marks = unicodedata.category(character).startswith("M")  # they sit on the one before
    turns = unicodedata.bidirectional(character) in ("R", "AL", "AN")  # and its neighbours with it
    return character.isprintable() and not marks and not turns and character not in BLANKS
