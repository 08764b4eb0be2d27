"""The widgets as standalone pictures, for pages without a kernel: GitHub, a handout.

`draw_runs` has a cell for each round of one or two runs, `draw_strips` a row for each run,
`draw_board` a todo list, `draw_seat` the window of a request, and `draw_costs` a bar for each
request.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..letters import CLAIMED, ROUNDS, SHOWN, find_sign
from ..runs.measured import Measured
from ..svg import (
    LIGHT,
    Grid,
    draw_box,
    draw_cells,
    draw_columns,
    draw_kind,
    draw_reminder,
    draw_squares,
    draw_svg,
    draw_text,
)
from .runs_text import name_row
from .todo_state import describe_evidence, describe_progress

MODEL = "Runs of the lesson's scripted practice model, not an LLM."
MOST_CELLS = 60  # of a longer run, the last ones are drawn
LINE = 24  # pixels: the height of a line of text


def draw_runs(runs: Sequence[Mapping[str, Any]]) -> str:
    """Return the rounds of runs as SVG: a cell each, and a mark after those that were reminded.

    `runs` are those of a player's state. They are drawn one below the other.
    """
    left, width, height = 16, 26, 76
    parts: list[str] = []
    titles, all_cells, has_reminder, most = [], "", False, 0
    for top, run in zip(range(0, height * len(runs), height), runs, strict=True):
        rounds = [frame for frame in run["frames"] if frame["cell"].strip()]
        shown = rounds[-MOST_CELLS:]
        cells = "".join(frame["cell"] for frame in shown)
        titles.append(f"{run['title']}: {len(rounds)} rounds")
        parts.append(draw_text(left, top + 24, titles[-1], bold=True))
        parts += draw_cells(cells, run["finished"], (left, top + 46), (width, 24))
        for place, frame in enumerate(shown, 1):
            if frame["reminded"]:
                parts.append(draw_reminder(left + width * place, top + 37, 5))
                has_reminder = True
        all_cells += cells
        most = max(most, len(shown))
    bottom = height * len(runs) + 4
    parts += draw_legend(all_cells, bottom, has_reminder)
    kinds = [ROUNDS[kind] for kind in ROUNDS if kind in all_cells]
    legend = sum(34 + 7 * len(words) for words in [*kinds, "reminder"])
    size = (2 * left + max(width * most, legend, 588), bottom + 18)
    return draw_svg("; ".join(titles), ", ".join(kinds), size, parts)


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


def draw_legend(cells: str, y: float, has_reminder: bool = False) -> Iterator[str]:
    """Yield what the cells of these kinds mean, and the mark of a reminder, in one line."""
    x = 16.0
    for kind in (kind for kind in ROUNDS if kind in cells.lower()):
        yield from draw_kind([(x, y, 10, 11)], kind)
        yield draw_text(x + 16, y + 10, ROUNDS[kind], LIGHT.muted)
        x += 34 + 7 * len(ROUNDS[kind])
    if has_reminder:
        yield draw_reminder(x + 5, y + 2, 5)
        yield draw_text(x + 16, y + 10, "reminder", LIGHT.muted)


def draw_board(state: Mapping[str, Any]) -> str:
    plan, view, window = state["plan"], state["view"], state["window"]
    left, top = (118 if view else 16), 26 + LINE
    progress = describe_progress(plan["items"])
    parts = [draw_text(left, 26, plan["title"], bold=True)]
    parts.append(draw_text(580, 26, progress, LIGHT.muted, anchor="end"))
    is_lost = bool(view and view["lost"])
    words = [f"{find_sign(item)} #{item['id']} {item['text']}" for item in plan["items"]]
    for row, line in enumerate(words):
        colour = LIGHT.muted if is_lost else LIGHT.ink
        parts.append(draw_text(left, top + LINE * row, line, colour))
    y = top + LINE * len(words)
    if view:
        parts += draw_columns([view["column"]], window, Grid(26, 200, 60, 150 / window))
        parts.append(draw_text(26, 220, "newest", LIGHT.muted, 12))
        parts.append(draw_text(left, y, view["list"], LIGHT.lost if is_lost else LIGHT.muted))
        y += LINE
    if plan["files"]:
        parts.append(draw_text(left, y, describe_evidence(plan["files"]).rstrip("."), bold=True))
        parts += draw_squares((letter == SHOWN for letter in plan["files"]), left + 190, y - 11)
        y += LINE
    return draw_svg(plan["title"], progress, (600, max(y, 234 if view else 0)), parts)


def draw_seat(state: Mapping[str, Any]) -> str:
    """Return the request of a seat as SVG: a line for each message, and the place of the next."""
    lines = [("prompt", state["prompt"][-1], LIGHT.work)]
    for message in state["messages"]:
        said = [message["text"], " ".join(message["call"]), *message["heads"]]
        label = f"round {message['round']}" if message["round"] else "result"
        words = " · ".join(filter(None, said)).replace("\n", " ")
        lines.append((label, words, LIGHT.message))
    title = f"What the model sees in round {state['round']}"
    parts = [draw_text(16, 28, title, size=16, bold=True)]
    for row, (label, words, colour) in enumerate(lines):
        y = 44 + 22 * row + (34 if row else 0)
        parts.append(f'<path d="{draw_box(96, y, 708, 20)}" fill="{colour}"/>')
        parts.append(draw_text(86, y + 15, label, LIGHT.muted, 12, anchor="end"))
        shown = words if len(words) < 100 else f"{words[:98]}…"
        parts.append(draw_text(104, y + 15, shown, size=13))
    removed = f"{state['removed']} older messages have left the window"
    parts.append(draw_text(96, 87, removed, LIGHT.muted, 13))
    parts.append(f'<path d="M90 96H804" stroke="{LIGHT.ink}" stroke-width="2.5"/>')
    y = 44 + 22 * len(lines) + 34
    note = state["messages"][-1]["note"]
    if note:
        parts.append(
            draw_text(798, y - 7, f"▼ {note}", LIGHT.reminder, 13, bold=True, anchor="end")
        )
    box = draw_box(97, y + 1, 706, 22)
    parts.append(f'<path d="{box}" fill="none" stroke="{LIGHT.plan}" stroke-width="2"/>')
    parts.append(
        draw_text(104, y + 17, f"The next message is yours. {state['question']}", bold=True)
    )
    return draw_svg(title, removed, (820, y + 40), parts)


def draw_costs(state: Mapping[str, Any]) -> str:
    """Return the requests of runs as SVG: a bar for each, as high as its input tokens.

    The part that was read from the cache is pale.
    """
    runs, ticks = state["runs"], state["ticks"]
    left, tall, wide, step_high = 66, 90, 26, 150
    parts = [
        draw_text(16, 26, state["title"], bold=True),
        f'<path d="{draw_box(262, 15, 12, 12)}" fill="{LIGHT.muted}"/>',
        draw_text(280, 26, "processed", LIGHT.muted),
        f'<path d="{draw_box(368, 15, 12, 12)}" fill="{LIGHT.muted}" fill-opacity="0.3"/>',
        draw_text(386, 26, "read from the cache", LIGHT.muted),
    ]
    size = (
        left + 20 + wide * max(len(run["requests"]) for run in runs),
        34 + step_high * len(runs),
    )
    for row, run in enumerate(runs):
        floor = 150 + step_high * row
        parts.append(draw_text(16, floor - tall - 12, run["title"], bold=True))
        for tick in ticks:
            y = floor - tall * tick / ticks[-1]
            parts.append(f'<path d="M{left} {y:g}H{size[0] - 16}" stroke="{LIGHT.faint}"/>')
            parts.append(draw_text(left - 8, y + 4, f"{tick:,}", LIGHT.muted, 12, anchor="end"))
        for number, (total, cached) in enumerate(run["requests"]):
            high, pale = tall * total / ticks[-1], tall * cached / ticks[-1]
            x = left + wide * number
            whole = draw_box(x, floor - high, wide - 4, high - pale)
            parts.append(f'<path d="{whole}" fill="{LIGHT.muted}"/>')
            read = draw_box(x, floor - pale, wide - 4, pale)
            parts.append(f'<path d="{read}" fill="{LIGHT.muted}" fill-opacity="0.3"/>')
        for number in [1, *range(5, len(run["requests"]) + 1, 5)]:
            x = left - 2 + wide * (number - 0.5)
            parts.append(draw_text(x, floor + 18, str(number), LIGHT.muted, 12, anchor="middle"))
    told = " ".join(run["words"] for run in runs)
    return draw_svg(state["title"], told, size, parts)
