"""What the notebooks ask their reader to read stays little."""

import json

import pytest
from support.count_words import Count, count_words

from lesson.common.solutions import NOTEBOOKS

# The most words and numbers: 65% and 45% of those at version 1.2.0, but 72% of the words of s02 and
# of the four that s04 became. They share a limit because the own tool has moved from s02 to s04b.
CAPS = {
    ("00",): (525, 7),
    ("s02", "s04a", "s04b", "s04c", "s08"): (2772, 25),
    ("s03a",): (1011, 20),
    ("s03b",): (1100, 35),
    ("s03c",): (400, 5),  # it has the table of s03b now, so only its numbers may not grow
    ("s03d",): (538, 18),
    ("s05",): (1190, 40),
    ("s06",): (520, 15),
    ("s07",): (620, 22),
}


def count_group(names) -> Count:
    paths = [path for path in NOTEBOOKS.glob("*.ipynb") if path.stem.partition("_")[0] in names]
    assert len(paths) == len(names)
    return sum(map(count_words, paths), start=Count(0, 0, 0, 0))


@pytest.mark.limits
@pytest.mark.parametrize("names", CAPS, ids="_".join)
def test_words_and_numbers_are_within_their_caps(names):
    count, (words, numbers) = count_group(names), CAPS[names]
    assert count.words <= words and count.numbers <= numbers


@pytest.mark.parametrize(
    ("kind", "source", "count"),
    [
        ("markdown", "# E1: in s02, [three](x.md#y-7) of `12` are 4.\n\n1. Ten\n", (11, 3, 11, 0)),
        ("markdown", "<details><summary>Answer</summary>\n\nTwo.</details>\n<br>", (2, 0, 2, 0)),
        ("markdown", "![A picture of 9](a.svg)\n\n```python\nx = 3\n```\n", (0, 0, 0, 0)),
        ("markdown", "1,000 or 2.5%, and twenty-five dozen", (6, 5, 6, 0)),
        (
            "code",
            '"""Wait 5 seconds."""\nx = "one"  # four words of comment\ny = 7\n',
            (8, 2, 0, 14),
        ),
        ("code", 'print(f"step {n}")', (1, 0, 0, 2)),
    ],
)
def test_words_and_numbers_are_counted(tmp_path, kind, source, count):
    path = tmp_path / "one.ipynb"
    path.write_text(json.dumps({"cells": [{"cell_type": kind, "source": [source]}]}))
    assert count_words(path) == Count(*count)


def test_a_slow_reader_needs_a_minute_for_130_words_of_text_and_for_60_of_code():
    assert Count(words=0, numbers=0, text=260, code=30).minutes == 2.5
