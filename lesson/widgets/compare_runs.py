"""Runs of one job below each other: each is a tape with its result."""

from functools import partial
from typing import NamedTuple

from safetylib.escape import for_print

from ..drawing.marks import Count, Mark
from ..drawing.picture import (
    counts,
    counts_text,
    escape,
    legend,
    legend_text,
    page,
    tape,
    tape_text,
)
from .drawn import draw_new_signs, find_cell


class RunRow(NamedTuple):
    """One run: its name, its tape, and its counts.

    `more` is said behind the counts, and `note` below the row.
    """

    name: str
    marks: list[Mark]
    counts: list[Count]
    more: str = ""
    note: str = ""


class ComparedRuns:
    """Runs of one job, each as a tape with its result.

    `rows` are their rows, and `source` says below them where they are from.
    """

    def __init__(self, rows: list[RunRow], source: str) -> None:
        self.rows, self.source = rows, source

    def __repr__(self) -> str:
        rows = [*map(write_row, self.rows), legend_text(self._list_marks()), self.source]
        return for_print("\n\n".join(rows))

    def _repr_html_(self) -> str:
        most = max((len(row.marks) for row in self.rows), default=0)
        inside = "".join(map(draw_run_row, self.rows))
        inside += draw_new_signs(partial(legend, self._list_marks()), find_cell())
        inside += f"<p class='lp-note'>{escape(self.source)}</p>"
        return page(f"<div style='--most:{most}'>{inside}</div>", more="lp-runs")

    def _list_marks(self) -> list[Mark]:
        """Return the marks of all rows, for the legend."""
        return [mark for row in self.rows for mark in row.marks]


def draw_run_row(row: RunRow) -> str:
    """Return a row as HTML: its name, its tape, and its counts.

    What the files show is at the end of the tape.
    """
    first, others = row.counts[:1], row.counts[1:]
    drawn = tape(row.marks, words=counts_text(row.counts, row.more))
    note = f"<p class='lp-problem'>{escape(row.note)}</p>" if row.note else ""
    shown = "".join(
        f"<p class='lp-result'>{escape(label)}<b class='lp-{state}'>{escape(result)}</b></p>"
        for label, result, state in first
    )
    below = counts(others, row.more) if others or row.more else ""
    name = f"<h4>{escape(row.name)}</h4>"
    return f"<section>{name}{drawn}{shown}{below}{note}</section>"


def write_row(row: RunRow) -> str:
    """Return a row as text."""
    parts = [row.name, tape_text(row.marks), counts_text(row.counts, row.more)]
    return "\n".join(filter(None, [*parts, row.note]))
