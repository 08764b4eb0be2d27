"""The palette: one file of colours, from which style sheets and scripts draw."""

import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from support.colours import contrast

WIDGETS = Path(__file__).parents[1] / "lesson" / "widgets"
PALETTE = (WIDGETS / "static" / "palette.css").read_text(encoding="utf-8")
FOUND = re.findall(r"--(\w+): [^;]*light-dark\((#\w+), (#\w+)\)", PALETTE)
LIGHT = SimpleNamespace(**{name: light for name, light, _ in FOUND})
DARK = SimpleNamespace(**{name: dark for name, _, dark in FOUND})
HEX = re.compile(r"#(?:[0-9a-fA-F]{6}|[0-9a-fA-F]{3})\b")
WORDS = ("ink", "muted", "plan", "done", "lost", "reminder")


def test_no_other_file_of_the_widgets_has_a_colour():
    files = [path for end in ("py", "js", "css") for path in WIDGETS.rglob(f"*.{end}")]
    found = {
        path.name: HEX.findall(path.read_text(encoding="utf-8"))
        for path in files
        if path.name != "palette.css"
    }
    assert {name: colours for name, colours in found.items() if colours} == {}


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_words_can_be_read_and_meanings_be_told_apart(theme):
    for name in WORDS:
        assert contrast(getattr(theme, name), theme.paper) >= 4.5, name
    assert contrast(theme.plan, theme.done) >= 1.6  # also on a grey print
    assert contrast(theme.message, theme.paper) >= 1.3  # on a projector
    assert len({theme.plan, theme.done, theme.lost, theme.reminder}) == 4
