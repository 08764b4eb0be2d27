"""The palette: the colours of the style sheet."""

import re
from pathlib import Path

import pytest
from support.colours import contrast

LESSON = Path(__file__).parents[2] / "lesson"
HEX = re.compile(r"#(?:[0-9a-fA-F]{6}|[0-9a-fA-F]{3})\b")
WORDS = ("ink", "muted", "plan", "done", "lost", "reminder")


def read_colours(theme):
    pairs = r"--([\w-]+): [^;]*light-dark\((#\w+), (#\w+)\)"
    colours = re.findall(pairs, (LESSON / "drawing" / "picture.css").read_text("utf-8"))
    return {name: light if theme == "light" else dark for name, light, dark in colours}


def test_only_the_style_sheet_has_colours():
    places = "drawing/*.py", "widgets/*.py"
    files = [path for place in places for path in LESSON.glob(place)]
    assert [path.name for path in files if HEX.search(path.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_words_can_be_read_and_meanings_be_told_apart(theme):
    colours = read_colours(theme)
    for name in WORDS:
        assert contrast(colours[name], colours["paper"]) >= 4.5, name
    assert contrast(colours["plan"], colours["done"]) >= 1.6  # also on a grey print
    assert contrast(colours["message"], colours["paper"]) >= 1.3  # on a projector
    assert len({colours[name] for name in ("plan", "done", "lost", "reminder")}) == 4
