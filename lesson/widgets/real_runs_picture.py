"""A picture of the recorded runs that used a list: one line for each."""

from collections.abc import Iterator

from IPython.display import SVG

from ..runs.real_runs import RealRun, real_runs
from ..svg import LIGHT, draw_svg, draw_text

TITLE = "264 runs of Claude Sonnet 4.5: when did it write its list?"
LEFT, TOP, WIDE, HIGH = 16, 92, 7, 2  # pixels: the margins, a round, a run
WINDOW = 6  # rounds: twelve messages


def draw_real_runs() -> SVG:
    """Return the picture: a line for each run, sorted by length, blue where a list was written."""
    runs = sorted((run for run in real_runs() if run.lists), key=lambda run: run.rounds)
    longest = max(len(run.replies) for run in runs)
    size = (2 * LEFT + WIDE * longest, TOP + HIGH * len(runs) + 30)
    told = (
        f"Each of {len(runs)} lines is one run, and its length is the number of rounds. Blue marks "
        "a round that writes the list. Most lines are blue every few rounds, up to their end."
    )
    return SVG(draw_svg(TITLE, told, size, draw_parts(runs, longest)))


def draw_parts(runs: list[RealRun], longest: int) -> Iterator[str]:
    """Yield the title, the legend, the lines and the axis."""
    yield draw_text(LEFT, 26, TITLE, size=17, bold=True)
    yield f'<path d="M{LEFT} 44h22v8h-22z" fill="{LIGHT.plan}"/>'
    yield draw_text(LEFT + 30, 53, "a round that writes the list")
    yield f'<path d="M{LEFT + 250} 44h22v8h-22z" fill="{LIGHT.work}"/>'
    yield draw_text(LEFT + 280, 53, "a round of work")
    yield f'<path d="M{LEFT} 72v6h{WIDE * WINDOW}v-6" fill="none" stroke="{LIGHT.ink}"/>'
    yield draw_text(LEFT + WIDE * WINDOW + 8, 81, "a window of 12 messages", size=13)
    tops = [TOP + HIGH * row for row in range(len(runs))]
    lines = "".join(
        f"M{LEFT} {top}h{WIDE * len(run.replies):g}" for run, top in zip(runs, tops, strict=True)
    )
    lists = "".join(
        f"M{LEFT + WIDE * (one.round - 1):g} {top}h{WIDE}"
        for run, top in zip(runs, tops, strict=True)
        for one in run.lists
    )
    yield f'<path d="{lines}" stroke="{LIGHT.work}" stroke-width="{0.8 * HIGH}"/>'
    yield f'<path d="{lists}" stroke="{LIGHT.plan}" stroke-width="{HIGH}"/>'
    bottom = TOP + HIGH * len(runs) + 20
    for number in range(0, longest + 1, 25):
        words = str(number) if number else "round"
        yield draw_text(LEFT + WIDE * number, bottom, words, LIGHT.muted, 13)
