"""Draw the README's picture, docs/window-{light,dark}{,-narrow}.svg, from two real runs.

    python tools/window_picture.py

It shows another window than the one that s03's bet asks about.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from lesson.runs.measured import Measured, Setting, measured
from lesson.svg import (
    DARK,
    LIGHT,
    Theme,
    draw_box,
    draw_cells,
    draw_reminder,
    draw_squares,
    draw_svg,
    draw_text,
)
from lesson.widgets.runs_picture import MODEL
from lesson.window import GHOST, REMOVED, column, kinds_of

DOCS = Path(__file__).parents[1] / "docs"
TITLE = "The plan climbs out of the window"
WINDOW = 20  # messages
THRESHOLDS = (9, 10)  # rounds: the last that finishes with this window, and the first that does not
MOST_ABOVE = 4  # messages: the plan is drawn for two rounds after it has left the window
LOOKS = {"p": "plan", "s": "short", "w": "message", GHOST: "ghost"}
WIDTHS = {"": 1180, "-narrow": 400}  # pixels, by the end of the file's name


class Grid(NamedTuple):
    """The geometry of a window: its left end, its lower end, and the size of a message, in pixels.

    `cell` is the height of the cells below the columns.
    """

    left: float
    floor: float
    column: float
    message: float
    cell: float


def draw_all() -> Iterator[tuple[str, str]]:
    """Yield the name and the content of each file."""
    runs = [measured(Setting(after=after, window=WINDOW)) for after in THRESHOLDS]
    for theme_name, theme in (("light", LIGHT), ("dark", DARK)):
        for end, width in WIDTHS.items():
            yield f"window-{theme_name}{end}.svg", draw_windows(runs, theme, TITLE, width)


def draw_windows(runs: Sequence[Measured], theme: Theme, title: str, width: int) -> str:
    """Return the windows of the `runs` as SVG, one below the other, in `width` pixels.

    Below 600 pixels the words are above and below each picture, not at its sides.
    """
    is_narrow = width < 600
    size = runs[0].setting.window
    left, side = (8, 8) if is_narrow else (196, 190)
    column = min(29, (width - left - side) / max(run.rounds for run in runs))
    message = 5 if is_narrow else 6.4
    above, gap = (62, 62) if is_narrow else (58, 52)
    block = above + message * size + gap
    head = 8 if is_narrow else 88
    height = head + block * len(runs) + 18
    told = " ".join(f"Remind after {run.setting.after}: {run.outcome}. {run.why()}" for run in runs)
    parts: list[str] = []
    if not is_narrow:
        lead = f"Each column is what the model sees in that round: its last {size} messages."
        parts.append(draw_text(24, 40, title, theme.ink, 24, bold=True))
        parts.append(draw_text(24, 68, f"{lead} Each round adds two.", theme.muted))
    for index, run in enumerate(runs):
        floor = head + block * index + above + message * size
        grid = Grid(left, floor, column, message, 13 if is_narrow else 22)
        parts += draw_window(run, grid, theme)
        parts += (
            describe_narrow(run, grid, theme, width) if is_narrow else describe(run, grid, theme)
        )
    parts.append(draw_text(left if is_narrow else 24, height - 10, MODEL, theme.muted, 12))
    return draw_svg(title, f"{told} {MODEL}", (width, height), parts, theme)


def draw_window(run: Measured, grid: Grid, theme: Theme) -> Iterator[str]:
    """Yield the columns of a run, the edge of its window, its cells, and their numbers."""
    size, wide = run.setting.window, grid.column * 0.88
    boxes: dict[str, list[str]] = {}

    def add(look: str, round_number: int, place: float, height: float = 0.86) -> None:
        x = grid.left + grid.column * (round_number - 1) + grid.column * 0.06
        y = grid.floor - grid.message * (place + 1) + grid.message * 0.07
        boxes.setdefault(look, []).append(draw_box(x, y, wide, grid.message * height))

    for number in range(1, run.rounds + 1):
        sent = 2 * (number - 1)  # messages after the prompt
        if sent < size:
            add("empty", number, size - 1, size - sent - 0.14)
        letters = column(kinds_of(run.cells[: number - 1]), size).lower()
        for place, letter in enumerate(letters[: size + MOST_ABOVE]):
            if letter != REMOVED:
                add(LOOKS[letter], number, place)
    fills = {"empty": theme.empty, "message": theme.message, "plan": theme.plan}
    for look, paths in boxes.items():
        drawn = "".join(paths)
        if look == "ghost":
            yield f'<path d="{drawn}" fill="none" stroke="{theme.plan}" stroke-dasharray="3 2"/>'
        else:
            yield f'<path d="{drawn}" fill="{fills.get(look, "url(#lost)")}"/>'
    for number in (n for n, cell in enumerate(run.cells, 1) if cell.isupper()):
        x = grid.left + grid.column * (number + 0.5)
        yield draw_reminder(x, grid.floor - grid.message * 1.2, min(6, grid.column * 0.35), theme)
    edge, end = grid.floor - grid.message * size, grid.left + grid.column * run.rounds
    yield f'<path d="M{grid.left - 6:g} {edge:g}H{end:g}" stroke="{theme.ink}" stroke-width="2.5"/>'
    yield f'<circle cx="{grid.left - 6:g}" cy="{edge:g}" r="6" fill="{theme.ink}"/>'
    below, cell = (grid.left, grid.floor + 7), (grid.column, grid.cell)
    yield from draw_cells(run.cells, run.is_finished, below, cell, theme)
    for number in [1, *range(5, run.rounds + 1, 5)]:
        x = grid.left + grid.column * (number - 0.5)
        y = grid.floor + grid.cell + 22
        yield draw_text(x, y, str(number), theme.muted, 12, anchor="middle")


def describe(run: Measured, grid: Grid, theme: Theme) -> Iterator[str]:
    """Yield the words at the sides of a window, and the reason for its end above it."""
    top = grid.floor - grid.message * run.setting.window
    middle = (top + grid.floor) / 2
    colour = theme.done if run.is_finished else theme.lost
    yield draw_text(24, middle, f"Remind after {run.setting.after}", theme.ink, 17, bold=True)
    yield draw_text(24, middle + 21, run.timing, theme.muted)
    words = f"{run.setting.window} messages"
    yield draw_text(grid.left - 18, top + 5, words, theme.muted, 13, anchor="end")
    yield draw_text(grid.left - 18, grid.floor, "newest", theme.muted, 13, anchor="end")
    x = grid.left + grid.column * (run.read - 0.5)
    up = f"M{x:g} {top - (26 if run.lost else 6):g}V{top - 38:g}h16"
    yield f'<path d="{up}" fill="none" stroke="{colour}" stroke-width="1.5"/>'
    yield draw_text(x + 22, top - 33, explain(run), colour, bold=True)
    x = grid.left + grid.column * run.rounds + 22
    done = f"files show {run.steps_done} of {len(run.done)}"
    yield draw_text(x, middle - 8, done, colour, 16, bold=True)
    yield from draw_squares(run.done, x, middle, theme)
    yield draw_text(x, middle + 31, f"its list says {run.list_says}", theme.muted)


def describe_narrow(run: Measured, grid: Grid, theme: Theme, width: int) -> Iterator[str]:
    """Yield the words above and below a window."""
    top = grid.floor - grid.message * run.setting.window - 32
    colour = theme.done if run.is_finished else theme.lost
    done = f"{run.steps_done} of {len(run.done)} done"
    yield draw_text(8, top, f"Remind after {run.setting.after}", theme.ink, 16, bold=True)
    yield draw_text(width - 8, top, done, colour, 16, bold=True, anchor="end")
    y = grid.floor + grid.cell + 42
    yield draw_text(8, y, run.timing, theme.muted, 14)
    yield draw_text(width - 8, y, f"its list says {run.list_says}", theme.muted, 14, anchor="end")


def explain(run: Measured) -> str:
    """Return in one line what the deciding reminder of a run does."""
    if run.lost:
        return f"round {run.read}: the reminder is read, but the plan has left the window."
    return f"round {run.read}: the reminder is read in time. The model writes its plan again."


if __name__ == "__main__":
    for name, drawing in draw_all():
        (DOCS / name).write_text(drawing, encoding="utf-8")
