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
# Of each box: its name, its look, its place (x, y) and its size, and the lines below the name.
BOXES = {
    "user": ("", (6, 92), (128, 92), ("writes the prompt",)),
    "model": ("", (204, 92), (132, 92), ("reads messages,", "and replies")),
    "tools": ("", (560, 36), (140, 76), ("bash, read_file,", "write_file, edit_file")),
    "todo": ("ld-plan", (560, 128), (140, 62), ("the fifth tool",)),
    "list": ("ld-plan", (754, 96), (96, 126), ()),
    "counter": ("ld-reminder", (560, 252), (140, 76), ("rounds without", "a call of todo")),
    "reminder": ("ld-reminder", (374, 252), (124, 76), tuple(wrap(f"“{REMINDER}”", 14))),
}
LIST_LINES = ("[x] done", "[>] now", "[ ] later")
# Of each arrow: its look, its path, its label, and where this is.
ARROWS = (
    ("", "M134 138 H202", "prompt", (168, 128)),
    ("", "M336 118 H546", "calls", (420, 109)),
    ("", "M546 158 H338", "results", (486, 176)),
    ("ld-plan", "M700 159 H752", "", (0, 0)),
    ("ld-reminder", "M630 190 V250", "each round", (670, 218)),
    ("ld-reminder", "M560 290 H500", "after 3", (530, 280)),
    ("ld-reminder", "M436 252 V161", "in the results", (486, 226)),
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
        svg = f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" aria-hidden="true">{self._draw()}</svg>'
        # Where styles and pictures are removed, as on GitHub, the text is shown.
        text = f'<p class="ld-text">{escape(repr(self))}</p>'
        return (
            f'<style>{style}</style><div class="agentlib lesson lesson-diagram">{text}{svg}</div>'
        )

    def _draw(self) -> str:
        loop = describe(self.parts["loop"]) if self.parts else "the loop"
        drawn = [
            marker("", "ink"),
            marker("ld-plan", "plan"),
            marker("ld-reminder", "reminder"),
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
        look: str,
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
            f'<rect class="{look}" x="{x}" y="{y}" width="{width}" height="{height}" rx="8"/>',
            draw_text(middle, top, name, f"ld-name {look}"),
        ]
        for number, line in enumerate(lines):
            drawn.append(draw_text(middle, top + 19 + 16 * number, line, "ld-muted"))
        if name == "list":
            for number, line in enumerate(LIST_LINES):
                drawn.append(
                    f'<text x="{x + 12}" y="{top + 26 + 20 * number}" font-family="monospace">'
                    f"{line}</text>"
                )
            below = (part.name, f"{part.lines} lines,", part.whose) if part else ()
            for number, line in enumerate(below):
                drawn.append(draw_text(middle, y + height + 18 + 16 * number, line, "ld-muted"))
        return "".join(drawn)


def describe(part: MyPart) -> str:
    """Return a part's name, whose it is, and how many lines it has."""
    return f"{part.name}, {part.whose}: {part.lines} lines"


def draw_text(x: float, y: float, text: str, look: str) -> str:
    return f'<text class="{look}" x="{x}" y="{y}" text-anchor="middle">{escape(text)}</text>'


def draw_arrow(look: str, path: str, label: str, place: tuple[int, int]) -> str:
    """Return an arrow along a path, and its label with the middle at `place`."""
    end = {"": "ink", "ld-plan": "plan", "ld-reminder": "reminder"}[look]
    arrow = f'<path class="{look}" d="{path}" marker-end="url(#ld-{end})"/>'
    return arrow + (draw_text(*place, label, "ld-muted") if label else "")


def marker(look: str, name: str) -> str:
    """Return the head of the arrows of one look."""
    head = f'<path d="M0 0 L8 4 L0 8 Z" style="fill: var(--{name}); stroke: none"/>'
    return (
        f'<marker id="ld-{name}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="9" '
        f'markerHeight="9" markerUnits="userSpaceOnUse" orient="auto">{head}</marker>'
    )
