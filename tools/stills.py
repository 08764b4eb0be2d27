"""Draw runs as SVG files, for Markdown and for README, where no widget is drawn.

They are written from the same marks, lines and counts as the widgets. A still has its own paper, so
it can be read on any page. It is light or dark as its page is, unless its name says which.
"""

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from lesson.drawing import timeline
from lesson.drawing.marks import STATES, Count, Line, Mark
from lesson.drawing.picture import LESSON, draw_states, draw_tape, escape

CELL = 20  # pixels: the width of a round
MARGIN = 14
GUTTER = 100  # for the label of a row
TIMELINE = 410  # pixels: for the list to the left of its timeline
LINE = 22  # pixels: the height of a line of the list
COLUMN = 410  # pixels: the width of a column of the list
COUNT_SIZE = 22  # pixels: the font of a number
COLOUR = re.compile(r"#[0-9a-f]{6}\b")
EMPTY_INK = 0.08  # the share of ink in --empty: a file cannot mix it of its page's colours


def read_sheet(name: str) -> str:
    """Return the style sheet of a module that draws, as it is written."""
    return (LESSON / "drawing" / f"{name}.css").read_text(encoding="utf-8")


@cache
def read_colours(theme: str = "light") -> dict[str, str]:
    """Return the colours of the style sheet by their names: those of "light" or "dark"."""
    pairs = r"--([\w-]+): [^;]*light-dark\((#\w+), (#\w+)\)"
    found = re.findall(pairs, read_sheet("picture"))
    colours = {name: light if theme == "light" else dark for name, light, dark in found}
    return {"empty": mix(colours["ink"], colours["paper"], EMPTY_INK)} | colours


def mix(one: str, other: str, share: float) -> str:
    """Return a colour with a `share` of `one` in it, and otherwise of `other`."""
    pairs = zip(bytes.fromhex(one[1:]), bytes.fromhex(other[1:]), strict=True)
    return "#" + bytes(round(a * share + b * (1 - share)) for a, b in pairs).hex()


@cache
def read_rules() -> str:
    """Return the rules of the style sheet for tapes, with colours in place of variables."""
    rules = re.findall(r"^\.lp-tape [^{ ][^{]*\{[^}]*\}", read_sheet("marks"), re.M)
    colours = read_colours()
    return re.sub(r"var\(--([\w-]+)\)", lambda found: colours[found[1]], "\n".join(rules))


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


def recolour(svg: str) -> str:
    """Return a light picture in dark colours."""
    dark = read_colours("dark")
    others = {light: dark[name] for name, light in read_colours().items()}
    return COLOUR.sub(lambda found: others.get(found[0], found[0]), svg)


def draw_in_dark(svg: str, rules: str) -> str:
    """Return a light picture with the rules that make it dark on a dark page."""
    dark, colours = read_colours("dark"), read_colours()
    found = [
        f"[{name}='{light}'] {{ {name}: {dark[colour]} }}"
        for colour, light in colours.items()
        for name in ("fill", "stroke")
        if f"{name}='{light}'" in svg
    ]
    more = "\n".join([recolour(rules), *found])
    return svg.replace("</style>", f"@media (prefers-color-scheme: dark) {{\n{more}\n}}</style>")


Row = tuple[str, int]  # SVG at the origin, and its height in pixels


def write_still(path: Path, rows: Sequence[Row], words: str, *, rules: str = "") -> None:
    """Write rows as an SVG file. `words` says the same as the picture; `rules` are more CSS.

    The file is light or dark if its name ends with "-light" or "-dark", and otherwise as its page
    is. It is ASCII: JupyterLite draws no other one.
    """
    rules = read_rules() + rules
    svg = draw_still(rows, words, rules)
    if path.stem.endswith("-dark"):
        svg = recolour(svg)
    elif not path.stem.endswith("-light"):
        svg = draw_in_dark(svg, rules)
    path.write_bytes(svg.encode("ascii", "xmlcharrefreplace"))


def stack(rows: Sequence[Row]) -> Row:
    """Return rows, one below the other, as one."""
    drawn, top = "", 0
    for inside, height in rows:
        drawn += f"<g transform='translate(0 {top})'>{inside}</g>\n"
        top += height
    return drawn, top


def draw_still(rows: Sequence[Row], words: str, rules: str) -> str:
    """Return rows, one below the other, as the text of an SVG file. `rules` are its CSS."""
    (drawn, height), colours = stack(rows), read_colours()
    width, height = 2 * COLUMN + 2 * MARGIN, height + 2 * MARGIN
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' width='{width}' "
        f"height='{height}' role='img' font-family='sans-serif' font-size='13'>\n"
        f"<title>{escape(words)}</title>\n<style>{rules}</style>\n"
        "<defs><pattern id='gone' width='7' height='7' patternUnits='userSpaceOnUse' "
        f"patternTransform='rotate(45)'><path d='M0 0V7' stroke='{colours['lost']}' "
        "stroke-width='2' stroke-opacity='.2'/></pattern></defs>\n"
        f"<rect x='.5' y='.5' width='{width - 1}' height='{height - 1}' rx='8' "
        f"fill='{colours['paper']}' stroke='{colours['message']}'/>\n"
        f"<g transform='translate({MARGIN} {MARGIN})'>{drawn}</g></svg>\n"
    )


