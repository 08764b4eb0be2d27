"""Draw the class's bets on the threshold next to the measured result. Runs nothing.

A bet is a number in the saved notebook s03: "My bet: 8" in an output,
and `my_formula = {24: 11, 30: 14}` for two other windows.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median

from ...practice.policy.practice_policy import WINDOW
from ...runs.measured import Setting, measured
from ...runs.trial import THRESHOLDS
from ...svg import LIGHT, draw_box, draw_svg, draw_text
from .notebooks import Cell, read_cells, read_class

BET = re.compile(r"(?m)^My bet: (\d{1,3})\b")  # 0 is the placeholder, and no bet
LAW = re.compile(r"(?m)^my_formula = \{(\d{1,3}): (\d{1,3}), (\d{1,3}): (\d{1,3})\}")
LAW_WINDOWS = (24, 30)  # messages, as in s03's question

HEAD, ROW, SIZE = 160, 36, 24  # pixels: height of the headings and of a row, size of the text
PANEL, BAR, ROOM = 640, 260, 320  # pixels: width of a panel, left end and width of its bars
BLOCK = 26  # pixels: width of one bet at most
LAST = THRESHOLDS[-1]


def read_bets(cells: Iterable[Cell]) -> dict[int, int]:
    """Return a learner's bets: by window, in messages, the last threshold that finishes."""
    bets: dict[int, int] = {}
    for cell in cells:
        for text in (cell.source, cell.printed):
            for found in LAW.findall(text):
                windows, guesses = map(int, found[::2]), map(int, found[1::2])
                law = dict(zip(windows, guesses, strict=True))
                bets |= {one: law[one] for one in LAW_WINDOWS if law.get(one)}
            for bet in filter(None, map(int, BET.findall(text))):
                bets[WINDOW] = bet
    return bets


def draw_class(students: Mapping[str, Iterable[Path]], picture: Path) -> str:
    """Draw the students' bets, and say so. Raise ValueError if there is none, or OSError."""
    found = read_class(students, lambda path: read_bets(read_cells(path)))
    if not found:
        words = "has a bet: was s03 saved after betting?"
        raise ValueError(f"none of {len(students)} students {words}")
    picture.write_text(draw_bets([*found.values()]), encoding="utf-8")
    return f"{len(found)} of {len(students)} students have a bet. {picture}: open it in a browser."


def draw_bets(bets: Sequence[dict[int, int]]) -> str:
    """Return the `bets` of all learners as SVG, with a panel for each window, side by side."""
    windows = sorted({window for one in bets for window in one})
    question = "Our bets: the last threshold at which all ten steps are done"
    parts = [draw_text(40, 56, question, size=SIZE, bold=True)]
    for place, window in enumerate(windows):
        ours = [one[window] for one in bets if window in one]
        parts += draw_panel(window, ours, 40 + PANEL * place)
    told = "The bets of the class, and the measured results, by window and threshold."
    size = (40 + PANEL * len(windows), HEAD + ROW * (LAST + 1))
    return draw_svg(question, told, size, parts)


def draw_panel(window: int, bets: Sequence[int], left: int) -> Iterator[str]:
    """Yield a row for each threshold: the steps that were done with it, and a bar of bets."""
    runs = {
        after: measured(Setting("ten_steps", window=window, after=after)) for after in THRESHOLDS
    }
    finished = [after for after, run in runs.items() if run.is_finished]
    right = bets.count(max(finished, default=0))
    yield draw_text(left, 104, f"A window of {window} messages", size=SIZE)
    words = f"{right} of {len(bets)} bets are right, the median is {median(bets):g}"
    yield draw_text(left, 140, words, LIGHT.muted, SIZE)
    counts = Counter(min(bet, LAST) for bet in bets)
    block = min(BLOCK, ROOM / max(counts.values()))
    for row, (after, run) in enumerate(runs.items(), 1):
        baseline = HEAD + ROW * row
        label = f"{after}+" if after == LAST else str(after)
        sign, colour = ("✓", LIGHT.done) if run.is_finished else ("✗", LIGHT.lost)
        steps = f"{sign} {run.steps_done} of {len(run.done)}"
        yield draw_text(left + 44, baseline, label, size=SIZE, anchor="end")
        yield draw_text(left + 70, baseline, steps, colour, SIZE, bold=True)
        for number in range(counts[after]):
            box = draw_box(left + BAR + block * number, baseline - 22, block - 2, ROW - 8)
            yield f'<path d="{box}" fill="{LIGHT.plan}"/>'
        if counts[after]:
            end = left + BAR + block * counts[after] + 10
            yield draw_text(end, baseline, str(counts[after]), size=SIZE, bold=True)
