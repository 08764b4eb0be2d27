"""Draw SVG: the parts of the README's picture. strip.js draws the same signs in the browser.

A picture is drawn with the light colours of the palette. It contains a style sheet that replaces
each of them if the page is dark.
"""

import re
from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path
from types import SimpleNamespace

FONT = "system-ui, -apple-system, 'Segoe UI', sans-serif"
LOST = "url(#lost)"  # a pattern
PALETTE = Path(__file__).parent / "widgets" / "static" / "palette.css"
COLOUR = re.compile(r"--(\w+): [^;]*light-dark\((#\w+), (#\w+)\)")

_found = COLOUR.findall(PALETTE.read_text(encoding="utf-8"))
# The colours of the palette by name, for light pages and for dark ones.
LIGHT = SimpleNamespace(**{name: light for name, light, _ in _found})
DARK = SimpleNamespace(**{name: dark for name, _, dark in _found})
# Of each light colour, the dark one.
COLOURS = dict(zip(vars(LIGHT).values(), vars(DARK).values(), strict=True))


def draw_svg(title: str, told: str, size: tuple[float, float], parts: Iterable[str]) -> str:
    """Return a picture. `told` says for screen readers what it shows."""
    width, height = size
    dark = "".join(
        f"[{part}='{light}']{{{part}:{colour}}}"
        for light, colour in COLOURS.items()
        for part in ("fill", "stroke")
    )
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
            f'width="{width:g}" height="{height:g}" role="img" font-family="{FONT}" '
            'font-size="14">',
            f"<title>{escape(title)}</title>",
            f"<desc>{escape(told)}</desc>",
            f"<style>@media(prefers-color-scheme:dark){{{dark}}}</style>",
            '<defs><pattern id="lost" width="5" height="5" patternUnits="userSpaceOnUse" '
            f'patternTransform="rotate(45)"><rect width="5" height="5" fill="{LIGHT.wash}"/>'
            f'<rect width="1.7" height="5" fill="{LIGHT.lost}"/></pattern></defs>',
            f'<rect width="{width:g}" height="{height:g}" rx="8" fill="{LIGHT.paper}"/>',
            *parts,
            "</svg>\n",
        ]
    )


def draw_end(box: tuple[float, float, float, float], is_finished: bool) -> str:
    """Return the sign in the last cell of a run: a tick, or a cross if work is undone."""
    x, y, wide, high = box
    colour = LIGHT.done if is_finished else LIGHT.lost
    path = (
        f"M{x + wide * 0.2:.1f} {y + high * 0.5:.1f}l{wide * 0.22:.1f} {high * 0.24:.1f} "
        f"{wide * 0.36:.1f} {-high * 0.48:.1f}"
        if is_finished
        else f"M{x + wide * 0.25:.1f} {y + high * 0.25:.1f}l{wide / 2:.1f} {high / 2:.1f}"
        f"m0 {-high / 2:.1f}l{-wide / 2:.1f} {high / 2:.1f}"
    )
    return f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="2"/>'


def draw_list(box: tuple[float, float, float, float], *, is_whole: bool) -> Iterator[str]:
    """Yield the sign of a round that has written its list: the whole plan, or a short one."""
    fill, colour, thick = (LIGHT.plan, LIGHT.paper, 1.2) if is_whole else (LOST, LIGHT.lost, 1.8)
    x, y, wide, high = box
    stroke = LIGHT.plan if is_whole else LIGHT.lost
    yield f'<path d="{draw_box(*box)}" fill="{fill}" stroke="{stroke}" stroke-linejoin="round"/>'
    lines = "".join(
        f"M{x + wide * 0.2:.1f} {y + high * down:.1f}h{wide * 0.6:.1f}"
        for down in ((0.3, 0.5, 0.7) if is_whole else (0.36, 0.64))
    )
    yield f'<path d="{lines}" stroke="{colour}" stroke-width="{thick}"/>'


def draw_box(x: float, y: float, width: float, height: float) -> str:
    return f"M{x:.1f} {y:.1f}h{width:.1f}v{height:.1f}h{-width:.1f}z"


def draw_text(
    x: float,
    y: float,
    words: str,
    colour: str = LIGHT.ink,
    size: int = 14,
    *,
    bold: bool = False,
    anchor: str = "start",
) -> str:
    """Return a line of text that begins, ends or has its middle at `x`, on the baseline `y`."""
    weight = "600" if bold else "400"
    return (
        f'<text x="{x:g}" y="{y:g}" fill="{colour}" font-size="{size}" font-weight="{weight}" '
        f'text-anchor="{anchor}">{escape(words)}</text>'
    )
