"""The palette: one file of colours, from which style sheets and scripts draw."""

import re
from pathlib import Path
from types import SimpleNamespace

import pytest

WIDGETS = Path(__file__).parents[1] / "lesson" / "widgets"
PALETTE = (WIDGETS / "static" / "palette.css").read_text(encoding="utf-8")
FOUND = re.findall(r"--(\w+): [^;]*light-dark\((#\w+), (#\w+)\)", PALETTE)
LIGHT = SimpleNamespace(**{name: light for name, light, _ in FOUND})
DARK = SimpleNamespace(**{name: dark for name, _, dark in FOUND})
HEX = re.compile(r"#(?:[0-9a-fA-F]{6}|[0-9a-fA-F]{3})\b")
WORDS = ("ink", "muted", "plan", "done", "lost", "reminder")


def luminance(colour):
    """Return the relative luminance of a colour, as WCAG defines it."""
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(part * weight for part, weight in zip(linear, (0.2126, 0.7152, 0.0722), strict=True))


def contrast(one, other):
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


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
