"""A picture at the end of the lesson: the learner's first agent and the last one, on one job."""

from base64 import b64encode
from collections.abc import Callable, Iterator
from typing import Any

from ..runs.agent_arena import try_agent
from ..runs.measured import Measured, Setting, measured, summarize
from ..svg import LIGHT, draw_cells, draw_svg, draw_text

TITLE = "Your first agent and your last one, on the same ten steps"


def draw_first_and_last(agent: Callable[..., Any]) -> str:
    """Return both runs as an HTML image: the loop of s02, and `agent`, which is played now."""
    first = measured(Setting(after=None, plan=False))
    last = summarize(Setting(), try_agent(agent))
    parts = [
        draw_text(16, 30, TITLE, size=17, bold=True),
        *draw_run("s02: a loop and four tools", first, 74),
        *draw_run("s06: with a plan, a reminder and a question at the stop", last, 152),
    ]
    told = f"First: {first.outcome}. Last: {last.outcome}."
    width = max(560, 120 + 20 * max(first.rounds, last.rounds))
    code = b64encode(draw_svg(TITLE, told, (width, 206), parts).encode()).decode()
    return f'<img alt="{TITLE}. {told}" src="data:image/svg+xml;base64,{code}">'


def draw_run(name: str, run: Measured, y: int) -> Iterator[str]:
    """Yield the name of a run, how it ended, and a cell for each round."""
    colour = LIGHT.done if run.is_finished else LIGHT.lost
    yield draw_text(16, y, name)
    yield from draw_cells(run.cells, run.is_finished, (16, y + 10), (20, 20))
    done = f"{run.steps_done} of {len(run.done)}"
    yield draw_text(26 + 20 * run.rounds, y + 26, done, colour, 15, bold=True)
