"""Draw a tape, a list and counts as HTML, and format them as text.

Everything here comes from the lists of `marks`: a function `draw_…` returns HTML or SVG, and
`format_…` returns text. All HTML goes through one `escape`, because a model and a file may contain
anything.
"""

import html
import re
from collections.abc import Container, Sequence
from functools import cache
from math import ceil
from pathlib import Path
from typing import Any

from safetylib.guard.escape import for_screen

from .legend import Sample, list_legend
from .marks import CHECK, EDGES, KINDS, PLACES, STATES, Count, Edge, Line, Mark
from .timeline import FINISHED, TimelineRow, list_segments

LESSON = Path(__file__).parents[1]
ROOT = "lesson-picture"  # the class of every picture: see picture.css
SQUARE = "<rect x='.06' y='.06' width='.88' height='.88' rx='.09'/>"
HALF = "<rect class='lp-half' x='.5' y='.06' width='.44' height='.88'/>"
REMINDER = "<path class='lp-read' d='M{:g} -.52h.64l-.32 .42z'/>"
NUMBERED = 5  # every fifth round has its number
GUTTER = 10  # characters before each row of a tape in text: a label, and two spaces
# The attribute of what gets the keys itself: JupyterLab's shortcuts are off there.
OWN_KEYS = 'data-lm-suppress-shortcuts="true"'
CHECKED = STATES["shown"].box
# The signs in a row of the timeline in text.
STATE_SIGNS = {FINISHED: "✓", "": " "} | {name: state.bar for name, state in STATES.items()}


def escape(text: Any) -> str:
    """Return any text as HTML, with control characters made visible."""
    return html.escape(for_screen(str(text)))


@cache
def read_style(*modules: str) -> str:
    """Return the style sheet of a picture as a `<style>` element.

    It has what every picture needs, and the parts of these modules, such as "drawing/cost". Each
    module that draws has its part in a file beside it. Comments and line breaks are left out,
    because a notebook saves the sheet.
    """
    files = (LESSON / f"{name}.css" for name in dict.fromkeys(("drawing/picture", *modules)))
    rules = "".join(file.read_text(encoding="utf-8") for file in files)
    rules = re.sub(r"/\*.*?\*/", "", rules, flags=re.DOTALL)
    return f"<style>{' '.join(rules.split())}</style>"


def draw_picture(inside: str, css_class: str, *modules: str) -> str:
    """Return a picture that is not a widget as HTML, with its style sheet: see `read_style`."""
    return f'{read_style(*modules)}<div class="{ROOT} {css_class}">{inside}</div>'


def draw_tape(
    marks: Sequence[Mark],
    *,
    words: str,
    frame: tuple[float, float] = (0, 0),
    edge: int | None = None,
    edges: Sequence[Edge] = (),
) -> str:
    """Return a tape as HTML.

    `frame` is what the model sees, from and to so many rounds from the left end. An empty one is
    not drawn. `edge` is how many rounds passed before the first plan left the window. `edges` are
    what happened between rounds. `words` says the same as the picture.
    """
    blind = list_segments(["blind" if mark.is_blind else "" for mark in marks])
    drawn = "".join(draw_ground(start, end) for _, start, end in blind)
    drawn += "".join(draw_mark(mark, place) for place, mark in enumerate(marks))
    if edge is not None:
        drawn += f"<path class='lp-edge' d='M{edge} -.5V1.5'/>"
    start, end = frame
    if end > start:
        drawn += (
            f"<rect class='lp-frame' x='{start:g}' y='-.09' width='{end - start:g}' "
            "height='1.18' rx='.16'/>"
        )
    drawn += "".join(REMINDER.format(n + 0.18) for n, mark in enumerate(marks) if mark.read)
    size = max(len(marks), 1)
    return (
        f"<svg class='lp-tape' role='img' aria-label='{escape(words)}' viewBox='0 0 {size} 1' "
        f"style='--n:{size}'>{drawn}{draw_edges(edges)}</svg>"
    )


def list_numbers(size: int) -> range:
    """Return the rounds of a tape with `size` rounds that have their number below it: 5, 10, …"""
    return range(NUMBERED, size + 1, NUMBERED)


def draw_numbers(size: int) -> str:
    """Return as HTML the numbers of rounds below a tape with `size` rounds."""
    numbers = "".join(f"<span style='--at:{at}'>{at}</span>" for at in list_numbers(size))
    return f"<p class='lp-numbers' aria-hidden='true'>{numbers}</p>"


def format_numbers(size: int) -> str:
    """Return as text the numbers of rounds below a tape with `size` rounds, or ""."""
    row = "".join(f"{at:>{NUMBERED}}" for at in list_numbers(size))
    return f"{'number':{GUTTER}}{row}" if row else ""


def draw_ground(start: int, end: int) -> str:
    """Return as SVG the ground below the squares of successive rounds without the plan."""
    return f"<rect class='lp-blind' x='{start}' y='-.12' width='{end - start}' height='1.24'/>"


