"""Escape untrusted text: for the API, for a screen, and for a user who must approve it."""

import re
import sys
from contextlib import suppress
from itertools import groupby
from unicodedata import bidirectional, category, name, normalize

# Characters that change the direction of text, so that it reads differently from what runs.
TURNS = (*range(0x202A, 0x202F), *range(0x2066, 0x206A))
# Unicode's classes of the letters and digits that are drawn from right to left, as in Hebrew and
# Arabic. A screen also reverses what is between two of them: the arguments of a command, a comment.
RIGHT_TO_LEFT = ("R", "AL", "AN")
MARKS = ("Mn", "Me")  # Unicode's classes of characters that are drawn over another one
# Marks over one letter of their own script: words of Thai have two, of Hindi and Tibetan three. A
# tower of more marks would be drawn over the lines above or below.
MAX_MARKS = 3
# Scripts that one word can have: those of Japanese, of Korean and of Chinese, with Latin letters
# (UTS 39, "highly restrictive"). Letters of other scripts can look alike, as in a false "curl".
TOGETHER = (
    {"LATIN", "CJK", "IDEOGRAPHIC", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA"},
    {"LATIN", "CJK", "HANGUL"},
    {"LATIN", "CJK", "BOPOMOFO"},
)
# The letters of "10 µs", "nº" and "1ª": Unicode gives them no other script, but their names do not
# begin with LATIN.
IN_LATIN = "\u00b5\u00ba\u00aa"
# The last two are not characters: XML, and so a picture in SVG, cannot contain them.
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
    """Return the name of a character for a reader: itself if it is ASCII, otherwise its code."""
    shown = repr(character) if character.isascii() else f"U+{ord(character):04X}"
    return NAMES.get(character, shown)


def for_screen(text: str, encoding: str = "utf-8") -> str:
    """Return `text` for a screen of this encoding, with control characters shown as "\ufffd"."""
    return text.translate(ESCAPES).encode(encoding, "replace").decode(encoding)


def for_print(text: str) -> str:
    """Return `text` for the screen to which `print` writes now: on Windows, its encoding varies."""
    return for_screen(text, getattr(sys.stdout, "encoding", None) or "utf-8")


def for_approval(text: str, encoding: str = "utf-8") -> str:
    """Return `text` for the user to approve, with codes for the characters that could mislead.

    A character that is not printable can hide text. A letter that is read from right to left can
    change the order. A mark is drawn over the character before it, such as a line through a path. A
    letter of another script than the rest of its word can look like a letter of that script.
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
    """Return the places of non-ASCII letters in words whose scripts do not go together.

    A word has only letters and marks: a name such as a_b may have another script in each part.
    """
    mixed: set[int] = set()
    for match in re.finditer(r"[A-Za-z\x80-\U0010ffff]+", text):
        if match[0].isascii():
            continue
        start = match.start()
        for is_word, characters in groupby(match[0], is_in_word):
            word = "".join(characters)
            scripts = {script_of(letter) for letter in word if category(letter) not in MARKS}
            go_together = len(scripts) <= 1 or any(scripts <= allowed for allowed in TOGETHER)
            if is_word and not go_together:
                mixed.update(start + at for at, letter in enumerate(word) if not letter.isascii())
            start += len(word)
    return mixed


def is_in_word(character: str) -> bool:
    """Return whether a character is a letter, a numeral that is a letter, or a mark."""
    return character.isalpha() or category(character) in (*MARKS, "Nl")


def script_of(character: str) -> str:
    """Return the script of a letter: the first word of its name in Unicode."""
    return "LATIN" if character in IN_LATIN else name(character, "").partition(" ")[0]


def belongs(mark: str, letter: str) -> bool:
    """Return whether a mark may be drawn over a letter, which can have other marks already.

    It may if both are one character in Unicode, or if both are of the same script: a Thai or Hindi
    word has many marks, at most MAX_MARKS over one letter.
    """
    if letter != "" and len(compose(letter + mark)) == 1:
        return True
    scripts = {*map(script_of, letter[:1] + mark)}
    has_one_script = len(scripts) == 1 and scripts != {"VARIATION"}
    return has_one_script and letter[:1].isalpha() and len(letter) <= MAX_MARKS


def words_of(problem: BaseException) -> str:
    """Return the message of an error, or its type: it may have none, or one that cannot be read."""
    with suppress(Exception):  # a learner's own `__str__`
        return str(problem) or type(problem).__name__
    return type(problem).__name__


def shorten(text: str, width: int, placeholder: str = " …") -> str:
    """Return `text` on one line of at most `width` characters, cut between two words.

    If a word, such as a path, is so long that less than half would be left, cut out the middle.
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
