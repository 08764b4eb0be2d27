"""The class's bets on the threshold as one picture, beside what was measured: no kernel, no server.

s03 prints the bet that was made in the strips, and asks for two more in a cell, on its law. All
three stay in the saved notebook.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from statistics import median

from ...practice.policy.practice_policy import WINDOW
from ...runs.measured import Measured, Setting, measured
from ...runs.trial import THRESHOLDS
from .notebooks import Cell

BET = re.compile(r"(?m)^My bet: (\d+)$")
LAW = re.compile(r"(?m)^my_law = \{([^}]*)\}")
GUESS = re.compile(r"(\d+): *([1-9]\d*) *(?=,|$)")  # 0 stands there before one guesses, and is none
LAW_ATTENTIONS = (20, 30)  # messages: what the cell asks about

LEFT, COLUMN, ROOM = 380, 76, 190  # pixels: where the columns begin, one of them, the bets' height
HEAD, PANEL, BLOCK = 150, 330, 26  # pixels: the height of the title, of a panel, of a bet at most
LAST = THRESHOLDS[-1]
WIDTH = LEFT + LAST * COLUMN + 40
INK, MUTED, GOOD, BAD, BETS = "#1f2328", "#59636e", "#2e7d32", "#b3400e", "#0d47a1"


def read_bets(cells: Iterable[Cell]) -> dict[int, int]:
    """A learner's bets: by attention, in messages, the last threshold that is to finish."""
    bets: dict[int, int] = {}
    for cell in cells:
        for law in LAW.findall(cell.source):
            guesses = {int(window): int(guess) for window, guess in GUESS.findall(law)}
            bets |= {one: guesses[one] for one in LAW_ATTENTIONS if one in guesses}
        for bet in BET.findall(cell.printed):
            bets[WINDOW] = int(bet)
    return bets


def draw_bets(bets: Sequence[dict[int, int]]) -> str:
    """The `bets` of all learners as SVG: a panel for each attention that was bet on."""
    windows = sorted({window for one in bets for window in one})
    height = HEAD + PANEL * len(windows)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        'font-family="system-ui, sans-serif">',
        "<title>The class's bets, and what was measured</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
        draw_text(40, 62, "With which threshold do all ten steps still get done?", size=40),
        draw_text(40, 108, "Blocks: our bets on the last one. Below: what happened.", MUTED),
    ]
    for place, window in enumerate(windows):
        ours = [one[window] for one in bets if window in one]
        parts += draw_panel(window, ours, HEAD + PANEL * place)
    return "\n".join([*parts, "</svg>", ""])


def draw_panel(window: int, bets: Sequence[int], top: int) -> Iterator[str]:
    """The bets on the runs with one attention, above how each of these runs ended."""
    settings = [Setting("ten_steps", window=window, after=after) for after in THRESHOLDS]
    runs = [measured(setting) for setting in settings]
    finished = [after for after, run in zip(THRESHOLDS, runs, strict=True) if is_finished(run)]
    truth = max(finished, default=0)
    floor = top + ROOM + 30
    yield draw_text(40, top + 60, f"It sees {window} messages")
    yield draw_text(40, top + 104, f"{bets.count(truth)} of {len(bets)} bets are right", BETS)
    yield draw_text(40, top + 146, f"the middle one is {median(bets):g}", MUTED)
    yield draw_text(LEFT - 20, floor + 36, "steps done", MUTED, "end")
    yield draw_text(LEFT - 20, floor + 82, "remind after", MUTED, "end")
    counts = Counter(min(bet, LAST) for bet in bets)
    block = min(BLOCK, ROOM / max(counts.values()))
    for after, run in zip(THRESHOLDS, runs, strict=True):
        x = LEFT + COLUMN * (after - 1)
        for number in range(counts[after]):
            yield draw_box(x + 8, floor - block * (number + 1), COLUMN - 16, block - 2, BETS)
        if counts[after]:
            above = floor - block * counts[after] - 8
            yield draw_text(x + COLUMN / 2, above, str(counts[after]), anchor="middle")
        colour, sign = (GOOD, "✓") if is_finished(run) else (BAD, "✗")
        yield draw_box(x + 2, floor + 4, COLUMN - 4, 46, colour)
        yield draw_text(x + COLUMN / 2, floor + 37, f"{sign}{run.steps_done}", "#fff", "middle")
        is_open = after == LAST and max(bets) > LAST
        words = f"{after}+" if is_open else str(after)
        yield draw_text(x + COLUMN / 2, floor + 82, words, anchor="middle")
    edge = LEFT + COLUMN * truth
    yield draw_box(edge - 2, top + 14, 4, floor + 36 - top, INK)


def is_finished(run: Measured) -> bool:
    """Whether every step is done, by the files."""
    return run.steps_done == len(run.done)


def draw_text(
    x: float, y: float, words: str, fill: str = INK, anchor: str = "start", size: int = 28
) -> str:
    """A line of text; in ink it is bold."""
    weight = 700 if fill == INK else 400
    return (
        f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" font-size="{size}" '
        f'font-weight="{weight}" fill="{fill}">{words}</text>'
    )


def draw_box(x: float, y: float, width: float, height: float, fill: str) -> str:
    """A filled rectangle."""
    return (
        f'<rect x="{x:g}" y="{y:.1f}" width="{width:g}" height="{height:.1f}" rx="2" '
        f'fill="{fill}"/>'
    )
