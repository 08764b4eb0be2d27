"""Draw SVG: the README's picture, and those that a cell shows without a widget.

A round has the same cell in all of them, and strip.js draws the same in the browser.

A picture is drawn with the light colours of the palette. It contains a style sheet that replaces
each of them if the page is dark.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from pathlib import Path
from types import SimpleNamespace

FONT = "system-ui, -apple-system, 'Segoe UI', sans-serif"
SIGNS = {"p": (0.3, 0.5, 0.7), "s": (0.36, 0.64)}  # the lines of a list in a cell
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


def draw_cells(
    cells: str,
    is_finished: bool | None,
    place: tuple[float, float],
    size: tuple[float, float],
) -> Iterator[str]:
    """Yield the row of a run at `place`: a cell for each round, with its sign.

    `cells` has a letter for each round (ROUNDS in `lesson.letters`), and `is_finished` decides
    the sign of its end; None if it is not known.
    """
    (left, top), (width, height) = place, size
    gap = width * 0.1
    cells = cells.lower()
    for kind in dict.fromkeys(cells):
        places = [
            (left + width * number + gap, top, width - 2 * gap, height)
            for number, letter in enumerate(cells)
            if letter == kind
        ]
        yield from draw_kind(places, kind)
        if kind == "e" and is_finished is not None:
            yield draw_end(places[-1], is_finished)


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


def draw_kind(places: Sequence[tuple[float, float, float, float]], kind: str) -> Iterator[str]:
    """Yield the cells of one kind at these places, and the lines of a list on them."""
    looks = {
        "p": (LIGHT.plan, LIGHT.plan),
        "w": (LIGHT.work, LIGHT.work),
        "u": (LIGHT.empty, LIGHT.muted),
        "d": (LIGHT.done, LIGHT.done),
        "l": ("url(#lost)", LIGHT.lost),
        "f": ("url(#lost)", LIGHT.done),
        "s": ("url(#lost)", LIGHT.lost),
        "e": ("none", LIGHT.muted),
    }
    fill, stroke = looks[kind]
    boxes = "".join(draw_box(*place) for place in places)
    yield f'<path d="{boxes}" fill="{fill}" stroke="{stroke}" stroke-linejoin="round"/>'
    lines = "".join(
        f"M{x + wide * 0.2:.1f} {y + high * down:.1f}h{wide * 0.6:.1f}"
        for x, y, wide, high in places
        for down in SIGNS.get(kind, ())
    )
    if lines:
        colour, thick = (LIGHT.paper, 1.2) if kind == "p" else (LIGHT.lost, 1.8)
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
