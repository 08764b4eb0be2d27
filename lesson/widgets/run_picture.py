"""A run as a standalone picture: its cells as SVG with fixed colours, for pages without widgets."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from .board_picture import DONE, INK, LOST, MUTED, PAPER, PLAN, draw_text

CELL, WORK, WASH = 26, "#a9d5ab", "#fbe5d6"  # pixels, and colours
# The fill and the border of a cell, by its letter (KINDS in `runs.measured`).
LOOKS = {
    "p": (PLAN, PLAN),
    "w": (WORK, WORK),
    "d": (DONE, DONE),
    "l": (WASH, LOST),
    "f": (WASH, DONE),
    "s": (WASH, PLAN),
    "e": (PAPER, MUTED),
}
MOST_CELLS = 60  # of a longer run, the last ones are drawn


def draw_run(title: str, steps: Sequence[Mapping[str, Any]]) -> str:
    """Return the rounds of a run as SVG: a cell each, with its sign, and a mark for a reminder."""
    rounds = [step for step in steps if step["cell"]]
    shown = rounds[-MOST_CELLS:]
    width, height = max(32 + CELL * len(shown), 480), 92
    parts = [draw_text(16, 24, f"{title}: {len(rounds)} rounds", weight="bold")]
    for place, step in enumerate(shown):
        x, (fill, stroke) = 16 + CELL * place, LOOKS[step["cell"]]
        colour = PAPER if step["cell"] == "p" else INK
        parts.append(
            f'<rect x="{x}" y="46" width="{CELL - 3}" height="24" rx="3" fill="{fill}" '
            f'stroke="{stroke}"/>'
        )
        parts.append(draw_text(x + 11, 63, step["sign"], colour, anchor="middle"))
        if step["reminded"]:
            parts.append(f'<path d="M{x + CELL - 7} 37h10l-5 6z" fill="{LOST}"/>')
    legend = "≡ writes a list · ▼ reminder · orange: the model does not see its list"
    parts.append(draw_text(16, 86, legend, MUTED))
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height + 6}" '
            f'width="{width}" height="{height + 6}" role="img" '
            'font-family="system-ui, sans-serif" font-size="13">',
            f"<title>{escape(title)}</title>",
            f'<rect width="{width}" height="{height + 6}" rx="8" fill="{PAPER}"/>',
            *parts,
            "</svg>",
        ]
    )