def tape_row(
    marks: Sequence[Mark],
    label: str = "",
    *,
    frame: tuple[float, float] = (0, 0),
    edge: int | None = None,
    is_named: bool = True,
    most: int = 0,
    left: int | None = None,
) -> Row:
    """Return a tape as a row, with a label to the left of it.

    The edge is named below the tape if `is_named`. `most` is how many rounds the longest tape of
    the picture has: all of a picture have the same size. `left` is where a tape begins.
    """
    top = CELL  # for ▼
    if left is None:
        left = GUTTER if label else 0
    cell = min(CELL, (2 * COLUMN - left) / max(len(marks), most, 1))
    drawn = draw_text(label, 0, top + 15, weight=600) if label else ""
    drawn += f"<g class='lp-tape' transform='translate({left} {top}) scale({cell:g})'>"
    drawn += draw_tape(marks, frame, edge) + "</g>"
    height = 2 * CELL + 12
    if edge is not None and is_named:
        place, below = left + edge * cell, top + CELL + 24
        drawn += draw_text("first plan in sight", place - 8, below, "plan", 600, anchor="end")
        drawn += draw_text("out of sight", place + 8, below, "lost", 600)
        height += 24
    return drawn, height


def seat_row(
    marks: Sequence[Mark], frame: tuple[float, float], texts: Sequence[str], cell: int
) -> Row:
    """Return the tape of the seat as a row with its names, in squares of `cell` pixels.

    `texts` are the names of the frame, of the first square and of the last one, and what is said
    beside ▼ and beside the last square.
    """
    sight, lost, last, reminder, question = texts
    top, right = cell * 0.8, len(marks) * cell
    drawn = draw_text(sight, frame[0] * cell, top - 12, weight=600, size=15)
    drawn += draw_text(reminder, right + 14, top - 12, "reminder", 600, size=17)
    drawn += f"<g class='lp-tape' transform='translate(0 {top:g}) scale({cell})'>"
    drawn += draw_tape(marks, frame) + "</g>"
    drawn += draw_text(
        last, right - cell / 2, top + cell * 0.6, weight=700, size=19, anchor="middle"
    )
    drawn += draw_text(question, right + 14, top + cell * 0.6, weight=600, size=19)
    drawn += draw_text(lost, 0, top + cell + 26, "lost", 600, size=15)
    return drawn, round(top + cell + 32)


def counts_row(counts: Sequence[Count], more: str = "") -> Row:
    colours, drawn = read_colours(), ""
    for label, value, state in counts:
        colour = colours[{"good": "done", "bad": "lost"}.get(state, "ink")]
        drawn += (
            f"<tspan>{escape(label)}</tspan><tspan dx='6' fill='{colour}' font-weight='700' "
            f"font-size='{COUNT_SIZE}'>{escape(value)}</tspan><tspan dx='20'> </tspan>"
        )
    drawn += f"<tspan fill='{colours['muted']}'>{escape(more)}</tspan>" if more else ""
    return f"<text y='22' fill='{colours['ink']}'>{drawn}</text>", 34


def timeline_row(rows: Sequence[timeline.TimelineRow], *, most: int = 0) -> Row:
    """Return a timeline as a row, below a tape that begins at TIMELINE, with the same `most`."""
    known = [row for row in rows if row.is_known]
    size = max([most, 1, *(len(row.states) for row in known)])
    cell = min(CELL, (2 * COLUMN - TIMELINE) / size)
    drawn = ""
    for place, row in enumerate(known):
        top = place * LINE
        drawn += f"<path d='M0 {top}H{2 * COLUMN}' stroke='{read_colours()['empty']}'/>"
        drawn += draw_line(row.line, top, TIMELINE)
        middle = f"translate({TIMELINE} {top + (LINE - cell) / 2:g}) scale({cell:g})"
        drawn += f"<g class='lp-tape' transform='{middle}'>{draw_states(row.states)}</g>"
    return drawn, len(known) * LINE


def text_row(text: str, colour: str = "ink", weight: int = 400) -> Row:
    return draw_text(text, 0, 15, colour, weight), LINE


def draw_line(line: Line, top: int, width: int) -> str:
    """Return one line of a list as SVG."""
    colours = read_colours()
    filled = colours["done"] if line.state == "shown" else "none"
    edge = {"shown": colours["done"], "claimed": colours["ink"]}.get(line.state, colours["muted"])
    colour = {"gone": "muted", "lost": "muted", "new": "lost"}.get(line.place, "ink")
    weight = 600 if line.place == "new" or line.state == "now" else 400
    drawn = ""
    if line.place in ("gone", "lost") and line.state != "shown":
        drawn += (
            f"<rect x='0' y='{top + 1}' width='{width - 12}' height='{LINE - 2}' rx='3' "
            f"fill='url(#gone)'/>"
        )
    drawn += (
        f"<circle cx='12' cy='{top + 11}' r='7' fill='{filled}' "
        f"stroke='{colours['lost'] if line.place == 'new' else edge}'/>"
    )
    sign_colour = "paper" if line.state == "shown" else colour
    sign = STATES[line.state].sign
    drawn += draw_text(sign, 12, top + 14.5, sign_colour, size=10, anchor="middle")
    said = " · ".join(filter(None, [line.text, line.more, line.note]))
    return drawn + draw_text(said, 26, top + 15.5, colour, weight)
