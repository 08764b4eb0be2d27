"""44 recorded sessions of Claude Code, and the reminders that a nag would have sent in them."""

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any

import traitlets

from ..svg import LIGHT
from .base import View

DATA = Path(__file__).with_suffix(".json")  # describes its own format
TITLE = "Where would a nag have reminded? 44 recorded sessions of Claude Code"
THRESHOLDS = range(1, 21)  # rounds
# The thresholds of harnesses, and how they differ from the nag: looked up in November 2026.
HARNESSES = {3: "learn-claude-code", 5: "SWE-agent", 6: "Cline", 10: "Claude Code"}
DIFFERENCES = (
    "Each harness counts in its own way: SWE-agent (in Liu et al. 2026) sends the whole plan every "
    "5 steps, Cline reminds every 6 API requests, and the 10 turns of Claude Code are records of "
    "its log, which were 2 to 5 rounds in four recordings."
)
# What is drawn, in this order: letters, label, colour in a page and without one, and the top and
# height within a row of ROW units. The width of a reply is 1 unit.
KINDS = (
    ("ebrso", "another tool", "var(--work)", LIGHT.work, 4, 8),
    ("a", "no tool", "var(--line)", LIGHT.empty, 4, 8),
    ("p", "prompt of the user", "var(--muted)", LIGHT.muted, 8, 4),
    ("t", "≡ writes its list", "var(--accent)", LIGHT.plan, 4, 8),
    ("|", "compaction to a summary", "var(--ink)", LIGHT.ink, 0, 13),
    ("-", "reminder", "var(--reminder)", LIGHT.reminder, 0, 4),  # no reply: see draw_reminders
)
ROW = 13


class RealSessions(View):
    """Recorded sessions, one per row, and the reminders of a nag with the threshold `after`.

    `after` is a number of rounds without a list, 1 to 20. A round is a reply with a tool call.
    """

    kind = "real_sessions"
    after = traitlets.Int(3, min=THRESHOLDS[0], max=THRESHOLDS[-1]).tag(sync=True)

    def __init__(self, after: int = 3) -> None:
        """Raise TraitError if `after` is out of range."""
        super().__init__(after=after, state=describe_sessions())

    def text(self) -> str:
        """Return the counts for the chosen threshold and those of harnesses, and the facts."""
        counts = [describe_count(after) for after in sorted({*HARNESSES, self.after})]
        return "\n".join([TITLE, "", *counts, "", *self.state["facts"]])

    def picture(self) -> str:
        """Return the chart with the chosen threshold as SVG."""
        return draw_svg(self.after)


@cache
def read_data() -> dict[str, Any]:
    """Return the recorded sessions, the longest first, and what is known about them."""
    return json.loads(DATA.read_text(encoding="utf-8"))


@cache
def find_gaps() -> list[list[list[int]]]:
    """Return the gaps of each session: before the first list, between two lists, after the last.

    A gap is a list of its rounds, as places in the session's replies.
    """
    sessions = []
    for session in read_data()["sessions"]:
        gaps: list[list[int]] = [[]]
        for place, letter in enumerate(session["replies"]):
            if letter == "t":
                gaps.append([])
            elif letter in "ebrso":
                gaps[-1].append(place)
        sessions.append(gaps)
    return sessions


def count_reminders(after: int, from_first_list: bool = False) -> tuple[int, int]:
    """Return how many reminders a nag would have sent in all sessions: once in each gap, and
    repeated in every round of a gap. `from_first_list` leaves out the rounds before."""
    rounds = [len(gap) for gaps in find_gaps() for gap in gaps[from_first_list:]]
    due = [length - after + 1 for length in rounds if length >= after]
    return len(due), sum(due)


def describe_count(after: int) -> str:
    """Return the counts for one threshold as a sentence."""
    (once, every), (later, every_later) = count_reminders(after), count_reminders(after, True)
    rounds = sum(letter in "tebrso" for one in read_data()["sessions"] for letter in one["replies"])
    name = f" ({HARNESSES[after]})" if after in HARNESSES else ""
    return (
        f"{after} round{'s' * (after > 1)}{name}: {once:,} reminders if sent once in each gap "
        f"between lists (▼), {every:,} if repeated in every round (line). "
        f"Counted from the first list: {later:,} and {every_later:,}. Rounds in all: {rounds:,}."
    )


@cache
def describe_sessions() -> dict[str, Any]:
    """Return what the page draws and says."""
    return {
        "title": TITLE,
        "size": [max(len(one["replies"]) for one in read_data()["sessions"]) + 1, ROW * 44],
        "kinds": [(kind[1], kind[2], draw_cells(kind)) for kind in KINDS],
        "reminders": [draw_reminders(after) for after in THRESHOLDS],
        "counts": [describe_count(after) for after in THRESHOLDS],
        "harnesses": list(HARNESSES.items()),
        "facts": [*list_facts(), DIFFERENCES, read_data()["note"]],
    }


def list_facts() -> Iterator[str]:
    """Yield a sentence for each fact that the sessions show."""
    lists = [counts for session in read_data()["sessions"] for counts in session["lists"]]
    most = max(in_progress for _, in_progress, _ in lists)
    yield f"None of the {len(lists)} lists has more than {most} task in progress."
    first = median(len(gaps[0]) + 1 for gaps in find_gaps())
    yield f"The first list is written in round {first:.0f} (median)."
    before, _, tasks = zip(
        *(c for one in read_data()["sessions"] for c in one["compacted"]), strict=True
    )
    yield (
        f"{len(before)} compactions, at about {median(before):.0f},000 tokens; at "
        f"{sum(map(bool, tasks))} of them tasks were open, {sum(tasks)} in all."
    )


def draw_cells(kind: tuple[str, str, str, str, int, int]) -> str:
    """Return an SVG path with all cells of one of the KINDS, in every row."""
    letters, *_, top, height = kind
    return "".join(
        f"M{found.start()} {ROW * row + top}H{found.end()}v{height}H{found.start()}z"
        for row, session in enumerate(read_data()["sessions"])
        for found in re.finditer(f"[{letters}]+", session["replies"])
    )


def draw_reminders(after: int) -> str:
    """Return an SVG path: ▼ at the first reminder of a gap, then a line."""
    return "".join(
        f"M{gap[after - 1] - 1} {ROW * row}h3l-1.5 4z"
        f"M{gap[after - 1]} {ROW * row}H{gap[-1] + 1}v1H{gap[after - 1]}z"
        for row, gaps in enumerate(find_gaps())
        for gap in gaps
        if len(gap) >= after
    )


def draw_svg(after: int) -> str:
    """Return a standalone picture with fixed colours, for pages without a kernel."""
    width, height = describe_sessions()["size"]
    legend = "".join(
        f'<tspan fill="{colour}">■</tspan> {label}  ' for _, label, _, colour, *_ in KINDS
    )
    cells = "".join(
        f'<path d="{draw_cells(kind) or draw_reminders(after)}" fill="{kind[3]}"/>'
        for kind in KINDS
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-4 -76 {3 * width + 8} {height + 84}" '
        f'role="img" font-family="system-ui, sans-serif" font-size="13"><title>{TITLE}</title>'
        f'<rect x="-4" y="-76" width="100%" height="100%" fill="white"/>'
        f'<text y="-56" font-weight="bold">{TITLE}</text>'
        f'<text y="-36">{describe_count(after).split(" Counted")[0]}</text>'
        f'<text y="-16" fill="{LIGHT.muted}" xml:space="preserve">{legend}</text>'
        f'<g transform="scale(3 1)">{cells}</g></svg>'
    )
