"""Pictures of runs for pages without a kernel.

`draw_runs` has a cell for each round of one or two runs, and `draw_strips` has a row for each run.
`draw_windows` has a column for each round, with the messages that the model sees in it.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ..runs.measured import KINDS, Measured
from ..svg import (
    LIGHT,
    Theme,
    draw_box,
    draw_cells,
    draw_kind,
    draw_reminder,
    draw_squares,
    draw_svg,
    draw_text,
)
from .runs_text import name_row

MODEL = "Runs of the lesson's scripted practice model, not an LLM."
MOST_CELLS = 60  # of a longer run, the last ones are drawn


class Grid(NamedTuple):
    """The geometry of a window: its left end, its lower end, and the size of a message, in pixels.

    `cell` is the height of the cells below the columns.
    """

    left: float
    floor: float
    column: float
    message: float
    cell: float


def draw_runs(runs: Sequence[Mapping[str, Any]]) -> str:
    """Return the rounds of runs as SVG: a cell each, and a mark after those that were reminded.

    `runs` are those of a player's state. They are drawn one below the other.
    """
    left, width, height = 16, 26, 76
    parts: list[str] = []
    titles, all_cells, has_reminder, most = [], "", False, 0
    for top, run in zip(range(0, height * len(runs), height), runs, strict=True):
        rounds = [step for step in run["steps"] if step["cell"]]
        shown = rounds[-MOST_CELLS:]
        cells = "".join(step["cell"] for step in shown)
        titles.append(f"{run['title']}: {len(rounds)} rounds")
        parts.append(draw_text(left, top + 24, titles[-1], bold=True))
        parts += draw_cells(cells, run["finished"], (left, top + 46), (width, 24))
        for place, step in enumerate(shown, 1):
            if step["reminded"]:
                parts.append(draw_reminder(left + width * place, top + 37, 5))
                has_reminder = True
        all_cells += cells
        most = max(most, len(shown))
    bottom = height * len(runs) + 4
    parts += draw_legend(all_cells, bottom, has_reminder)
    kinds = [KINDS[kind] for kind in KINDS if kind in all_cells]
    legend = sum(34 + 7 * len(words) for words in [*kinds, "reminder"])
    size = (2 * left + max(width * most, legend, 588), bottom + 18)
    return draw_svg("; ".join(titles), ", ".join(kinds), size, parts)


def draw_strips(runs: Sequence[Measured], chosen: Measured, title: str) -> str:
    """Return the `runs` with one window as SVG, a row for each, with the `chosen` one marked."""
    left, top, row, width = 116, 84, 22, 12
    right = left + width * max(run.rounds for run in runs) + 16
    size = (max(right + 250, 720), top + row * len(runs) + 30)
    parts = [
        draw_text(16, 26, title, LIGHT.ink, 15, bold=True),
        *draw_legend("".join(run.cells for run in runs), 38),
        *draw_headings(right),
    ]
    for index, run in enumerate(runs):
        y = top + row * index
        if run == chosen:
            parts.append(
                f'<rect x="8" y="{y}" width="{right + 234}" height="{row}" rx="4" fill="#e3ebf7"/>'
            )
        parts.append(
            draw_text(left - 10, y + 16, name_row(run.setting), anchor="end", bold=run == chosen)
        )
        parts += draw_cells(run.cells, run.is_finished, (left, y + 5), (width, 13))
        mark, colour = ("✓", LIGHT.done) if run.is_finished else ("✗", LIGHT.lost)
        steps = f"{mark} {run.steps_done} of {len(run.done)}"
        parts.append(draw_text(right, y + 16, steps, colour, bold=True))
        says = LIGHT.lost if "o" in run.claims else LIGHT.muted
        parts.append(draw_text(right + 92, y + 16, run.list_says, says))
        parts.append(draw_text(right + 230, y + 16, f"{run.tokens:,}", LIGHT.muted, anchor="end"))
    parts.append(draw_text(16, size[1] - 10, MODEL, LIGHT.muted, 12))
    return draw_svg(title, f"{title}. {MODEL}", size, parts)


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
        lists = [n for n in range(1, number) if run.cells[n - 1].lower() == "p"]
        for place in range(min(sent, size)):
            letter = run.cells[number - 2 - place // 2].lower()
            is_half = place == size - 1 and place % 2 == 0  # a result whose call is not seen
            add(
                {"p": "plan", "s": "short"}.get("" if is_half else letter, "message"), number, place
            )
        gone = 2 * (number - 1 - lists[-1]) - size + (size % 2) if lists else -1
        if 0 <= gone <= 2:  # the plan, in the two rounds after it has left the window
            for place in (gone, gone + 1):
                add("ghost", number, size + place)
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


def draw_legend(cells: str, y: float, has_reminder: bool = False) -> Iterator[str]:
    """Yield what the cells of these kinds mean, and the mark of a reminder, in one line."""
    x = 16.0
    for kind in (kind for kind in KINDS if kind in cells.lower() and kind != "e"):
        yield from draw_kind([(x, y, 10, 11)], kind)
        yield draw_text(x + 16, y + 10, KINDS[kind], LIGHT.muted)
        x += 34 + 7 * len(KINDS[kind])
    if has_reminder:
        yield draw_reminder(x + 5, y + 2, 5)
        yield draw_text(x + 16, y + 10, "reminder", LIGHT.muted)


def draw_headings(right: float) -> Iterator[str]:
    """Yield the headings of the columns to the right of the chart."""
    yield draw_text(116, 74, "each cell is a round", LIGHT.muted)
    yield draw_text(right, 74, "files show", LIGHT.muted)
    yield draw_text(right + 92, 74, "list says", LIGHT.muted)
    yield draw_text(right + 230, 74, "tokens", LIGHT.muted, anchor="end")
