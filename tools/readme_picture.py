"""Draw the README's picture, docs/window-{light,dark}{,-narrow}.svg, from two runs.

    python tools/readme_picture.py

The front page without JavaScript also shows it. It plays once, in three seconds, unless the reader
wants no motion; its last frame is the picture. Its words ask what went wrong and do not answer,
because s03 asks for it; for the same reason it shows another window than s03's bet.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import wrap
from typing import NamedTuple

from lesson.letters import GHOST, REMOVED, SHOWN
from lesson.runs.measured import Measured, Setting, summarize
from lesson.svg import COLOURS, LIGHT, draw_box, draw_end, draw_list, draw_svg, draw_text
from lesson.window import column, kinds_of

DOCS = Path(__file__).parents[1] / "docs"
TITLE = ("One plan, two runs:", "what went wrong?")
WINDOW = 20  # messages
THRESHOLDS = (9, 10)  # rounds: the last that finishes with this window, and the first that does not
TRUTH = "Runs of a script that we wrote, not of an LLM."
SIGNS = {"p": "writes its plan", "w": "works", "d": "finishes a step", "s": "writes a short plan"}
MOST_ABOVE = 4  # messages: the plan is drawn for two rounds after it has left the window
COLOUR_IN_PICTURE = re.compile("|".join(COLOURS))
PLAY = """<style media="(prefers-reduced-motion: no-preference)">
.cover{animation:play 2.4s steps(26) backwards}@keyframes play{from{transform:none}}
.then{animation:show .6s 2.4s backwards}@keyframes show{from{opacity:0}}
</style>"""


@dataclass(frozen=True)
class Sheet:
    """The measures of a picture in pixels. A narrow one cuts the long run after `rounds` rounds."""

    width: int
    margin: int
    rounds: int
    column: float
    message: float
    words: int  # the size of its words
    head: int
    below: int  # room for words below the second run

    @property
    def is_narrow(self) -> bool:
        """Return whether the words stand below the second run, not in its empty half."""
        return self.below > 0

    @property
    def block(self) -> float:
        """Return the height of a run with its words."""
        return 88 + self.message * WINDOW + 66


class Grid(NamedTuple):
    """The geometry of a window in pixels: its left and lower end, and the size of a message."""

    left: float
    floor: float
    column: float
    message: float


WIDE = Sheet(880, 32, 26, 31, 5.8, 16, 88, 0)
NARROW = Sheet(400, 16, 15, 24, 4.8, 15, 132, 124)


def draw_all() -> Iterator[tuple[str, str]]:
    """Yield the name and the content of each file."""
    runs = [play(after) for after in THRESHOLDS]
    for end, sheet in (("", WIDE), ("-narrow", NARROW)):
        drawing = draw_picture(runs, sheet)
        yield f"window-light{end}.svg", drawing
        yield f"window-dark{end}.svg", darken(drawing)


def play(after: int) -> tuple[Measured, str]:
    """Play a run. Return its figures and its last words."""
    setting = Setting(after=after, window=WINDOW)
    trial = setting.trial()
    *_, last = trial
    return summarize(setting, trial), last.text


def draw_picture(runs: list[tuple[Measured, str]], sheet: Sheet) -> str:
    """Return the runs as SVG, one below the other, on one axis."""
    left, size = sheet.margin, sheet.words
    if sheet.is_narrow:
        parts = [
            draw_text(left, 36 + 30 * n, line, size=25, bold=True) for n, line in enumerate(TITLE)
        ]
        leads = [
            f"The model sees its last {WINDOW} messages.",
            "Each round adds two: its plan climbs.",
        ]
    else:
        parts = [draw_text(left, 44, " ".join(TITLE), size=31, bold=True)]
        leads = [
            f"The model sees only its last {WINDOW} messages. "
            "Each round adds two, so its plan climbs out."
        ]
    for n, lead in enumerate(leads):
        parts.append(
            draw_text(left, sheet.head - 12 - 22 * (len(leads) - 1 - n), lead, LIGHT.muted, size)
        )
    for index, (run, words) in enumerate(runs):
        floor = sheet.head + sheet.block * index + 88 + sheet.message * WINDOW
        parts += draw_run(run, Grid(left + 4, floor, sheet.column, sheet.message), sheet)
        if not run.is_finished:
            parts += draw_end_of_story(run, words, floor, sheet)
    y = sheet.head + sheet.block * len(runs) + sheet.below + 8
    parts += draw_legend(left, y, sheet)
    y += 82 if sheet.is_narrow else 52
    lines = wrap(TRUTH, (sheet.width - 2 * left) // 8)
    parts += [draw_text(left, y + 20 * n, line, LIGHT.muted) for n, line in enumerate(lines)]
    told = " ".join(f"{name_run(run)}: {run.outcome}." for run, _ in runs)
    height = y + 20 * len(lines) + 4
    return draw_svg(" ".join(TITLE), f"{told} {TRUTH}", (sheet.width, height), [PLAY, *parts])


def darken(picture: str) -> str:
    """Return a picture in the colours for dark pages."""
    style = re.compile("<style>.*?</style>\n")
    return COLOUR_IN_PICTURE.sub(lambda found: COLOURS[found[0]], style.sub("", picture))


def name_run(run: Measured) -> str:
    return "First run" if run.is_finished else "Second run"


def draw_run(run: Measured, grid: Grid, sheet: Sheet) -> Iterator[str]:
    """Yield a run: its columns, its cells, and its words where they belong."""
    top, right = grid.floor - grid.message * WINDOW, sheet.width - sheet.margin
    cells = run.cells[: sheet.rounds]
    kinds = [kinds_of(run.cells[:number]) for number in range(len(cells))]
    yield from draw_columns([column(kind, WINDOW) for kind in kinds], WINDOW, grid)
    yield from draw_signs(run, cells, grid)
    wide = grid.column * len(cells) + 4
    high = grid.floor - top + 90
    cover = f'x="{grid.left - 2:g}" y="{top - 26:g}" width="{wide:g}" height="{high:g}"'
    origin = f"transform:scaleX(0);transform-origin:{grid.left - 2 + wide:g}px 0"
    yield f'<rect class="cover" style="{origin}" {cover} fill="{LIGHT.paper}"/>'

    colour = LIGHT.done if run.is_finished else LIGHT.lost
    done = f"{run.steps_done} of {len(run.done)} {'' if sheet.is_narrow else 'steps '}done"
    yield draw_text(sheet.margin, top - 52, name_run(run), size=20, bold=True)
    x = grid.left + grid.column * (run.read - 0.5)
    yield '<g class="then">'
    yield draw_text(right, top - 52, done, colour, 20, bold=True, anchor="end")
    yield (
        f'<path d="M{x:g} {top - 22:g}V{grid.floor - 16:g}" stroke="{LIGHT.reminder}" '
        'stroke-width="2" stroke-dasharray="2 4"/>'
    )
    yield draw_reminder_words(x, top - 28, sheet)
    if run.is_finished:
        yield draw_text(sheet.margin, top - 12, "edge of its window", LIGHT.muted, sheet.words)
        yield from draw_plan_words(run, grid, sheet)
    yield "</g>"


def draw_columns(columns: Sequence[str], window: int, grid: Grid) -> Iterator[str]:
    """Yield columns of a window, and its edge above them.

    Each column has a letter for each message, the newest first: see `column` in `lesson.window`.
    """
    boxes: dict[str, str] = {}
    wide = grid.column * 0.88

    def add(look: str, number: int, place: float, height: float = 0.86) -> None:
        x = grid.left + grid.column * (number + 0.06)
        y = grid.floor - grid.message * (place + 0.93)
        boxes[look] = boxes.get(look, "") + draw_box(x, y, wide, grid.message * height)

    for number, letters in enumerate(columns):
        if len(letters) < window:
            add("empty", number, window - 1, window - len(letters) - 0.14)
        for place, letter in enumerate(letters[: window + MOST_ABOVE].lower()):
            if letter != REMOVED:
                add(letter, number, place)
    looks = {"empty": LIGHT.empty, "w": LIGHT.message, "p": LIGHT.plan, "s": "url(#lost)"}
    for look, path in boxes.items():
        line = f'stroke="{LIGHT.plan}" stroke-dasharray="3 2"' if look == GHOST else ""
        yield f'<path d="{path}" fill="{looks.get(look, "none")}" {line}/>'
    for number, letters in enumerate(columns):
        if letters[:1].isupper():
            x = grid.left + grid.column * (number + 0.5)
            yield draw_reminder(x, grid.floor - grid.message * 1.2, min(6, grid.column * 0.35))
    edge, end = grid.floor - grid.message * window, grid.left + grid.column * len(columns)
    yield f'<path d="M{grid.left - 6:g} {edge:g}H{end:g}" stroke="{LIGHT.ink}" stroke-width="2.5"/>'
    yield f'<circle cx="{grid.left - 6:g}" cy="{edge:g}" r="6" fill="{LIGHT.ink}"/>'


def draw_reminder(x: float, y: float, half: float) -> str:
    """Return the mark of a reminder in the column that reads it."""
    path = f"M{x - half:.1f} {y:.1f}h{2 * half:.1f}l{-half:.1f} {half * 1.3:.1f}z"
    return f'<path d="{path}" fill="{LIGHT.reminder}"/>'


def draw_reminder_words(x: float, y: float, sheet: Sheet) -> str:
    """Return the word above the column that reads the reminder."""
    mark, anchor, end = "▼ reminder", "start", x - 7
    if sheet.is_narrow:
        mark, anchor, end = "reminder ▼", "end", x + 8
    return draw_text(end, y, mark, LIGHT.reminder, sheet.words, bold=True, anchor=anchor)


def draw_plan_words(run: Measured, grid: Grid, sheet: Sheet) -> Iterator[str]:
    """Yield the words for the plan, and an arrow from the old one to the new one."""
    top, size = grid.floor - grid.message * WINDOW, sheet.words + 1
    near = grid.left + grid.column * 4
    y = grid.floor - grid.message * 7
    yield draw_text(grid.left + 8, y - 26, "its plan", LIGHT.plan, size, bold=True)
    line = f'fill="none" stroke="{LIGHT.plan}" stroke-width="2"'
    yield f'<path d="M{grid.left + 34:g} {y - 20:g}L{near - grid.column / 2:g} {y + 6:g}" {line}/>'
    x, down = grid.left + grid.column * run.read, grid.floor - grid.message * 2 - 3
    middle = x + grid.column / 2
    curve = (
        f"M{x - 3:g} {top + 6:g}C{middle:g} {top + 6:g} {middle:g} {top + 24:g} {middle:g} {down:g}"
    )
    yield f'<path d="{curve}m-5 -8l5 8l5 -8" {line}/>'
    y = grid.floor - grid.message * 11
    box = f'x="{middle + 6:g}" y="{y - 17:g}" width="{size * (4.6 if sheet.is_narrow else 8):g}"'
    lines = ["written", "again"] if sheet.is_narrow else ["written again"]
    yield f'<rect {box} height="{6 + 19 * len(lines)}" rx="5" fill="{LIGHT.paper}"/>'
    for n, words in enumerate(lines):
        yield draw_text(middle + 11, y + 19 * n, words, LIGHT.plan, size, bold=True)


def draw_signs(run: Measured, cells: str, grid: Grid) -> Iterator[str]:
    """Yield below each column what its round did. The steps have numbers as they get done."""
    done, high = 0, min(24, grid.column - 2)
    for place, kind in enumerate(cells.lower()):
        done += kind == "d"
        box = (grid.left + grid.column * (place + 0.5) - high / 2, grid.floor + 8, high, high)
        yield from draw_sign(kind, box, done)
        if kind == "e":
            yield draw_end(box, run.is_finished)
    y = grid.floor + high + 27
    yield draw_text(grid.left, y, "round 1", LIGHT.muted)
    for number in range(5, len(cells) + 1, 5):
        x = grid.left + grid.column * (number - 0.5)
        is_cut = number == len(cells) < run.rounds
        yield draw_text(
            x, y, f"… {run.rounds}" if is_cut else str(number), LIGHT.muted, anchor="middle"
        )


def draw_sign(kind: str, box: tuple[float, float, float, float], done: int) -> Iterator[str]:
    """Yield the sign of a round: a list, a dot, or the number of the step that is `done`."""
    x, y = box[0] + box[2] / 2, box[1] + box[3] / 2
    if kind == "w":
        yield f'<circle cx="{x:g}" cy="{y:g}" r="3" fill="{LIGHT.muted}"/>'
    elif kind == "d":
        yield f'<circle cx="{x:g}" cy="{y:g}" r="{box[2] / 2:g}" fill="{LIGHT.done}"/>'
        yield draw_text(x, y + 5, str(done), LIGHT.paper, bold=True, anchor="middle")
    elif kind in "ps":
        yield from draw_list(box, is_whole=kind == "p")


def draw_legend(x: float, y: float, sheet: Sheet) -> Iterator[str]:
    for n, (kind, words) in enumerate(SIGNS.items()):
        place = (x + (n % 2) * 178, y + (n // 2) * 30) if sheet.is_narrow else (x + n * 196, y)
        yield from draw_sign(kind, (*place, 20, 20), 1)
        yield draw_text(place[0] + 28, place[1] + 15, words, LIGHT.muted)


def draw_end_of_story(run: Measured, words: str, floor: float, sheet: Sheet) -> Iterator[str]:
    """Yield the last words of a run that failed, and its list: which ticks are true."""
    yield '<g class="then">'
    x, y, size = sheet.margin, floor + 88.0, 18
    if not sheet.is_narrow:
        x, y, size = sheet.margin + round(sheet.column * run.rounds) + 30, floor - 80, 19
        yield draw_text(x, y - 28, "Its last words:", LIGHT.muted, sheet.words)
    yield draw_text(x, y, f"“{words}”", LIGHT.lost, size, bold=True)
    yield draw_text(x, y + 32, "Its list:", LIGHT.ink, sheet.words)
    for n, letter in enumerate(run.claims):
        box = (x + 70 + 26 * n, y + 17, 20, 20)
        colour = LIGHT.done if letter == SHOWN else LIGHT.lost
        look = f'fill="none" stroke="{colour}" stroke-width="2" rx="4"'
        yield f'<rect x="{box[0]}" y="{box[1]}" width="20" height="20" {look}/>'
        yield draw_end(box, True).replace(LIGHT.done, colour)
    yield draw_text(
        x + 76 + 26 * len(run.claims), y + 32, "false", LIGHT.lost, sheet.words, bold=True
    )
    missing = len(run.done) - len(run.claims)
    lines = [
        f"{run.steps_done} ticks are true, the last one is not,",
        f"and {missing} steps are not on it at all.",
    ]
    for n, line in enumerate(lines):
        yield draw_text(x, y + 63 + 22 * n, line, LIGHT.muted, sheet.words)
    yield "</g>"


if __name__ == "__main__":
    for name, drawing in draw_all():
        (DOCS / name).write_text(drawing, encoding="utf-8")
