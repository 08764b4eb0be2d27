"""The strips as a picture that stands alone: SVG with colours of its own, for pages without a kernel."""

from collections.abc import Iterable, Sequence
from html import escape
from itertools import pairwise

from ..measured import Measured

ROW, CELL, LEFT, TOP = 22, 11, 132, 74  # pixels: a row, a cell, where the strips begin
INK, MUTED, PAPER = "#1f1f1f", "#555", "#fff"
PLAN, WORK, DONE, LOST, WASH = "#0d47a1", "#a9d5ab", "#388e3c", "#b3400e", "#fbe5d6"

# How each kind of round is drawn: what fills its cell, and what surrounds it.
FILLS = {
    "p": (PLAN, PLAN),
    "w": (WORK, WORK),
    "d": (DONE, DONE),
    "l": ("url(#lost)", LOST),
    "f": ("url(#lost)", DONE),
    "s": ("url(#lost)", PLAN),
    "e": ("none", MUTED),
}
LEGEND = {
    "p": "writes its plan",
    "w": "works",
    "d": "finishes a step",
    "l": "has lost its plan",
    "s": "writes a short plan",
}
HATCH = (
    f'<defs><pattern id="lost" width="4" height="4" patternUnits="userSpaceOnUse" '
    f'patternTransform="rotate(-45)"><rect width="4" height="4" fill="{WASH}"/>'
    f'<rect width="1.4" height="4" fill="{LOST}"/></pattern></defs>'
)


def picture(runs: Sequence[Measured], chosen: Measured, title: str) -> str:
    """The `runs` of one attention as SVG, with the `chosen` one lit."""
    longest = max(run.rounds for run in runs)
    right = LEFT + longest * CELL + 16
    width, height = right + 150, TOP + len(runs) * ROW + 14
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" '
        f'font-family="system-ui, sans-serif" font-size="12.5">',
        f"<title>{escape(title)}</title>{HATCH}",
        f'<rect width="{width}" height="{height}" rx="8" fill="{PAPER}"/>',
        words(16, 26, title, weight="bold"),
        *legend(),
        *(part for index, run in enumerate(runs) for part in strip(run, index, run == chosen)),
        *boundary(runs),
        *(end(run, index, right) for index, run in enumerate(runs)),
        "</svg>",
    ]
    return "\n".join(parts)


def legend() -> Iterable[str]:
    """What the cells mean, in one line."""
    x = 16
    for kind, name in LEGEND.items():
        yield cell(x, 42, kind)
        yield words(x + 16, 53, name, colour=MUTED)
        x += 26 + 7 * len(name)
    yield reminder(x, 46)
    yield words(x + 10, 53, "reminder", colour=MUTED)


def strip(run: Measured, index: int, is_chosen: bool) -> Iterable[str]:
    """One row: its name, its cells, the reminders above them, how long each plan is in view."""
    y = TOP + index * ROW
    if is_chosen:
        yield f'<rect x="8" y="{y - 3}" width="{LEFT + CELL * run.rounds}" height="{ROW}" rx="4" fill="#e3ebf7"/>'
    yield words(LEFT - 10, y + 12, name(run), anchor="end", weight="bold" if is_chosen else "")
    for place, letter in enumerate(run.cells):
        yield cell(LEFT + place * CELL, y + 3, letter.lower())
    for place, letter in enumerate(run.cells):
        if letter.isupper():
            yield reminder(LEFT + (place + 1) * CELL, y - 2)
    for start, stop in in_view(run.cells):
        x, length = LEFT + start * CELL, (stop - start) * CELL - 2
        yield f'<rect x="{x}" y="{y + 15}" width="{length}" height="2.5" fill="{PLAN}"/>'


def in_view(cells: str) -> list[tuple[int, int]]:
    """From which cell to which (from 0, the end left out) the model has each plan in view."""
    small = cells.lower()
    starts = [place for place, letter in enumerate(small) if letter in "ps"]
    spans = []
    for start, following in pairwise([*starts, len(small)]):
        lost = [place for place in range(start + 1, following) if small[place] in "lf"]
        spans.append((start, lost[0] if lost else following))
    return spans


def boundary(runs: Sequence[Measured]) -> Iterable[str]:
    """The line at which the first plan leaves the model's view, where it does so in some run."""
    seen = [run.seen for run in runs if run.setting.plan and run.seen]
    if seen:
        x = LEFT + min(seen) * CELL - 1
        yield (
            f'<path d="M{x} {TOP - 8}V{TOP + len(runs) * ROW}" stroke="{LOST}" stroke-dasharray="3 3"/>'
        )


def end(run: Measured, index: int, x: int) -> str:
    """How the run ended: a tick or a cross, steps and tokens."""
    mark, colour = ("✓", DONE) if run.is_finished else ("✗", LOST)
    steps = f"{mark} {run.steps_done} of {len(run.done)}"
    y = TOP + index * ROW + 12
    return words(x, y, steps, colour, weight="bold") + words(
        x + 130, y, f"{run.tokens:,}", INK if run.is_finished else MUTED, anchor="end"
    )


def name(run: Measured) -> str:
    """The name of a row."""
    if not run.setting.plan:
        return "no list"
    return f"after {run.setting.after}" if run.setting.after else "no reminder"


def cell(x: int, y: int, kind: str) -> str:
    """One round."""
    fill, stroke = FILLS[kind]
    return f'<rect x="{x}.5" y="{y}.5" width="8" height="10" rx="1.5" fill="{fill}" stroke="{stroke}"/>'


def reminder(x: int, y: int) -> str:
    """The mark of a reminder: between the round it goes out with and the one that reads it."""
    return f'<path d="M{x - 5} {y}h8l-4 5z" fill="#c25700"/>'


def words(
    x: int, y: int, text: str, colour: str = INK, *, anchor: str = "", weight: str = ""
) -> str:
    """A text."""
    more = f' text-anchor="{anchor}"' * bool(anchor) + f' font-weight="{weight}"' * bool(weight)
    return f'<text x="{x}" y="{y}" fill="{colour}"{more}>{escape(text)}</text>'
