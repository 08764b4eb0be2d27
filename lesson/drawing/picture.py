"""The picture of a run: its tape, its list and its counts, as HTML and as text.

Everything here is written from the lists of `marks`. All HTML goes through one `escape`, because a
model and a file may contain anything.
"""

import html
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from agentlib.escape import for_screen

from .marks import KINDS, LOOKS, PLACES, Count, Line, Mark, Sample, list_legend

SHEET = Path(__file__).with_name("style.css")
ROOT = "lesson-picture"  # the class of every picture: see style.css
SQUARE = "<rect x='.06' y='.06' width='.88' height='.88' rx='.09'/>"
HALF = "<rect class='lp-half' x='.5' y='.06' width='.44' height='.88'/>"
REMINDER = "<path class='lp-read' d='M{:g} -.64h.64l-.32 .42z'/>"
GUTTER = 10  # characters before each row of a tape in text


def escape(text: Any) -> str:
    """Return any text as HTML, with control characters made visible."""
    return html.escape(for_screen(str(text)))


@cache
def style() -> str:
    """Return the style sheet as a `<style>` element, short, because each saved widget has one."""
    rules = re.sub(r"/\*.*?\*/", "", SHEET.read_text(encoding="utf-8"), flags=re.DOTALL)
    return f"<style>{' '.join(rules.split())}</style>"


def page(inside: str, more: str = "") -> str:
    """Return a picture that is no widget, with its style sheet. `more` are further classes."""
    return f'{style()}<div class="{ROOT} {more}">{inside}</div>'


def tape(
    marks: Sequence[Mark],
    *,
    frame: tuple[float, float] | None = None,
    edge: int | None = None,
    words: str = "",
) -> str:
    """Return a tape as HTML.

    `frame` is the part that the model sees, in rounds from the left end, and `edge` is how many
    rounds passed before the first plan left the window. `words` says the same as the picture.
    """
    size = max(len(marks), 1)
    inside = draw_tape(marks, frame, edge)
    return (
        f"<svg class='lp-tape' role='img' aria-label='{escape(words or tape_text(marks))}' "
        f"viewBox='0 0 {size} 1' style='--n:{size}'>{inside}</svg>"
    )


def draw_tape(
    marks: Sequence[Mark], frame: tuple[float, float] | None = None, edge: int | None = None
) -> str:
    """Return the inside of a tape as SVG: the marks, ▼ above them, the edge and the frame."""
    drawn = "".join(draw_mark(mark, place) for place, mark in enumerate(marks))
    if edge is not None:
        drawn += f"<path class='lp-edge' d='M{edge} -.5V1.5'/>"
    if frame and has_frame(frame):
        start, end = frame
        drawn += (
            f"<rect class='lp-frame' x='{start:g}' y='-.09' width='{end - start:g}' "
            "height='1.18' rx='.16'/>"
        )
    read = (place for place, mark in enumerate(marks) if mark.read)
    return drawn + "".join(REMINDER.format(place + 0.18) for place in read)


def draw_mark(mark: Mark, place: int) -> str:
    """Return one square of a tape as SVG."""
    classes = " ".join(filter(None, [f"lp-{mark.kind}", mark.look and f"lp-{mark.look}"]))
    half = HALF if mark.kind == "pd" else ""
    title = f"<title>{escape(mark.words)}</title>" if mark.words else ""
    if mark.sign.isdigit():
        inside = f"<text x='.5' y='.74'>{mark.sign}</text>"
    else:
        inside = f"<path d='{KINDS[mark.kind].strokes}'/>"
    return f"<g class='{classes}' transform='translate({place})'>{title}{SQUARE}{half}{inside}</g>"


def legend(marks: Sequence[Mark], *, frame: tuple[float, float] | None = None) -> str:
    """Return as HTML what the marks of a tape mean. `frame` is that of the tape."""
    drawn = "".join(
        f"<span>{draw_sample(sample)}{escape(sample.words)}</span>"
        for sample in list_legend(marks, has_frame(frame))
    )
    return f"<p class='lp-legend'>{drawn}</p>"


def has_frame(frame: tuple[float, float] | None) -> bool:
    """Return whether a frame is drawn: in round 1, there is nothing in it."""
    return frame is not None and frame[1] > frame[0]


