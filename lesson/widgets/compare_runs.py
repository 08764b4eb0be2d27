"""One job in ten steps, five runs: what a list and a reminder are for, in one picture."""

from functools import partial
from typing import NamedTuple

from safetylib.escape import for_print

from ..drawing.marks import Count, Mark, list_counts, list_marks
from ..drawing.picture import (
    counts,
    counts_text,
    escape,
    legend,
    legend_text,
    page,
    sight,
    tape,
    tape_text,
)
from ..drawing.run_picture import run_marks
from ..program.own_parts import read_own_parts
from ..runs.claude_runs import CONDITIONS, claude_runs
from ..runs.run import Run
from ..runs.window import WINDOW, last_round_in_sight
from .drawn import draw_new_signs, find_cell

EDGE = last_round_in_sight(WINDOW)
SCRIPT = "The practice model, a script, without a list"
TAKEN_OVER = f"A Claude model takes over in round {EDGE + 1}"
SOURCE = (
    "The first two rows were played for this picture. The runs of the Claude model are recorded."
)


class RunRow(NamedTuple):
    """One run: its name, its tape, after which round its plan was lost, and its counts.

    `more` is said behind the counts, and `note` below the row.
    """

    name: str
    marks: list[Mark]
    edge: int | None
    counts: list[Count]
    more: str = ""
    note: str = ""


class ComparedRuns:
    """Runs of one job, each as a tape with its result.

    `rows` are their rows, `source` says below them where they are from, and `labels` are below the
    last tape.
    """

    source, labels = SOURCE, sight(EDGE)

    def __init__(self, rows: list[RunRow]) -> None:
        self.rows = rows

    def __repr__(self) -> str:
        rows = [*map(write_row, self.rows), legend_text(self._list_marks()), self.source]
        return for_print("\n\n".join(rows))

    def _repr_html_(self) -> str:
        most = max((len(row.marks) for row in self.rows), default=0)
        first, last = self.rows[:-1], self.rows[-1:]
        inside = "".join(map(draw_run_row, first))
        inside += "".join(draw_run_row(row, self.labels) for row in last)
        inside += draw_new_signs(partial(legend, self._list_marks()), find_cell())
        inside += f"<p class='lp-note'>{escape(self.source)}</p>"
        return page(f"<div style='--most:{most}'>{inside}</div>", more="lp-runs")

    def _list_marks(self) -> list[Mark]:
        """Return the marks of all rows, for the legend."""
        return [mark for row in self.rows for mark in row.marks]


def compare_runs() -> ComparedRuns:
    """Return a picture of five runs of the ten steps.

    They are the practice model without a list; the same with the learner's loop, list and nag, or
    the package's; and three recorded runs of a Claude model that had lost its plan: one was only
    reminded, one was shown its list, and one got the plan as plain text and no todo tool.
    """
    script = Run(todo=None).play()
    return ComparedRuns(
        [
            make_row(SCRIPT, script, None),
            make_own_row(),
            make_claude_row(f"{TAKEN_OVER}, and is reminded: {CONDITIONS['reminder']}", "reminder"),
            make_claude_row(f"{TAKEN_OVER}, and the reminder shows its list", "listed"),
            make_claude_row(f"{TAKEN_OVER}, and gets {CONDITIONS['plantext']}", "plantext"),
        ]
    )


def make_own_row() -> RunRow:
    """Return the row of the learner's parts, or of the package's."""
    parts = read_own_parts()
    run = Run(loop=parts.loop, todo=parts.todo, nag=parts.nag).play()
    note = "\n".join(filter(None, [parts.note, run.problem]))
    return make_row(f"The same script with {parts.whose}", run, EDGE)._replace(note=note)


def make_row(name: str, run: Run, edge: int | None) -> RunRow:
    """Return the row of a run that was played."""
    return RunRow(name, run_marks(run), edge, list_counts(run.done, run.items, run.not_judged))


def make_claude_row(name: str, condition: str) -> RunRow:
    """Return the row of the first recorded run of a condition, with the results of all."""
    runs = claude_runs(condition=condition)
    first = runs[0]
    letters, steps = first.start_letters + first.letters, first.start_steps + first.steps
    says = sum(run.says_all_done for run in runs)
    results = ", ".join(str(run.steps_done) for run in runs)
    more = f"in {len(runs)} runs: {results}; {says} of {len(runs)} say that all ten are done"
    done = [all(first.done)] * len(letters)  # it stops only once, in the last round
    marks = list_marks(letters, steps, done=done)
    return RunRow(name, marks, len(first.start_letters), list_counts(first.done, []), more)


def draw_run_row(row: RunRow, labels: str = "") -> str:
    """Return a row as HTML: its name, its tape, with `labels` below it, and its counts.

    What the files show is at the end of the tape.
    """
    first, others = row.counts[:1], row.counts[1:]
    drawn = tape(row.marks, edge=row.edge, words=counts_text(row.counts, row.more))
    note = f"<p class='lp-problem'>{escape(row.note)}</p>" if row.note else ""
    shown = "".join(
        f"<p class='lp-result'>{escape(label)}<b class='lp-{state}'>{escape(result)}</b></p>"
        for label, result, state in first
    )
    below = counts(others, row.more) if others or row.more else ""
    name = f"<h4>{escape(row.name)}</h4>"
    return f"<section>{name}{drawn}{shown}{below}{labels}{note}</section>"


def write_row(row: RunRow) -> str:
    """Return a row as text."""
    parts = [row.name, tape_text(row.marks, edge=row.edge), counts_text(row.counts, row.more)]
    return "\n".join(filter(None, [*parts, row.note]))
