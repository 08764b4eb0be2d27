"""Pictures of runs for pages without a kernel.

`draw_runs` has a cell for each round of one or two runs, and `draw_strips` has a row for each run.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..runs.measured import KINDS, Measured
from ..svg import (
    LIGHT,
    draw_cells,
    draw_kind,
    draw_reminder,
    draw_svg,
    draw_text,
)
from .runs_text import name_row

MODEL = "Runs of the lesson's scripted practice model, not an LLM."
MOST_CELLS = 60  # of a longer run, the last ones are drawn


def draw_runs(runs: Sequence[Mapping[str, Any]]) -> str:
    """Return the rounds of runs as SVG: a cell each, and a mark after those that were reminded.

    `runs` are those of a player's state. They are drawn one below the other.
    """
    left, width, height = 16, 26, 76
    parts: list[str] = []
    titles, all_cells, has_reminder, most = [], "", False, 0
    for top, run in zip(range(0, height * len(runs), height), runs, strict=True):
        rounds = [step for step in run["steps"] if step["cell"].strip()]
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
                f'<rect x="8" y="{y}" width="{right + 234}" height="{row}" rx="4" '
                f'fill="{LIGHT.plan}" fill-opacity="0.1"/>'
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
