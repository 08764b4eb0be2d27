"""The palette: the colours of the style sheet."""

import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from support.colours import contrast

LESSON = Path(__file__).parents[2] / "lesson"
SHEET = LESSON / "drawing" / "style.css"
PALETTE = SHEET.read_text(encoding="utf-8")
FOUND = re.findall(r"--(\w+): [^;]*light-dark\((#\w+), (#\w+)\)", PALETTE)
LIGHT = SimpleNamespace(**{name: light for name, light, _ in FOUND})
DARK = SimpleNamespace(**{name: dark for name, _, dark in FOUND})
HEX = re.compile(r"#(?:[0-9a-fA-F]{6}|[0-9a-fA-F]{3})\b")
WORDS = ("ink", "muted", "plan", "done", "lost", "reminder")


def test_only_the_style_sheet_has_colours():
    places = "drawing/*.py", "widgets/*.py"
    files = [path for place in places for path in LESSON.glob(place)]
    found = {path.name: HEX.findall(path.read_text(encoding="utf-8")) for path in files}
    assert {name: colours for name, colours in found.items() if colours} == {}


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_words_can_be_read_and_meanings_be_told_apart(theme):
    for name in WORDS:
        assert contrast(getattr(theme, name), theme.paper) >= 4.5, name
    assert contrast(theme.plan, theme.done) >= 1.6  # also on a grey print
    assert contrast(theme.message, theme.paper) >= 1.3  # on a projector
    assert len({theme.plan, theme.done, theme.lost, theme.reminder}) == 4
