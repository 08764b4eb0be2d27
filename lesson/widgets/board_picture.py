"""The board as a standalone picture: SVG with fixed colours, for pages without widgets."""

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from .todo_state import describe_evidence, describe_progress

INK, MUTED, PAPER, PLAN, SEEN, DONE, LOST = (
    "#1f1f1f", "#555", "#fff", "#0d47a1", "#cfe3d4", "#388e3c", "#b3400e"
)  # fmt: skip
WIDTH, LINE = 560, 24  # pixels
MARKS = {"completed": "✓", "in_progress": "▸"}


def draw_board(state: Mapping[str, Any]) -> str:
    """Return a board's state as SVG."""
    plan, view = state["plan"], state["view"]
    height = LINE * (len(plan["items"]) + 2 + 2 * bool(view) + bool(plan["files"])) + 16
    progress = describe_progress(plan["items"])
    parts = [draw_text(16, 26, plan["title"], weight="bold")]
    parts.append(draw_text(WIDTH - 16, 26, progress, MUTED, anchor="end"))
    y = 26 + LINE
    if view:
        parts += draw_window(view, state["window"], y - 12)
        parts.append(draw_text(16, y + LINE - 2, view["list"], LOST if view["lost"] else MUTED))
        y += 2 * LINE
    for item in plan["items"]:
        mark = MARKS.get(item["status"], "○")
        line = f"{mark} #{item['id']} {item['text']}"
        parts.append(draw_text(16, y, line, MUTED if view and view["lost"] else INK))
        y += LINE
    if plan["files"]:
        parts += draw_squares(plan["files"], y)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
            f'width="{WIDTH}" height="{height}" role="img" '
            'font-family="system-ui, sans-serif" font-size="14">',
            f"<title>{escape(plan['title'])}: {progress}</title>",
            f'<rect width="{WIDTH}" height="{height}" rx="8" fill="{PAPER}"/>',
            *parts,
            "</svg>",
        ]
    )


def draw_window(view: Mapping[str, Any], window: int, y: int) -> Iterator[str]:
    """Yield the places of the window, the newest on the right, and the list in or before them."""
    cell = (WIDTH - 72) / window
    filled = view["sent"] - view["first"]
    for place in range(window):
        index = view["sent"] - window + place
        colour = PLAN if index in view["plan"] else SEEN
        fill = colour if place >= window - filled else "none"
        yield (
            f'<rect x="{56 + cell * place:.1f}" y="{y}" width="{cell - 3:.1f}" height="14" '
            f'rx="2" fill="{fill}" stroke="{SEEN}"/>'
        )
    yield f'<rect x="50" y="{y - 4}" width="3" height="22" fill="{INK}"/>'
    if view["gone"]:
        yield (
            f'<rect x="16" y="{y}" width="28" height="14" rx="2" fill="none" stroke="{PLAN}" '
            'stroke-dasharray="3 2"/>'
        )


def draw_squares(files: str, y: int) -> Iterator[str]:
    """Yield a square for each step, filled if the files show that it is done."""
    yield draw_text(16, y, describe_evidence(files).rstrip("."), weight="bold")
    for place, letter in enumerate(files):
        look = f'fill="{DONE}"' if letter == "x" else f'fill="none" stroke="{MUTED}"'
        yield f'<rect x="{200 + 16 * place}" y="{y - 11}" width="12" height="12" rx="2" {look}/>'


def draw_text(
    x: int, y: int, text: str, colour: str = INK, *, anchor: str = "start", weight: str = "normal"
) -> str:
    """Return an SVG text that begins or ends at `x`, on the baseline `y`."""
    look = f'fill="{colour}" text-anchor="{anchor}" font-weight="{weight}"'
    return f'<text x="{x}" y="{y}" {look}>{escape(text)}</text>'