def draw_sample(sample: Sample) -> str:
    """Return a mark as HTML, for a legend. Its meaning is said beside it."""
    if sample.mark == "read":
        inside = REMINDER.format(0.18)
        inside = f"<g transform='translate(0 .93)'>{inside}</g>"
    elif isinstance(sample.mark, str):
        inside = (
            f"<rect class='lp-{sample.mark}' x='.04' y='.12' width='1.22' height='.76' rx='.16'/>"
        )
    else:
        inside = draw_mark(sample.mark, 0)
    wide = 1.3 if sample.mark == "frame" else 1
    return (
        f"<svg class='lp-tape' aria-hidden='true' viewBox='0 0 {wide} 1' style='--n:{wide}'>"
        f"{inside}</svg>"
    )


def sight(edge: int) -> str:
    """Return the labels for below a tape, on both sides of its edge, as HTML."""
    return (
        f"<p class='lp-sight' style='--edge:{edge}'><span class='lp-in'>plan in sight</span>"
        "<span class='lp-out'>out of sight</span></p>"
    )


def plan(lines: Sequence[Line]) -> str:
    """Return a list as HTML: in columns, what was made up below them."""
    kept = "".join(draw_line(line) for line in lines if line.place != "new")
    made_up = "".join(draw_line(line) for line in lines if line.place == "new")
    rows = (sum(line.place != "new" for line in lines) + 1) // 2
    columns = f"<ol class='lp-plan' style='--rows:{max(rows, 1)}'>{kept}</ol>"
    return f"{columns}<ul class='lp-plan lp-added'>{made_up}</ul>" if made_up else columns


def draw_line(line: Line) -> str:
    """Return one line of a list as HTML."""
    look = f"lp-{line.look}" + (f" lp-{line.place}" if line.place else "")
    more = f"<small>{escape(line.more)}</small>" if line.more else ""
    more += f"<em>{escape(line.note)}</em>" if line.note else ""
    return (
        f"<li class='{look}' title='{escape(f'{line.text}: {line.words}')}'>"
        f"<b role='img' aria-label='{escape(line.words)}'>{LOOKS[line.look][0]}</b>"
        f"<span>{escape(line.text)}</span>{more}</li>"
    )


def counts(found: Sequence[Count], more: str = "") -> str:
    """Return counts as HTML, with `more` behind them."""
    parts = [
        f"<span>{escape(label)} <b class='lp-{look or 'plain'}'>{escape(value)}</b></span>"
        for label, value, look in found
    ]
    parts += [f"<span>{escape(more)}</span>"] if more else []
    return f"<p class='lp-counts'>{' '.join(parts)}</p>"


def tape_text(
    marks: Sequence[Mark],
    *,
    frame: tuple[float, float] | None = None,
    edge: int | None = None,
) -> str:
    """Return a tape as text: a row for reminders, one for the rounds, and one for the frame."""
    rows = [
        ("reminder", "".join("▼" if mark.read else " " for mark in marks)),
        ("rounds", "".join(mark.sign for mark in marks)),
    ]
    if frame and has_frame(frame):
        start, end = round(frame[0]), round(frame[1])
        size = end - start
        line = "^" if size == 1 else f"└{'─' * (size - 2)}┘"
        rows.append(("sees", " " * start + line))
    if edge is not None and edge < len(marks):
        rows.append(("", f"{' ' * (edge - 1)}| plan out of sight"))
    return "\n".join(f"{label:{GUTTER}}{row}".rstrip() for label, row in rows if row.strip())


def legend_text(marks: Sequence[Mark], *, frame: tuple[float, float] | None = None) -> str:
    """Return what the marks of a tape mean as one line."""
    samples = list_legend(marks, has_frame(frame))
    return ", ".join(f"{sample.sign} {sample.words}" for sample in samples)


def plan_text(lines: Sequence[Line]) -> str:
    """Return a list as text: a sign, the text, and what the sign alone does not say."""
    signs = {"shown": " ✓ ", "claimed": "(✓)", "now": " ▸ ", "open": " ○ "}
    texts = []
    for line in lines:
        said = [line.more, LOOKS["claimed"][1] if line.look == "claimed" else ""]
        said += [line.note or PLACES[line.place]]
        words = "; ".join(filter(None, said))
        texts.append(f"{signs[line.look]} {line.text}" + (f"  ({words})" if words else ""))
    return for_screen("\n".join(texts))


def counts_text(found: Sequence[Count], more: str = "") -> str:
    """Return counts as one line: "the files show 3 of 10, its list says 4 of 4"."""
    parts = [f"{label} {value}" for label, value, _ in found]
    return for_screen(", ".join(filter(None, [*parts, more])))
