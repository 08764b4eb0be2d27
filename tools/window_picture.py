"""Draw the README's picture, docs/window-{light,dark}{,-narrow}.svg, from two real runs.

    python tools/window_picture.py

It shows another window than the one that s03's bet asks about.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from lesson.runs.measured import Measured, Setting, measured
from lesson.svg import (
    LIGHT,
    Grid,
    darken,
    draw_cells,
    draw_columns,
    draw_squares,
    draw_svg,
    draw_text,
)
from lesson.widgets.pictures import MODEL
from lesson.window import column, kinds_of

DOCS = Path(__file__).parents[1] / "docs"
TITLE = "The plan climbs out of the window"
WINDOW = 20  # messages
THRESHOLDS = (9, 10)  # rounds: the last that finishes with this window, and the first that does not
WIDTHS = {"": 1180, "-narrow": 400}  # pixels, by the end of the file's name


def draw_all() -> Iterator[tuple[str, str]]:
    """Yield the name and the content of each file."""
    runs = [measured(Setting(after=after, window=WINDOW)) for after in THRESHOLDS]
    for end, width in WIDTHS.items():
        drawing = draw_windows(runs, TITLE, width)
        yield f"window-light{end}.svg", drawing
        yield f"window-dark{end}.svg", darken(drawing)


def draw_windows(runs: Sequence[Measured], title: str, width: int) -> str:
    """Return the windows of the `runs` as SVG, one below the other, in `width` pixels.

    Below 600 pixels the words are above and below each picture, not at its sides.
    """
    is_narrow = width < 600
    size = runs[0].setting.window
    left, side = (8, 8) if is_narrow else (196, 190)
    wide = min(29, (width - left - side) / max(run.rounds for run in runs))
    message = 5 if is_narrow else 6.4
    above, gap = (62, 62) if is_narrow else (58, 52)
    block = above + message * size + gap
    head = 8 if is_narrow else 88
    height = head + block * len(runs) + 18
    told = " ".join(f"Remind after {run.setting.after}: {run.outcome}. {run.why()}" for run in runs)
    parts: list[str] = []
    if not is_narrow:
        lead = f"Each column is what the model sees in that round: its last {size} messages."
        parts.append(draw_text(24, 40, title, LIGHT.ink, 24, bold=True))
        parts.append(draw_text(24, 68, f"{lead} Each round adds two.", LIGHT.muted))
    for index, run in enumerate(runs):
        floor = head + block * index + above + message * size
        grid, cell = Grid(left, floor, wide, message), 13 if is_narrow else 22
        parts += draw_window(run, grid, cell)
        parts += describe_narrow(run, grid, cell, width) if is_narrow else describe(run, grid)
    parts.append(draw_text(left if is_narrow else 24, height - 10, MODEL, LIGHT.muted, 12))
    return draw_svg(title, f"{told} {MODEL}", (width, height), parts)


def draw_window(run: Measured, grid: Grid, cell: float) -> Iterator[str]:
    """Yield the columns of a run, its cells, and their numbers."""
    size = run.setting.window
    kinds = [kinds_of(run.cells[:number]) for number in range(run.rounds)]
    yield from draw_columns([column(kind, size) for kind in kinds], size, grid)
    below = (grid.left, grid.floor + 7)
    yield from draw_cells(run.cells, run.is_finished, below, (grid.column, cell))
    for number in [1, *range(5, run.rounds + 1, 5)]:
        x = grid.left + grid.column * (number - 0.5)
        y = grid.floor + cell + 22
        yield draw_text(x, y, str(number), LIGHT.muted, 12, anchor="middle")


def describe(run: Measured, grid: Grid) -> Iterator[str]:
    """Yield the words at the sides of a window, and the reason for its end above it."""
    top = grid.floor - grid.message * run.setting.window
    middle = (top + grid.floor) / 2
    colour = LIGHT.done if run.is_finished else LIGHT.lost
    yield draw_text(24, middle, f"Remind after {run.setting.after}", LIGHT.ink, 17, bold=True)
    yield draw_text(24, middle + 21, run.timing, LIGHT.muted)
    words = f"{run.setting.window} messages"
    yield draw_text(grid.left - 18, top + 5, words, LIGHT.muted, 13, anchor="end")
    yield draw_text(grid.left - 18, grid.floor, "newest", LIGHT.muted, 13, anchor="end")
    x = grid.left + grid.column * (run.read - 0.5)
    up = f"M{x:g} {top - (26 if run.lost else 6):g}V{top - 38:g}h16"
    yield f'<path d="{up}" fill="none" stroke="{colour}" stroke-width="1.5"/>'
    yield draw_text(x + 22, top - 33, explain(run), colour, bold=True)
    x = grid.left + grid.column * run.rounds + 22
    done = f"files show {run.steps_done} of {len(run.done)}"
    yield draw_text(x, middle - 8, done, colour, 16, bold=True)
    yield from draw_squares(run.done, x, middle)
    yield draw_text(x, middle + 31, f"its list says {run.list_says}", LIGHT.muted)


def describe_narrow(run: Measured, grid: Grid, cell: float, width: int) -> Iterator[str]:
    """Yield the words above and below a window."""
    top = grid.floor - grid.message * run.setting.window - 32
    colour = LIGHT.done if run.is_finished else LIGHT.lost
    done = f"{run.steps_done} of {len(run.done)} done"
    yield draw_text(8, top, f"Remind after {run.setting.after}", LIGHT.ink, 16, bold=True)
    yield draw_text(width - 8, top, done, colour, 16, bold=True, anchor="end")
    y = grid.floor + cell + 42
    yield draw_text(8, y, run.timing, LIGHT.muted, 14)
    yield draw_text(width - 8, y, f"its list says {run.list_says}", LIGHT.muted, 14, anchor="end")


def explain(run: Measured) -> str:
    """Return in one line what the deciding reminder of a run does."""
    if run.lost:
        return f"round {run.read}: the reminder is read, but the plan has left the window."
    return f"round {run.read}: the reminder is read in time. The model writes its plan again."


if __name__ == "__main__":
    for name, drawing in draw_all():
        (DOCS / name).write_text(drawing, encoding="utf-8")
