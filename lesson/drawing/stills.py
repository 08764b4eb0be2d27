"""Pictures of runs as SVG files, for Markdown and for README, where no widget is drawn.

They are written from the same marks, lines and counts as the widgets. A still has its own light
paper, so it can be read on a dark page as well.
"""

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from .marks import LOOKS, Count, Line, Mark
from .picture import SHEET, draw_tape, escape

CELL = 20  # pixels: the width of a round
MARGIN = 14
GUTTER = 100  # for the label of a row
LINE = 22  # pixels: the height of a line of the list
COLUMN = 410  # pixels: the width of a column of the list
COUNT_SIZE = 22  # pixels: the font of a number
LETTER = 7.2  # pixels: about the width of a letter, in a font of 13 pixels
EMPTY = "#edeeef"  # in a notebook, this is mixed of the theme's ink and paper


@cache
def read_colours() -> dict[str, str]:
    """Return the light colours of the style sheet by their names."""
    found = re.findall(r"--([\w-]+): [^;]*light-dark\((#\w+),", SHEET.read_text(encoding="utf-8"))
    return {"empty": EMPTY} | dict(found)


@cache
def read_rules() -> str:
    """Return the rules of the style sheet for tapes, with colours in place of variables."""
    rules = re.findall(r"^\.lp-tape [^{ ][^{]*\{[^}]*\}", SHEET.read_text(encoding="utf-8"), re.M)
    colours = read_colours()
    return re.sub(r"var\(--([\w-]+)\)", lambda found: colours[found[1]], "\n".join(rules))


def write_still(path: Path, rows: Sequence["Row"], words: str) -> None:
    """Write rows as an SVG file. `words` says the same as the picture."""
    path.write_text(draw_still(rows, words), encoding="utf-8")


Row = tuple[str, int]  # SVG at the origin, and its height in pixels


def draw_still(rows: Sequence[Row], words: str, width: int = 2 * COLUMN + 2 * MARGIN) -> str:
    """Return rows, one below the other, as the text of an SVG file."""
    drawn, top = "", MARGIN
    for inside, height in rows:
        drawn += f"<g transform='translate({MARGIN} {top})'>{inside}</g>\n"
        top += height
    height, colours = top + MARGIN, read_colours()
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' width='{width}' "
        f"height='{height}' role='img' font-family='sans-serif' font-size='13'>\n"
        f"<title>{escape(words)}</title>\n<style>{read_rules()}</style>\n"
        "<defs><pattern id='gone' width='7' height='7' patternUnits='userSpaceOnUse' "
        f"patternTransform='rotate(45)'><path d='M0 0V7' stroke='{colours['lost']}' "
        "stroke-width='2' stroke-opacity='.2'/></pattern></defs>\n"
        f"<rect x='.5' y='.5' width='{width - 1}' height='{height - 1}' rx='8' "
        f"fill='{colours['paper']}' stroke='{colours['message']}'/>\n{drawn}</svg>\n"
    )


def tape_row(
    marks: Sequence[Mark],
    label: str = "",
    *,
    frame: tuple[float, float] | None = None,
    edge: int | None = None,
) -> Row:
    """Return a tape as a row, with a label to the left of it."""
    top = CELL  # for ▼
    cell = min(CELL, (2 * COLUMN - GUTTER) / max(len(marks), 1))  # a long run is drawn smaller
    drawn = draw_text(label, 0, top + 15, weight=600) if label else ""
    drawn += f"<g class='lp-tape' transform='translate({GUTTER} {top}) scale({cell:g})'>"
    drawn += draw_tape(marks, frame, edge) + "</g>"
    height = 2 * CELL + 12
    if edge is not None:
        place, below = GUTTER + edge * cell, top + CELL + 24
        drawn += draw_text("plan in sight", place - 8, below, "plan", 600, anchor="end")
        drawn += draw_text("out of sight", place + 8, below, "lost", 600)
        height += 24
    return drawn, height


def counts_row(counts: Sequence[Count], more: str = "") -> Row:
    """Return counts as a row."""
    drawn, left = "", 0.0
    for label, value, look in counts:
        colour = {"good": "done", "bad": "lost"}.get(look, "ink")
        drawn += draw_text(label, left, 22)
        left += len(label) * LETTER + 6
        drawn += draw_text(value, left, 22, colour, 700, size=COUNT_SIZE)
        left += len(value) * LETTER * COUNT_SIZE / 13 + 20
    return drawn + (draw_text(more, left, 22, "muted") if more else ""), 34


def plan_row(lines: Sequence[Line]) -> Row:
    """Return a list as a row: in two columns, and what was made up below them."""
    kept = [line for line in lines if line.place != "new"]
    half = (len(kept) + 1) // 2
    drawn = ""
    for place, line in enumerate(kept):
        drawn += draw_line(line, place // half * COLUMN, place % half * LINE)
    added = [line for line in lines if line.place == "new"]
    for place, line in enumerate(added):
        drawn += draw_line(line, place % 2 * COLUMN, (half + place // 2) * LINE)
    return drawn, (half + (len(added) + 1) // 2) * LINE


def text_row(text: str, colour: str = "ink") -> Row:
    """Return one line of text as a row."""
    return draw_text(text, 0, 15, colour), LINE


def draw_line(line: Line, left: int, top: int) -> str:
    """Return one line of a list as SVG."""
    colours = read_colours()
    filled = colours["done"] if line.look == "shown" else "none"
    edge = {"shown": colours["done"], "claimed": colours["ink"]}.get(line.look, colours["muted"])
    colour = {"gone": "muted", "new": "lost"}.get(line.place, "ink")
    weight = 600 if line.place == "new" or line.look == "now" else 400
    drawn = ""
    if line.place == "gone":
        drawn += (
            f"<rect x='{left}' y='{top + 1}' width='{COLUMN - 12}' height='{LINE - 2}' rx='3' "
            f"fill='url(#gone)' stroke='{colours['lost']}' stroke-dasharray='3 2'/>"
        )
    drawn += (
        f"<circle cx='{left + 12}' cy='{top + 11}' r='7' fill='{filled}' "
        f"stroke='{colours['lost'] if line.place == 'new' else edge}'/>"
    )
    sign_colour = "paper" if line.look == "shown" else colour
    sign = LOOKS[line.look][0]
    drawn += draw_text(sign, left + 12, top + 14.5, sign_colour, size=10, anchor="middle")
    said = " · ".join(filter(None, [line.text, line.more, line.note]))
    return drawn + draw_text(said, left + 26, top + 15.5, colour, weight)


def draw_text(
    text: str,
    left: float,
    top: float,
    colour: str = "ink",
    weight: int = 400,
    *,
    size: int = 13,
    anchor: str = "start",
) -> str:
    """Return text as SVG; `colour` is a name of the style sheet."""
    return (
        f"<text x='{left:g}' y='{top:g}' fill='{read_colours()[colour]}' font-size='{size}' "
        f"font-weight='{weight}' text-anchor='{anchor}'>{escape(text)}</text>"
    )
