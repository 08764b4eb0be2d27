"""Escape untrusted text: for the API, for a screen, and for a user who must approve it."""

import re
import sys
from itertools import groupby
from unicodedata import bidirectional, category, name, normalize

# Characters that change the direction of text, so that it reads differently from what runs.
TURNS = (*range(0x202A, 0x202F), *range(0x2066, 0x206A))
# Unicode's classes of the letters and digits that are drawn from right to left, as in Hebrew and
# Arabic. A screen also reverses what is between two of them: the arguments of a command, a comment.
RIGHT_TO_LEFT = ("R", "AL", "AN")
MARKS = ("Mn", "Me")  # Unicode's classes of what is drawn over another character
# Of its own script over one letter: words of Thai have two, of Hindi and Tibetan three. A tower of
# more of them would be drawn over the lines above or below.
MAX_MARKS = 3
# Scripts that one word can have: those of Japanese, of Korean and of Chinese, with Latin letters
# (UTS 39, "highly restrictive"). Letters of others can look alike, as in a false "curl".
TOGETHER = (
    {"LATIN", "CJK", "IDEOGRAPHIC", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA"},
    {"LATIN", "CJK", "HANGUL"},
    {"LATIN", "CJK", "BOPOMOFO"},
)
# The letters of "10 µs", "nº" and "1ª": Unicode gives them no other script, but their names do not
# begin with LATIN.
IN_LATIN = "\u00b5\u00ba\u00aa"
# The last two are no characters: XML, and so a picture in SVG, cannot contain them.
UNSAFE = (*range(0x20), *range(0x7F, 0xA0), 0xFFFE, 0xFFFF)
ESCAPES = {code: rf"\u{code:04x}" for code in TURNS}
ESCAPES |= {code: "\ufffd" for code in UNSAFE if chr(code) not in "\n\t"}
# What a keyboard has in place of the characters that a model or a slide has. The last ones have no
# width.
KEYS = {
    "'": "\u2018\u2019\u201a\u201b",
    '"': "\u201c\u201d\u201e\u201f\u00ab\u00bb",
    "-": "\u2010\u2012\u2013\u2014\u2015\u2212",
    **{",": "\u3001", ".": "\u3002", "*": "\u00d7", "/": "\u00f7"},
    **{"!=": "\u2260", "<=": "\u2264", ">=": "\u2265"},
    "": "\u00ad\u200b\u200c\u200d\u2060\ufeff",
}
ALIKE = {ord(character): key for key, others in KEYS.items() for character in others}
NAMES = {" ": "a space", "\t": "a tab", "\n": "a line break", "": "its end"}


def for_api(text: str) -> str:
    """Return `text` with "?" for each lone surrogate, which UTF-8 and so a request cannot encode.

    A surrogate is half of a character: a reply that is cut in the middle of an emoji ends with
    one, and Python uses them for bytes that are not UTF-8.
    """
    return text.encode("utf-8", "replace").decode()


def compose(text: str) -> str:
    """Return `text` with one code for each letter: "é" can also be "e" and an accent.

    The two look the same, and a Mac writes the names of files in the second way.
    """
    return normalize("NFC", text)


def to_keyboard(text: str) -> str:
    """Return `text` with the characters of a keyboard in place of those that look alike."""
    return normalize("NFKC", text).translate(ALIKE)


def name_character(character: str) -> str:
    """Return what a model reads of a character: its code, unless it is one of a keyboard."""
    shown = repr(character) if character.isascii() else f"U+{ord(character):04X}"
    return NAMES.get(character, shown)


def for_screen(text: str, encoding: str = "utf-8") -> str:
    """Return `text` for a screen of this encoding, with control characters shown as "\ufffd"."""
    return text.translate(ESCAPES).encode(encoding, "replace").decode(encoding)


def for_print(text: str) -> str:
    """Return `text` for a screen of the encoding that `print` has now: Windows may have another."""
    return for_screen(text, getattr(sys.stdout, "encoding", None) or "utf-8")


def for_approval(text: str, encoding: str = "utf-8") -> str:
    """Return `text` for the user to approve, with codes for the characters that could mislead.

    Those that are not printable can hide text, those that are read from right to left change its
    order, a mark is drawn over the character before it, such as a line through a path, and a letter
    of another script than the rest of its word can look like one of that script.
    """
    shown, letter, mixed = [], "", find_mixed(text)
    for place, character in enumerate(text):
        if category(character) in MARKS:
            is_shown = belongs(character, letter)
            letter = compose(letter + character) if is_shown else ""
        else:
            is_shown, letter = is_plain(character) or character == "\n", character
            is_shown = is_shown and place not in mixed
        shown.append(character if is_shown else ascii(character)[1:-1])
    return "".join(shown).encode(encoding, "backslashreplace").decode(encoding)


def find_mixed(text: str) -> set[int]:
    """Return the places of letters that are not ASCII in words of scripts that do not go together.

    A word is what has letters and marks only: a name may have one part in each script.
    """
    mixed: set[int] = set()
    for run in re.finditer(r"[A-Za-z\x80-\U0010ffff]+", text):
        start = run.start()
        for is_word, characters in groupby("" if run[0].isascii() else run[0], is_in_word):
            word = "".join(characters)
            scripts = {script_of(one) for one in word if category(one) not in MARKS}
            if is_word and len(scripts) > 1 and not any(scripts <= one for one in TOGETHER):
                mixed.update(start + at for at, one in enumerate(word) if not one.isascii())
            start += len(word)
    return mixed


def is_in_word(character: str) -> bool:
    """Return whether a character is a letter, a numeral that is one, or a mark."""
    return character.isalpha() or category(character) in (*MARKS, "Nl")


def script_of(character: str) -> str:
    """Return the script of a letter, or what its name begins with, which is then of no script."""
    return "LATIN" if character in IN_LATIN else name(character, "").partition(" ")[0]


def belongs(mark: str, letter: str) -> bool:
    """Return whether a mark makes one letter with those before it, or is of the same script.

    A Thai or Hindi word has many marks, which are drawn over letters of this script only, and no
    more than MAX_MARKS over one letter.
    """
    scripts = {*map(script_of, letter[:1] + mark)}
    is_own = scripts != {"VARIATION"} and len(scripts) == 1 and letter[:1].isalpha()
    is_own = is_own and len(letter) <= MAX_MARKS
    return is_own or (letter != "" and len(compose(letter + mark)) == 1)


def shorten(text: str, width: int, placeholder: str = " …") -> str:
    """Return `text` on one line of at most `width` characters, cut between two words.

    If a word is so long that less than half would be left, such as a path, cut out the middle.
    """
    line = " ".join(text.split())
    if len(line) <= width:
        return line
    end = line.rfind(" ", 0, width - len(placeholder) + 1)
    if 2 * end >= width:
        return line[:end] + placeholder
    tail = width // 3
    return f"{line[: width - tail - 1]}…{line[-tail:]}"


def is_plain(character: str) -> bool:
    """Return whether a screen draws this character, and in the order of the text."""
    return character.isprintable() and bidirectional(character) not in RIGHT_TO_LEFT
