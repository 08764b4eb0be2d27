"""A picture to keep: the learner's agent at its ten steps, as an SVG file beside the program."""

from typing import NamedTuple

from safetylib.files import write_atomically

from ..common.file_errors import describe_file_error
from ..common.parts import PARTS
from ..common.pluralize import pluralize
from ..drawing.picture import draw_states, draw_tape, escape
from ..drawing.run_picture import run_marks, run_timeline
from ..drawing.svg import draw_text, read_colours, read_rules
from ..program import file
from ..program.my_agent import my_agent
from ..program.own_parts import read_own_parts
from ..runs.run import Run

WIDTH, MARGIN, ROW = 860, 34, 19  # pixels
MOST_CHARACTERS = 40  # of a name
PART_WIDTH = (WIDTH - 2 * MARGIN) / 4


class KeptPicture(NamedTuple):
    """The picture of an agent. `words` say the same, and where it is."""

    svg: str
    words: str

    def __repr__(self) -> str:
        return self.words

    def _repr_svg_(self) -> str:
        return self.svg


def keep_picture(by: str = "") -> KeptPicture:
    """Play the ten steps with your program, and write `my_agent.svg` beside `my_agent.py`.

    The picture has the run, its result, the lines of the program, and which parts are yours. It has
    no name unless you give one with `by`. An older picture is replaced. If it cannot be written,
    the result says why, and can be seen all the same.
    """
    parts = read_own_parts()
    run = Run(loop=parts.loop, todo=parts.todo, nag=parts.nag).play()
    own = my_agent._list_own()
    size = len(file.path.read_text(encoding="utf-8").splitlines()) if file.path.exists() else 0
    done = run.not_judged or f"{run.steps_done} of {len(run.done)} steps"
    said = f"{done}, {pluralize(size, 'line')}"
    title = f"My agent: {said}"
    svg = draw_agent(run, title, own, by.strip()[:MOST_CHARACTERS])
    path = file.path.with_suffix(".svg").resolve()
    try:
        write_atomically(path, svg.encode("ascii", "xmlcharrefreplace"))
        place = f"The picture is {path.name}, beside {file.FILE}."
    except (OSError, ValueError) as problem:
        place = f"{path.name} was not written: {describe_file_error(problem)}"
    return KeptPicture(svg, f"{title}. {place}")


def draw_agent(run: Run, title: str, own: list[str], by: str) -> str:
    """Return the picture as the text of an SVG file."""
    marks, rows = run_marks(run), run_timeline(run)[: len(run.step_texts)]
    cell = (WIDTH - 2 * MARGIN) / max(len(marks), 1)
    cell = min(cell, 28)
    drawn = draw_text(title, 0, 24, weight=700, size=26)
    more = f"{sum(name in own for name in PARTS)} of {len(PARTS)} parts are mine."
    drawn += draw_text(f"{by}: {more}" if by else more, 0, 50, "muted", size=15)
    top = 92.0
    drawn += f"<g class='lp-tape' transform='translate(0 {top:g}) scale({cell:g})'>"
    drawn += draw_tape(marks) + "</g>"
    top += cell + 12
    for number, row in enumerate(rows):
        place = f"translate(0 {top + number * ROW:g}) scale({cell:g} {ROW - 3})"
        drawn += f"<g class='lp-tape' transform='{place}'>{draw_states(row.states)}</g>"
    top += ROW * len(rows) + 30
    for number, name in enumerate(PARTS):
        left, below = number % 4 * PART_WIDTH, top + number // 4 * 24
        is_own = name in own
        sign, colour = ("✓", "done") if is_own else ("○", "muted")
        drawn += draw_text(sign, left, below, colour, 700, size=15)
        drawn += draw_text(name, left + 20, below, "ink" if is_own else "muted", size=15)
    height = round(top + (len(PARTS) - 1) // 4 * 24 + 20 + MARGIN)
    colours = read_colours()
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH} {height}' width='{WIDTH}' "
        f"height='{height}' role='img' font-family='system-ui, sans-serif'>"
        f"<title>{escape(title)}</title><style>{read_rules()}</style>"
        f"<rect width='{WIDTH}' height='{height}' rx='12' fill='{colours['paper']}'/>"
        f"<rect x='.5' y='.5' width='{WIDTH - 1}' height='{height - 1}' rx='12' fill='none' "
        f"stroke='{colours['message']}'/>"
        f"<g transform='translate({MARGIN} {MARGIN})'>{drawn}</g></svg>\n"
    )