def draw_edges(edges: Sequence[Edge]) -> str:
    """Return what happened between rounds as SVG."""
    return "".join(
        f"<path class='lp-{kind}' d='{EDGES[kind].strokes}' transform='translate({place})'/>"
        for place, kind in edges
    )


def draw_mark(mark: Mark, place: int) -> str:
    """Return one square of a tape as SVG."""
    names = (mark.kind, mark.state, "on-blind" if mark.is_blind else "")
    classes = " ".join(f"lp-{name}" for name in names if name)
    half = HALF if mark.kind == "pd" else ""
    title = f"<title>{escape(mark.words)}</title>" if mark.words else ""
    if mark.sign.isdigit():
        inside = f"<text x='.5' y='.74'>{mark.sign}</text>"
    else:
        inside = f"<path d='{KINDS[mark.kind].strokes}'/>"
    return f"<g class='{classes}' transform='translate({place})'>{title}{SQUARE}{half}{inside}</g>"


def draw_legend(
    marks: Sequence[Mark],
    *,
    frame: tuple[float, float] = (0, 0),
    rows: Sequence[TimelineRow] = (),
    edges: Sequence[Edge] = (),
    explained: Container[str] = (),
) -> str:
    """Return as HTML what the marks of a tape mean, and those of the `rows` of a timeline.

    `frame` and `edges` are those of the tape. The marks of the timeline begin a new line. Words
    that another picture in the notebook has `explained` are left out.
    """
    samples = list_legend(marks, frame, rows, edges)
    size = len(list_legend(marks, frame, edges=edges))
    parts = (("lp-legend", samples[:size]), ("lp-legend lp-below", samples[size:]))
    drawn = ""
    for css_class, part in parts:
        new = [sample for sample in part if sample.words not in explained]
        if new:
            drawn += f"<p class='{css_class}'>{''.join(map(draw_sample, new))}</p>"
    return drawn


def draw_sample(sample: Sample) -> str:
    """Return a mark with its meaning as HTML."""
    wide = 1.0
    if isinstance(sample.mark, Mark):
        inside = draw_mark(sample.mark, 0)
    elif sample.mark == "blind":
        inside = draw_ground(0, 1)
    elif sample.mark == "read":
        inside = f"<g transform='translate(0 .9)'>{REMINDER.format(0.18)}</g>"
    elif sample.mark == "frame":
        wide = 1.5
        inside = "<rect class='lp-frame' x='.08' y='.1' width='1.34' height='.8' rx='.16'/>"
    elif sample.mark in EDGES:
        inside = f"<g transform='translate(.5 0)'>{draw_edges([(0, sample.mark)])}</g>"
    else:
        wide = 2.0
        inside = draw_states([sample.mark] * 2)
    box = f"viewBox='0 0 {wide:g} 1' style='--n:{wide:g}'"
    drawn = f"<svg class='lp-tape' aria-hidden='true' {box}>{inside}</svg>"
    return f"<span>{drawn}{escape(sample.words)}</span>"


def draw_window_edge(edge: int) -> str:
    """Return as HTML the labels below a tape, on both sides of its edge."""
    return (
        f"<p class='lp-window-edge' style='--edge:{edge}'>"
        "<span class='lp-in'>first plan in the window</span>"
        "<span class='lp-out'>out of the window</span></p>"
    )


def draw_timeline(rows: Sequence[TimelineRow], size: int) -> str:
    """Return a list as HTML, with the states of each line below the `size` rounds of its tape.

    A row whose line is not on a list yet cannot be seen, but has its place.
    """
    drawn = "".join(draw_line(row.line, draw_timeline_row(row, size), row.is_known) for row in rows)
    return f"<ol class='lp-plan lp-timeline'>{drawn}</ol>"


def draw_timeline_row(row: TimelineRow, size: int) -> str:
    return (
        f"<svg class='lp-tape' role='img' aria-label='{escape(row.words)}' "
        f"viewBox='0 0 {size} 1' style='--n:{size}'>{draw_states(row.states)}</svg>"
    )


def draw_states(states: Sequence[str]) -> str:
    """Return the states of a row of the timeline as SVG, one unit for each round."""
    bars, squares = "", ""
    for state, start, end in list_segments(states):
        if state == FINISHED:
            square = f"{SQUARE}<path d='{CHECK}'/>"
            squares += f"<g class='lp-d' transform='translate({start})'>{square}</g>"
        elif state in ("shown", "claimed"):
            bars += (
                f"<rect class='lp-is-{state}' x='{start}' y='.2' "
                f"width='{end - start}' height='.6'/>"
            )
        else:
            bars += f"<path class='lp-is-{state}' d='M{start} .5H{end}'/>"
    return bars + squares


def draw_plan(lines: Sequence[Line]) -> str:
    """Return a list as HTML: the lines in columns, and below them what is not a step of the job."""
    kept = [draw_line(line) for line in lines if line.place != "new"]
    added = [draw_line(line) for line in lines if line.place == "new"]
    rows = max(ceil(len(kept) / 2), 1)
    drawn = f"<ol class='lp-plan' style='--rows:{rows}'>{''.join(kept)}</ol>"
    return drawn + (f"<ul class='lp-plan lp-added'>{''.join(added)}</ul>" if added else "")


