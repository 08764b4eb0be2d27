"""The board as a standalone picture: SVG with fixed colours, for pages without widgets."""

from collections.abc import Iterator, Mapping
from typing import Any

from ..svg import LIGHT, draw_squares, draw_svg, draw_text
from .todo_state import describe_evidence, describe_progress

WIDTH, LINE = 560, 24  # pixels
MARKS = {"completed": "✓", "in_progress": "▸"}


def draw_board(state: Mapping[str, Any]) -> str:
    """Return a board's state as SVG."""
    plan, view = state["plan"], state["view"]
    height = LINE * (len(plan["items"]) + 2 + 2 * bool(view) + bool(plan["files"])) + 16
    progress = describe_progress(plan["items"])
    parts = [draw_text(16, 26, plan["title"], bold=True)]
    parts.append(draw_text(WIDTH - 16, 26, progress, LIGHT.muted, anchor="end"))
    y = 26 + LINE
    if view:
        parts += draw_window(view, state["window"], y - 12)
        parts.append(
            draw_text(16, y + LINE - 2, view["list"], LIGHT.lost if view["lost"] else LIGHT.muted)
        )
        y += 2 * LINE
    for item in plan["items"]:
        mark = MARKS.get(item["status"], "○")
        line = f"{mark} #{item['id']} {item['text']}"
        parts.append(draw_text(16, y, line, LIGHT.muted if view and view["lost"] else LIGHT.ink))
        y += LINE
    if plan["files"]:
        parts.append(draw_text(16, y, describe_evidence(plan["files"]).rstrip("."), bold=True))
        parts += draw_squares((letter == "x" for letter in plan["files"]), 200, y - 11)
    return draw_svg(plan["title"], progress, (WIDTH, height), parts)


def draw_window(view: Mapping[str, Any], window: int, y: int) -> Iterator[str]:
    """Yield the places of the window, the newest on the right, and the list in or before them."""
    cell = (WIDTH - 72) / window
    letters = view["column"][:window][::-1].rjust(window).lower()
    for place in range(window):
        fill = {"p": LIGHT.plan, "s": "url(#lost)", "w": LIGHT.message}.get(letters[place], "none")
        yield (
            f'<rect x="{56 + cell * place:.1f}" y="{y}" width="{cell - 3:.1f}" height="14" '
            f'rx="2" fill="{fill}" stroke="{LIGHT.message}"/>'
        )
    yield f'<rect x="50" y="{y - 4}" width="3" height="22" fill="{LIGHT.ink}"/>'
    if view["gone"]:
        yield (
            f'<rect x="16" y="{y}" width="28" height="14" rx="2" fill="none" stroke="{LIGHT.plan}" '
            'stroke-dasharray="3 2"/>'
        )
