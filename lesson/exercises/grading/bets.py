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
from .notebooks import Cell

CELL_CHARACTERS = 2_000  # of a cell's source or output, the rest is not searched
BET = re.compile(r"(?m)^(?:my_bet =|My bet:) (\d{1,3})\b")  # 0 is the placeholder, and no bet
LAW = re.compile(r"(?m)^my_law = \{(\d{1,3}): (\d{1,3}), (\d{1,3}): (\d{1,3})\}")
LAW_WINDOWS = (20, 30)  # messages, as in s03's question

LEFT, COLUMN, ROOM = 380, 76, 190  # pixels: left edge and width of the columns, height of the bets
HEAD, PANEL, BLOCK = 150, 330, 26  # pixels: height of the title, of a panel, of one bet at most
LAST = THRESHOLDS[-1]
WIDTH = LEFT + LAST * COLUMN + 40
INK, MUTED, GOOD, BAD, BETS = "#1f2328", "#59636e", "#2e7d32", "#b3400e", "#0d47a1"


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
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        'font-family="system-ui, sans-serif">',
        "<title>The class's bets, and the measured results</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
        draw_text(40, 62, "What is the last threshold at which all ten steps are done?", size=40),
        draw_text(40, 108, "Blocks: our bets. Below: the measured steps.", MUTED),
    ]
    for place, window in enumerate(windows):
        ours = [one[window] for one in bets if window in one]
        parts += draw_panel(window, ours, HEAD + PANEL * place)
    return "\n".join([*parts, "</svg>", ""])


def draw_panel(window: int, bets: Sequence[int], top: int) -> Iterator[str]:
    """Draw the bets on one window above the results of its runs."""
    settings = [Setting("ten_steps", window=window, after=after) for after in THRESHOLDS]
    runs = [measured(setting) for setting in settings]
    finished = [after for after, run in zip(THRESHOLDS, runs, strict=True) if is_finished(run)]
    truth = max(finished, default=0)
    floor = top + ROOM + 30
    yield draw_text(40, top + 60, f"A window of {window} messages")
    yield draw_text(40, top + 104, f"{bets.count(truth)} of {len(bets)} bets are right", BETS)
    yield draw_text(40, top + 146, f"the median is {median(bets):g}", MUTED)
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
    """Return whether every step is done, according to the files."""
    return run.steps_done == len(run.done)


def draw_text(
    x: float, y: float, words: str, fill: str = INK, anchor: str = "start", size: int = 28
) -> str:
    """Return a line of text; text in INK is bold."""
    weight = 700 if fill == INK else 400
    return (
        f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" font-size="{size}" '
        f'font-weight="{weight}" fill="{fill}">{words}</text>'
    )


def draw_box(x: float, y: float, width: float, height: float, fill: str) -> str:
    """Return a filled rectangle."""
    return (
        f'<rect x="{x:g}" y="{y:.1f}" width="{width:g}" height="{height:.1f}" rx="2" '
        f'fill="{fill}"/>'
    )