def draw_line(line: Line, beside: str = "", is_known: bool = True) -> str:
    """Return a line of a list as HTML, with what is drawn beside it."""
    if not is_known:
        text = f"<div>{escape(line.text)}</div>"
        return f"<li class='lp-unknown' aria-hidden='true'><b></b><b></b>{text}</li>"
    css_class = f"lp-{line.state}" + (f" lp-{line.place}" if line.place else "")
    is_only_priority = line.priority and line.more == f"priority: {line.priority}"
    more = f"<small>{escape(line.more)}</small>" if line.more and not is_only_priority else ""
    time = f"<q>{escape(line.time)}</q>" if line.time else ""
    inside = f"{draw_priority(line.priority)}<span>{escape(line.text)}</span>{more}{time}"
    inside = f"<div>{inside}</div>{beside}" if beside else inside
    sign = CHECKED if line.state == "shown" else ""
    return (
        f"<li class='{css_class}' title='{escape(f'{line.text}: {line.words}')}'>"
        f"<b class='lp-by-files' role='img' aria-label='{escape(line.words)}'>{sign}</b>"
        f"<b class='lp-by-list' aria-hidden='true'>{STATES[line.listed or 'open'].box}</b>"
        f"{inside}</li>"
    )


def draw_priority(priority: str) -> str:
    """Return the word of a priority as HTML; "" without a priority."""
    return f"<i class='lp-priority' title='priority'>{priority}</i>" if priority else ""


def draw_counts(counts: Sequence[Count], more: str = "", whose: str = "") -> str:
    """Return counts as HTML, with `more` after them, and before them whose the parts are."""
    parts = [f"<span class='lp-whose'>{escape(whose)}</span>"] if whose else []
    parts += [
        f"<span>{escape(label)} <b class='lp-{state or 'plain'}'>{escape(value)}</b></span>"
        for label, value, state in counts
    ]
    if more:
        parts.append(f"<span>{escape(more)}</span>")
    return f"<p class='lp-counts'>{' '.join(parts)}</p>"


def format_tape(
    marks: Sequence[Mark],
    *,
    frame: tuple[float, float] = (0, 0),
    edge: int | None = None,
    edges: Sequence[Edge] = (),
) -> str:
    """Return a tape as text: a row for reminders, one for the rounds, and one for the frame.

    The `edges` are in a row for each kind, at the first round after them.
    """
    rows = [("reminder", "".join("▼" if mark.read else " " for mark in marks))]
    for name, kind in EDGES.items():
        places = {place for place, kind_name in edges if kind_name == name}
        signs = (kind.sign if place in places else " " for place in range(len(marks) + 1))
        rows.append((name, "".join(signs)))
    rows.append(("rounds", "".join(mark.sign for mark in marks)))
    rows.append(("no plan", "".join("/" if mark.is_blind else " " for mark in marks)))
    start, end = map(round, frame)
    if end > start:
        size = end - start
        line = "^" if size == 1 else f"└{'─' * (size - 2)}┘"
        rows.append(("sees", " " * start + line))
    if edge is not None and edge < len(marks):
        rows.append(("", f"{' ' * edge}| first plan out of the window"))
    return "\n".join(f"{label:{GUTTER}}{row}".rstrip() for label, row in rows if row.strip())


def format_legend(
    marks: Sequence[Mark],
    *,
    frame: tuple[float, float] = (0, 0),
    rows: Sequence[TimelineRow] = (),
    edges: Sequence[Edge] = (),
) -> str:
    """Return what the marks of a tape mean as one line, and those of the `rows` of a timeline."""
    samples = list_legend(marks, frame, rows, edges)
    return "; ".join(f"{sample.sign} {sample.words}" for sample in samples)


def format_timeline(rows: Sequence[TimelineRow]) -> str:
    """Return a list as text, with the states of its lines below the rounds of `format_tape`."""
    texts = []
    for row in filter(lambda row: row.is_known, rows):
        signs = "".join(STATE_SIGNS[state] for state in row.states)
        texts.append(f"{'':{GUTTER}}{signs}  {format_line(row.line)}")
    return for_screen("\n".join(texts))


def format_plan(lines: Sequence[Line]) -> str:
    """Return a list as text: of each line a sign, the text, and what the sign does not say."""
    return for_screen("\n".join(map(format_line, lines)))


def format_line(line: Line) -> str:
    state = STATES[line.state]
    claimed = state.meaning if line.state == "claimed" else ""
    words = "; ".join(filter(None, [line.time, line.more, claimed, PLACES[line.place]]))
    return f"{state.in_text} {line.text}" + (f"  ({words})" if words else "")


def format_counts(counts: Sequence[Count], more: str = "") -> str:
    """Return counts as one line: "the files show 3 of 10, its list says 4 of 4"."""
    parts = [f"{label} {value}" for label, value, _ in counts]
    return for_screen(", ".join(filter(None, [*parts, more])))
