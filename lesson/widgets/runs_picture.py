"""The strips as a standalone picture: SVG with fixed colours, for pages without a kernel."""

from collections.abc import Iterator, Sequence
from html import escape

from ..runs.measured import KINDS, Measured

LEFT, TOP = 116, 84  # pixels: the upper left corner of the cells
ROW, CELL = 22, 11  # pixels: the height of a row, the width of a cell
INK, MUTED, PAPER, LIT = "#1f1f1f", "#555", "#fff", "#e3ebf7"
PLAN, WORK, DONE, LOST, WASH = "#0d47a1", "#a9d5ab", "#388e3c", "#b3400e", "#fbe5d6"
HATCHED = "url(#agentlib-lost)"

# The fill and the border of a cell.
LOOKS = {
    "p": (PLAN, PLAN),
    "w": (WORK, WORK),
    "d": (DONE, DONE),
    "l": (HATCHED, LOST),
    "f": (HATCHED, DONE),
    "s": (HATCHED, PLAN),
    "e": ("none", MUTED),
}
HATCH = (
    '<defs><pattern id="agentlib-lost" width="4" height="4" patternUnits="userSpaceOnUse" '
    f'patternTransform="rotate(45)"><rect width="4" height="4" fill="{WASH}"/>'
    f'<rect width="1.4" height="4" fill="{LOST}"/></pattern></defs>'
)


def draw_picture(runs: Sequence[Measured], chosen: Measured, title: str) -> str:
    """The `runs` with one attention as SVG, with the `chosen` one highlighted."""
    right = LEFT + CELL * max(run.rounds for run in runs) + 16
    width, height = max(right + 250, 720), TOP + ROW * len(runs) + 10
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" role="img" '
            'font-family="system-ui, sans-serif" font-size="13">',
            f"<title>{escape(title)}</title>",
            HATCH,
            f'<rect width="{width}" height="{height}" rx="8" fill="{PAPER}"/>',
            draw_text(16, 26, title, weight="bold"),
            *draw_legend(),
            *draw_edge(runs),
            *draw_headings(right),
            *(
                part
                for index, run in enumerate(runs)
                for part in draw_strip(run, TOP + ROW * index, right, is_lit=run == chosen)
            ),
            "</svg>",
        ]
    )


def draw_legend() -> Iterator[str]:
    """What the cells mean, in one line."""
    x = 16
    for kind in "pwdls":
        yield draw_cells([(x, 38)], kind)
        yield draw_text(x + 15, 48, KINDS[kind], MUTED)
        x += 32 + 7 * len(KINDS[kind])
    yield draw_reminders([x + 5], 40)
    yield draw_text(x + 15, 48, "reminder", MUTED)


def draw_edge(runs: Sequence[Measured]) -> Iterator[str]:
    """A line where the first plan leaves the model's view, if it does so in any run."""
    seen = [run.seen for run in runs if run.setting.plan and run.seen]
    if seen:
        x, end = LEFT + CELL * min(seen) - 1, TOP + ROW * len(runs)
        yield f'<path d="M{x} 60V{end}" stroke="{LOST}" stroke-width="1.5" stroke-dasharray="4 3"/>'
        yield draw_text(x + 6, 70, "here the first plan leaves the model’s view", LOST)


def draw_headings(right: int) -> Iterator[str]:
    """The headings of the columns beside the strips."""
    yield draw_text(right, 70, "files show", MUTED)
    yield draw_text(right + 92, 70, "list says", MUTED)
    yield draw_text(right + 230, 70, "tokens", MUTED, anchor="end")


def draw_strip(run: Measured, y: int, right: int, *, is_lit: bool) -> Iterator[str]:
    """One row: its name, cells and reminders, how long each plan is in view, and how it ended."""
    if is_lit:
        yield f'<rect x="8" y="{y}" width="{right + 234}" height="{ROW}" rx="4" fill="{LIT}"/>'
    yield draw_text(
        LEFT - 10, y + 15, name_row(run), anchor="end", weight="bold" if is_lit else "normal"
    )
    small = run.cells.lower()
    for kind in dict.fromkeys(small):
        places = [place for place, letter in enumerate(small) if letter == kind]
        yield draw_cells([(LEFT + CELL * place, y + 5) for place in places], kind)
    for start, stop in run.plans_in_view():
        x, length = LEFT + CELL * start, CELL * (stop - start) - 2
        yield f'<path d="M{x} {y + 18}h{length}" stroke="{PLAN}" stroke-width="2" opacity=".6"/>'
    sent = [place for place, letter in enumerate(run.cells, 1) if letter.isupper()]
    if sent:
        yield draw_reminders([LEFT + CELL * place - 1 for place in sent], y)
    mark, colour = ("✓", DONE) if run.is_finished else ("✗", LOST)
    steps = f"{mark} {run.steps_done} of {len(run.done)}"
    yield draw_text(right, y + 15, steps, colour, weight="bold")
    yield draw_text(right + 92, y + 15, run.list_says, LOST if "o" in run.claims else MUTED)
    yield draw_text(right + 230, y + 15, f"{run.tokens:,}", MUTED, anchor="end")


def name_row(run: Measured) -> str:
    """The name of a row."""
    if not run.setting.plan:
        return "no list"
    return f"after {run.setting.after}" if run.setting.after else "no reminder"


def draw_cells(places: Sequence[tuple[int, int]], kind: str) -> str:
    """The cells of rounds of one kind, given their upper left corners."""
    fill, stroke = LOOKS[kind]
    path = "".join(f"M{x}.5 {y}.5h8v10h-8z" for x, y in places)
    return f'<path d="{path}" fill="{fill}" stroke="{stroke}" stroke-linejoin="round"/>'


def draw_reminders(centres: Sequence[int], y: int) -> str:
    """Marks of reminders, each between the round that sends it and the round that reads it."""
    return f'<path d="{"".join(f"M{x - 4} {y}h8l-4 5z" for x in centres)}" fill="{LOST}"/>'


def draw_text(
    x: int, y: int, text: str, colour: str = INK, *, anchor: str = "start", weight: str = "normal"
) -> str:
    """A text that begins or ends at `x`, on the baseline `y`."""
    look = f'fill="{colour}" text-anchor="{anchor}" font-weight="{weight}"'
    return f'<text x="{x}" y="{y}" {look}>{escape(text)}</text>'
