"""The whole agent as one picture: seven names, and what goes from one to the other."""

from html import escape
from textwrap import wrap

from agentlib.nag import REMINDER

from ..program.my_parts import MyPart, read_my_parts
from .bundle import list_sheets, read_sheet

TEXT = (
    "The user writes a prompt to the model. The model answers with calls. Your program, the loop, "
    "runs each call with one of the tools, or with todo, and sends the results back to the model. "
    "todo writes the list, and its result is the list as text. A counter counts the rounds without "
    "a call of todo. After three such rounds it adds a reminder to the results."
)
WIDTH, HEIGHT = 860, 350
# Of each box: its name, its colour, its place (x, y) and its size, and the lines below the name.
BOXES = {
    "user": ("ink", (6, 92), (128, 92), ("writes the prompt",)),
    "model": ("ink", (204, 92), (132, 92), ("reads messages,", "and replies")),
    "tools": ("ink", (560, 36), (140, 76), ("bash, read_file,", "write_file, edit_file")),
    "todo": ("plan", (560, 128), (140, 62), ("the fifth tool",)),
    "list": ("plan", (754, 96), (96, 126), ()),
    "counter": ("reminder", (560, 252), (140, 76), ("rounds without", "a call of todo")),
    "reminder": ("reminder", (374, 252), (124, 76), tuple(wrap(f"“{REMINDER}”", 14))),
}
LIST_LINES = ("[x] done", "[>] now", "[ ] later")
# Of each arrow: its colour, its path, its label, and where this is.
ARROWS = (
    ("ink", "M134 138 H202", "prompt", (168, 128)),
    ("ink", "M336 118 H546", "calls", (420, 109)),
    ("ink", "M546 158 H338", "results", (486, 176)),
    ("plan", "M700 159 H752", "", (0, 0)),
    ("reminder", "M630 190 V250", "each round", (674, 218)),
    ("reminder", "M560 290 H500", "after 3", (530, 280)),
    ("reminder", "M436 252 V161", "in the results", (486, 226)),
)


class Diagram:
    """The parts of an agent, and what goes from one to the other.

    With `mine=True`, the loop, the list and the nag have the names and the lines that `my_agent.py`
    has for them, or say that they are still the package's.
    """

    def __init__(self, *, mine: bool = False) -> None:
        self.parts = read_my_parts() if mine else {}

    @property
    def shows_list(self) -> bool:
        """Return whether the reminder is the learner's, which shows the list."""
        return bool(self.parts) and self.parts["nag"].name == "MyReminder"

    def __repr__(self) -> str:
        lines = [f"{role}: {describe(part)}" for role, part in self.parts.items()]
        return "\n".join([TEXT, *lines])

    def _repr_html_(self) -> str:
        style = "\n".join(map(read_sheet, list_sheets("diagram")))
        pen = 'fill="none" stroke="currentColor" stroke-width="1.5"'
        svg = f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" aria-hidden="true" {pen}>{self._draw()}</svg>'
        # Where styles and pictures are removed, as on GitHub, the text is shown.
        text = f'<p class="ld-text">{escape(repr(self))}</p>'
        return (
            f'<style>{style}</style><div class="agentlib lesson lesson-diagram">{text}{svg}</div>'
        )

    def _draw(self) -> str:
        loop = describe(self.parts["loop"]) if self.parts else "the loop"
        drawn = [marker(colour) for colour in ("ink", "plan", "reminder")]
        drawn += [
            '<rect class="ld-frame" x="358" y="8" width="498" height="334" rx="12"/>',
            f'<text class="ld-muted" x="372" y="28">your program: {escape(loop)}</text>',
            '<path d="M553 44 V184" stroke-width="4"/>',  # the dispatch by name
        ]
        drawn += [draw_arrow(*arrow) for arrow in ARROWS]
        drawn += [self._draw_box(name, *box) for name, box in BOXES.items()]
        return "".join(drawn)

    def _draw_box(
        self,
        name: str,
        colour: str,
        place: tuple[int, int],
        size: tuple[int, int],
        lines: tuple[str, ...],
    ) -> str:
        (x, y), (width, height) = place, size
        part = self.parts.get("nag" if name == "counter" else name)
        if part and name == "counter":
            lines = (f"{part.name}, {part.whose}:", f"{part.lines} lines")
        if name == "reminder" and self.shows_list:
            lines = ("“Update …”, and", "the whole list")
        middle, top = x + width / 2, y + 26
        drawn = [
            f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="8"/>',
            draw_text(middle, top, name, "ld-name"),
        ]
        for number, line in enumerate(lines):
            drawn.append(draw_text(middle, top + 19 + 16 * number, line, "ld-muted"))
        if name == "list":
            for number, line in enumerate(LIST_LINES):
                drawn.append(
                    f'<text class="ld-line" x="{x + 12}" y="{top + 26 + 20 * number}">{line}</text>'
                )
            below = (part.name, f"{part.lines} lines,", part.whose) if part else ()
            for number, line in enumerate(below):
                drawn.append(draw_text(middle, y + height + 18 + 16 * number, line, "ld-muted"))
        return paint(colour, "".join(drawn))


def describe(part: MyPart) -> str:
    """Return a part's name, whose it is, and how many lines it has."""
    return f"{part.name}, {part.whose}: {part.lines} lines"


def draw_text(x: float, y: float, text: str, look: str) -> str:
    return f'<text class="{look}" x="{x}" y="{y}" text-anchor="middle">{escape(text)}</text>'


def draw_arrow(colour: str, path: str, label: str, place: tuple[int, int]) -> str:
    """Return an arrow along a path, and its label with the middle at `place`."""
    arrow = f'<path d="{path}" marker-end="url(#ld-{colour})"/>'
    return paint(colour, arrow) + (draw_text(*place, label, "ld-muted") if label else "")


def paint(colour: str, drawn: str) -> str:
    """Return what is drawn, in a colour of palette.css; what is not ink has thicker lines."""
    width = 1.5 if colour == "ink" else 2.5
    return f'<g style="color: var(--{colour}); stroke-width: {width}">{drawn}</g>'


def marker(colour: str) -> str:
    """Return the head of the arrows of one colour."""
    head = '<path d="M0 0 L8 4 L0 8 Z" fill="currentColor" stroke="none"/>'
    return (
        f'<marker id="ld-{colour}" style="color: var(--{colour})" viewBox="0 0 8 8" refX="7" '
        f'refY="4" markerWidth="9" markerHeight="9" markerUnits="userSpaceOnUse" orient="auto">'
        f"{head}</marker>"
    )
