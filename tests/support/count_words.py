"""Counts of what a learner reads in a notebook: words, numbers and minutes."""

import ast
import io
import json
import re
import tokenize
from pathlib import Path
from typing import NamedTuple

WORDS_PER_MINUTE, CODE_WORDS_PER_MINUTE = 130, 60  # of a slow reader
FENCE = re.compile(r"(?s)```.*?```")
PICTURE = re.compile(r"!\[[^\]]*\]\([^)]*\)")
ADDRESS = re.compile(r"(?<=\])\([^)]*\)")
TAG = re.compile(r"</?[a-z][^>]*>")
CODE_SPAN = re.compile(r"`[^`]*`")
# Names of exercises and notebooks, and the numbers of a list's lines, are no numbers to remember.
NAME = re.compile(r"\b(?:E\d+|s0\d\w*|00\w*)\b|(?m:^\s*\d+\.\s)")
DIGITS = re.compile(r"\d[\d,.]*\d|\d")
NUMBER_WORDS = re.compile(
    r"\b(?:three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|million"
    r"|(?:thir|four|fif|six|seven|eigh|nine)teen"
    r"|(?:twen|thir|for|fif|six|seven|eigh|nine)ty)\b",
    re.IGNORECASE,
)


class Count(NamedTuple):
    """What a notebook asks its reader to read.

    `words` are those of the Markdown, with the answers that are folded, and of the comments and
    strings of the code; `numbers` are in digits, or in words above two. `text` and `code` are the
    words of the Markdown alone and of all code.
    """

    words: int
    numbers: int
    text: int
    code: int

    def __add__(self, other):
        return Count(*map(sum, zip(self, other, strict=True)))

    @property
    def minutes(self):
        """Return how long a slow reader needs, without the exercises."""
        return self.text / WORDS_PER_MINUTE + self.code / CODE_WORDS_PER_MINUTE


def count_words(path: Path) -> Count:
    """Return the counts of a notebook as it is saved."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return sum(map(count_cell, cells), start=Count(0, 0, 0, 0))


def count_words_until(path: Path, id: str) -> int:
    """Return how many words of text and code are above the cell with this id."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    place = [cell["id"] for cell in cells].index(id)
    return sum(count.text + count.code for count in map(count_cell, cells[:place]))


def count_cell(cell: dict) -> Count:
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        shown = TAG.sub(" ", ADDRESS.sub("", PICTURE.sub("", FENCE.sub("", source))))
        words = len(shown.split())
        return Count(words, count_numbers(CODE_SPAN.sub(" ", shown)), words, 0)
    shown = list_comments_and_strings(source)
    words = sum(len(one.split()) for one in shown)
    return Count(words, sum(map(count_numbers, shown)), 0, len(source.split()))


def count_numbers(text: str) -> int:
    """Return how many numbers a text has, in digits or in words above two."""
    text = NAME.sub(" ", text)
    return len(DIGITS.findall(text)) + len(NUMBER_WORDS.findall(text))


def list_comments_and_strings(source: str) -> list[str]:
    """Return what a cell of code has to be read as text."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    comments = [one.string.lstrip("# ") for one in tokens if one.type == tokenize.COMMENT]
    strings = [one.value for one in ast.walk(ast.parse(source)) if isinstance(one, ast.Constant)]
    return comments + [one for one in strings if isinstance(one, str)]
