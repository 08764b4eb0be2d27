"""The chart of runs as a standalone picture, for pages without a kernel: GitHub, a handout.

On such a page, any other widget is its text.
"""

from collections.abc import Iterator, Sequence

from ..letters import CLAIMED, ROUNDS
from ..runs.measured import Measured
from ..svg import LIGHT, draw_cells, draw_kind, draw_svg, draw_text
from .runs_text import name_row

MODEL = "Runs of the lesson's scripted practice model, not an LLM."


def draw_strips(runs: Sequence[Measured], chosen: Measured, title: str) -> str:
    """Return the `runs` with one window as SVG, a row for each, with the `chosen` one marked."""
    left, top, row, width = 116, 84, 22, 12
    right = left + width * max(run.rounds for run in runs) + 16
    size = (max(right + 250, 720), top + row * len(runs) + 30)
    parts = [
        draw_text(16, 26, title, LIGHT.ink, 15, bold=True),
        *draw_legend("".join(run.cells for run in runs), 38),
    ]
    for x, heading, anchor in (
        (106, "reminded", "end"),
        (116, "each cell is a round", "start"),
        (right, "files show", "start"),
        (right + 92, "list says", "start"),
        (right + 230, "tokens", "end"),
    ):
        parts.append(draw_text(x, 74, heading, LIGHT.muted, anchor=anchor))
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
        says = LIGHT.lost if CLAIMED in run.claims else LIGHT.muted
        parts.append(draw_text(right + 92, y + 16, run.list_says, says))
        parts.append(draw_text(right + 230, y + 16, f"{run.tokens:,}", LIGHT.muted, anchor="end"))
    parts.append(draw_text(16, size[1] - 10, MODEL, LIGHT.muted, 12))
    return draw_svg(title, f"{title}. {MODEL}", size, parts)


def draw_legend(cells: str, y: float) -> Iterator[str]:
    """Yield what the cells of these kinds mean, in one line."""
    x = 16.0
    for kind in (kind for kind in ROUNDS if kind in cells.lower()):
        yield from draw_kind([(x, y, 10, 11)], kind)
        yield draw_text(x + 16, y + 10, ROUNDS[kind], LIGHT.muted)
        x += 34 + 7 * len(ROUNDS[kind])
