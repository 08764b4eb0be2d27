"""Show runs of one job below each other, each as a tape with its result: `compare(…)`."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import Any, NamedTuple

from safetylib.guard.escape import for_print, for_screen

from ..common.pluralize import pluralize
from ..drawing.cost import PRICES, Sent, draw_bill, list_sent, sum_sent
from ..drawing.marks import Count, Edge, Mark, list_counts, list_marks
from ..drawing.picture import (
    draw_counts,
    draw_legend,
    draw_picture,
    draw_tape,
    escape,
    format_counts,
    format_legend,
    format_tape,
)
from ..drawing.run_picture import describe_size, describe_tokens, list_run_edges, list_settings
from ..kernel.watching import find_cell
from ..runs.claude_runs import CONDITIONS, ClaudeRun
from ..runs.record import Record
from .drawn import draw_new_signs

MANY = 8  # rows: more are drawn smaller, so that sixteen are on one screen of 1280 x 800
CLAUDE = (
    "A Claude model of unknown version, with one job: other models and jobs may differ "
    "(docs/sources.md)."
)
TAKES_OVER = (
    "It takes over from the practice model at │, and its rounds and tokens are counted from there. "
    "Without a todo tool, ▼ is a message of the user and not of a nag."
)
NO_RUN = (
    "compare takes runs, as play and claude_runs return them, and {} is none. "
    'An example: compare(run, claude_runs(condition="listed"))'
)
NO_COSTS = (
    "costs=True takes runs as play returns them: what each round sends is not known of others."
)
IN_BOTH, IN_ALL = "Both runs: {}.", "All runs: {}."


class RunRow(NamedTuple):
    """One run: its name, its tape, and its counts.

    Rows of the same name are one block. `more` stands behind the counts, and `note` below the row.
    `edges` are where somebody else took over, and what ended the run: see `marks.EDGES`. `sent` is
    what the run has sent, if its costs are drawn.
    """

    name: str
    marks: list[Mark]
    counts: list[Count]
    more: str = ""
    note: str = ""
    edges: Sequence[Edge] = ()
    sent: Sent | None = None


class ComparedRuns:
    """Runs of one job, each as a tape with its result.

    `rows` are their rows, and `source` says below them where they are from.
    """

    def __init__(self, rows: Sequence[RunRow], source: str) -> None:
        self.rows, self.source = rows, source

    @property
    def blocks(self) -> list[tuple[str, list[RunRow]]]:
        """Return the rows that follow each other under one name."""
        return [(name, [*rows]) for name, rows in groupby(self.rows, lambda row: row.name)]

    def __repr__(self) -> str:
        blocks = ["\n".join([name, *map(format_row, rows)]) for name, rows in self.blocks]
        signs = format_legend(self._list_marks(), edges=self._list_edges())
        return for_print("\n\n".join([*blocks, signs, self.source]))

    def _repr_html_(self) -> str:
        most = max((len(row.marks) for row in self.rows), default=0)
        sent = max((row.sent.tokens for row in self.rows if row.sent), default=0)
        inside = "".join(
            f"<section><h4>{escape(name)}</h4>"
            f"{''.join(draw_run_row(row, sent) for row in rows)}</section>"
            for name, rows in self.blocks
        )
        draw = partial(draw_legend, self._list_marks(), edges=self._list_edges())
        signs = draw_new_signs(draw, find_cell())
        many = ""
        if len(self.rows) > MANY:
            many, inside = " lp-many", signs + inside  # the legend is in view at once
        else:
            inside += signs
        inside += f"<p class='lp-note'>{escape(self.source)}</p>"
        parts = "drawing/marks", "drawing/legend", "drawing/cost", "widgets/compare_runs"
        return draw_picture(f"<div style='--most:{most}'>{inside}</div>", f"lp-runs{many}", *parts)

    def _list_marks(self) -> list[Mark]:
        """Return the marks of all rows, for the legend."""
        return [mark for row in self.rows for mark in row.marks]

    def _list_edges(self) -> list[Edge]:
        return [edge for row in self.rows for edge in row.edges]


def draw_run_row(row: RunRow, most: int) -> str:
    """Return a row as HTML: its tape, its counts, and its costs as a share of `most` tokens.

    What the files show is at the end of the tape.
    """
    first, others = row.counts[:1], row.counts[1:]
    drawn = draw_tape(row.marks, edges=row.edges, words=format_counts(row.counts, row.more))
    note = f"<p class='lp-problem'>{escape(row.note)}</p>" if row.note else ""
    shown = "".join(
        f"<p class='lp-result'><span>{escape(label)}</span>"
        f"<b class='lp-{state}'>{escape(result)}</b></p>"
        for label, result, state in first
    )
    below = draw_counts(others, row.more) if others or row.more else ""
    bill = draw_bill(row.sent, most) if row.sent else ""
    return f"<div>{drawn}{shown}{below}{bill}{note}</div>"


def format_row(row: RunRow) -> str:
    """Return a row as text, without its name."""
    parts = [format_tape(row.marks, edges=row.edges), format_counts(row.counts, row.more)]
    return "\n".join(filter(None, [*parts, row.sent and row.sent.describe_cost(), row.note]))


def compare(
    *runs: Any, say: Callable[[Any], object] | None = None, costs: bool = False
) -> ComparedRuns:
    """Show runs of one job below each other, in the order in which they are given.

    Each is what `play` has played or one of `claude_runs`, a list of such runs, or a dict of them,
    whose keys are the names of the rows: `compare({"in a file": run})`. Without a name, a row says
    what differs. Below them is what is the same in all. `say` gets a run, and what it returns is
    said beside the run, in place of its rounds and tokens. `costs` draws what each has sent, and at
    which price. Raise TypeError for anything else.
    """
    flat = [*name_each(runs)]
    for _, run in flat:
        if not isinstance(run, Record | ClaudeRun):
            raise TypeError(NO_RUN.format(type(run).__name__))
        if costs and not isinstance(run, Record):
            raise TypeError(NO_COSTS)
    facts = [list_facts(run) for _, run in flat if isinstance(run, Record)]
    same: list[str] = []
    if len(facts) > 1:
        same = [fact for fact in facts[0] if all(fact in others for others in facts)]
    rows = []
    for name, run in flat:
        more = None if say is None else str(say(run))
        row = make_row(name or name_run(run, same), run, more)
        rows.append(row._replace(sent=sum_sent(list_sent(run)) if costs else None))
    recorded = [run for _, run in flat if isinstance(run, ClaudeRun)]
    notes = []
    if same:
        notes.append((IN_BOTH if len(flat) == 2 else IN_ALL).format(", ".join(same)))
    if costs:
        notes.append(PRICES)
    if recorded:
        notes.append(CLAUDE)
    if any(run.rounds_before for run in recorded):
        notes.append(TAKES_OVER)
    return ComparedRuns(rows, " ".join(notes))


def name_each(arguments: Sequence[Any]) -> Iterator[tuple[str, Any]]:
    """Yield each run in the arguments of `compare`, with its name or ""."""
    for argument in arguments:
        for name, runs in argument.items() if isinstance(argument, Mapping) else [("", argument)]:
            for run in runs if isinstance(runs, list | tuple) else [runs]:
                yield str(name), run


def name_run(run: Record | ClaudeRun, same: Sequence[str]) -> str:
    """Return the name of a run's row: the facts about it that are not the `same` in all runs."""
    if not isinstance(run, ClaudeRun):
        facts = list_facts(run)
        return ", ".join([fact for fact in facts if fact not in same] or facts)
    return f"Claude{' after │' if run.rounds_before else ''}: {CONDITIONS[run.condition]}"


def list_facts(run: Record) -> list[str]:
    """Return the settings of a run, and whose each of its parts is: "your list"."""
    facts = [*list_settings(run)]
    if run.todo is None:
        facts.append("no todo list")
    for sentence in run.whose.removesuffix(".").split(". "):
        whose, _, parts = sentence.partition(": ")
        owner = "your" if whose == "Yours" else whose.lower()
        facts += [f"{owner} {part}" for part in parts.split(", ") if part]
    return [for_screen(fact) for fact in facts]


def make_row(name: str, run: Record | ClaudeRun, more: str | None = None) -> RunRow:
    """Return the row of a run, by default with its rounds and tokens behind the counts."""
    marks = list_marks(run.letters, run.steps, done=run.all_done)
    if isinstance(run, ClaudeRun):
        results, note = list_counts(run.done, ()), ""
        edges: list[Edge] = [(run.rounds_before, "resumed")] if run.rounds_before else []
        size = f"{pluralize(run.rounds, 'round')}, {describe_tokens(run.tokens)}"
    else:
        results = list_counts(run.done, run.items, run.not_judged)
        size, note, edges = describe_size(run), run.problem, list_run_edges(run)
    return RunRow(name, marks, results, size if more is None else more, note, edges)
