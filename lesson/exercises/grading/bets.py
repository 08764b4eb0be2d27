"""Draw the class's bets on the threshold next to the measured result. Needs no kernel.

A bet is a number in the saved notebook s03: `my_bet = 8` in a cell or "My bet: 8" in its output,
and `my_law = {24: 11, 30: 14}` for two other windows.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from statistics import median

from ...practice.policy.practice_policy import WINDOW
from ...runs.measured import Measured, Setting, measured
from ...runs.trial import THRESHOLDS
from ...svg import LIGHT, draw_box, draw_svg, draw_text
from .notebooks import Cell

CELL_CHARACTERS = 2_000  # of a cell's source or output, the rest is not searched
BET = re.compile(r"(?m)^(?:my_bet =|My bet:) (\d{1,3})\b")  # 0 is the placeholder, and no bet
LAW = re.compile(r"(?m)^my_law = \{(\d{1,3}): (\d{1,3}), (\d{1,3}): (\d{1,3})\}")
LAW_WINDOWS = (24, 30)  # messages, as in s03's question

LEFT, COLUMN, ROOM = 380, 76, 190  # pixels: left edge and width of the columns, height of the bets
HEAD, PANEL, BLOCK = 150, 330, 26  # pixels: height of the title, of a panel, of one bet at most
LAST = THRESHOLDS[-1]
WIDTH = LEFT + LAST * COLUMN + 40
SIZE, BIG = 28, 40  # pixels: of the text, readable on a projector


def read_bets(cells: Iterable[Cell]) -> dict[int, int]:
    """Return a learner's bets: by window, in messages, the last threshold that finishes."""
    bets: dict[int, int] = {}
    for cell in cells:
        for text in (cell.source[:CELL_CHARACTERS], cell.printed[:CELL_CHARACTERS]):
            for found in LAW.findall(text):
                windows, guesses = map(int, found[::2]), map(int, found[1::2])
                law = dict(zip(windows, guesses, strict=True))
                bets |= {one: law[one] for one in LAW_WINDOWS if law.get(one)}
            for bet in filter(None, map(int, BET.findall(text))):
                bets[WINDOW] = bet
    return bets


def draw_bets(bets: Sequence[dict[int, int]]) -> str:
    """Return the `bets` of all learners as SVG, with a panel for each window."""
    windows = sorted({window for one in bets for window in one})
    height = HEAD + PANEL * len(windows)
    question = "What is the last threshold at which all ten steps are done?"
    parts = [
        draw_text(40, 62, question, size=BIG, bold=True),
        draw_text(40, 108, "Blocks: our bets. Below: the measured steps.", LIGHT.muted, SIZE),
    ]
    for place, window in enumerate(windows):
        ours = [one[window] for one in bets if window in one]
        parts += draw_panel(window, ours, HEAD + PANEL * place)
    told = "The bets of the class, and the measured results, by window and threshold."
    return draw_svg(question, told, (WIDTH, height), parts)


def draw_panel(window: int, bets: Sequence[int], top: int) -> Iterator[str]:
    """Draw the bets on one window above the results of its runs."""
    settings = [Setting("ten_steps", window=window, after=after) for after in THRESHOLDS]
    runs = [measured(setting) for setting in settings]
    finished = [after for after, run in zip(THRESHOLDS, runs, strict=True) if is_finished(run)]
    truth = max(finished, default=0)
    floor = top + ROOM + 30
    right = f"{bets.count(truth)} of {len(bets)} bets are right"
    yield draw_text(40, top + 60, f"A window of {window} messages", size=SIZE, bold=True)
    yield draw_text(40, top + 104, right, LIGHT.plan, SIZE)
    yield draw_text(40, top + 146, f"the median is {median(bets):g}", LIGHT.muted, SIZE)
    yield draw_text(LEFT - 20, floor + 36, "steps done", LIGHT.muted, SIZE, anchor="end")
    yield draw_text(LEFT - 20, floor + 82, "remind after", LIGHT.muted, SIZE, anchor="end")
    counts = Counter(min(bet, LAST) for bet in bets)
    block = min(BLOCK, ROOM / max(counts.values()))
    for after, run in zip(THRESHOLDS, runs, strict=True):
        left = LEFT + COLUMN * (after - 1)
        middle = left + COLUMN / 2
        for number in range(counts[after]):
            upper = floor - block * (number + 1)
            yield draw_block(left + 8, upper, COLUMN - 16, block - 2, LIGHT.plan)
        if counts[after]:
            above = floor - block * counts[after] - 8
            yield draw_number(middle, above, str(counts[after]))
        colour, sign = (LIGHT.done, "✓") if is_finished(run) else (LIGHT.lost, "✗")
        yield draw_block(left + 2, floor + 4, COLUMN - 4, 46, colour)
        yield draw_number(middle, floor + 37, f"{sign}{run.steps_done}", LIGHT.paper)
        is_open = after == LAST and max(bets) > LAST
        yield draw_number(middle, floor + 82, f"{after}+" if is_open else str(after))
    edge = LEFT + COLUMN * truth
    yield draw_block(edge - 2, top + 14, 4, floor + 36 - top, LIGHT.ink)


def is_finished(run: Measured) -> bool:
    """Return whether every step is done, according to the files."""
    return run.steps_done == len(run.done)


def draw_number(middle: float, baseline: float, words: str, colour: str = LIGHT.ink) -> str:
    """Return a number in the middle of a column."""
    return draw_text(middle, baseline, words, colour, SIZE, bold=True, anchor="middle")


def draw_block(x: float, y: float, width: float, height: float, colour: str) -> str:
    """Return a filled rectangle."""
    return f'<path d="{draw_box(x, y, width, height)}" fill="{colour}"/>'
