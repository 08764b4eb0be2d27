"""Runs in words: their names, how each ended, and what a whole column shows."""

from ..runs.bill import pluralize
from ..runs.measured import Measured, Setting

COLUMNS = ("remind after", "files show", "list says", "rounds", "tokens", "reminders")


def name_run(setting: Setting) -> str:
    """The name of a run: what distinguishes it from the others in its column."""
    if not setting.plan:
        return "Without a list"
    if setting.after is None:
        return "List, no reminder"
    return f"Reminder after {pluralize(setting.after, 'round')}"


def describe_outcome(run: Measured) -> str:
    """How a run ended: "3 of 10 steps done, its list says 4 of 4"."""
    says = f", its list says {run.list_says}" if run.claims else ""
    return f"{run.steps_done} of {len(run.done)} steps done{says}"


def format_table(runs: list[Measured]) -> str:
    """The runs as a table with aligned columns."""
    lines = [COLUMNS, *map(format_row, runs)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True))
        for line in lines
    )


def format_row(run: Measured) -> tuple[str, ...]:
    """A run as the cells of one line."""
    name = str(run.setting.after) if run.setting.after is not None else name_run(run.setting)
    return (
        name,
        f"{run.steps_done} of {len(run.done)}",
        run.list_says,
        f"{run.rounds:,}",
        f"{run.tokens:,}",
        f"{run.reminders:,}",
    )


def find_finishing(runs: list[Measured]) -> list[Measured]:
    """The runs with a reminder that finish."""
    return [run for run in runs if run.setting.after is not None and run.is_finished]


def summarize_column(runs: list[Measured]) -> str:
    """What a column shows: which thresholds finish, and which of them is the cheapest."""
    steps, good = len(runs[0].done), find_finishing(runs)
    if not good:
        return f"With this attention no threshold finishes all {steps} steps."
    best = min(good, key=lambda run: run.tokens)
    names = ", ".join(str(run.setting.after) for run in good)
    words = f"All {steps} steps are done with: {names}. The cheapest of them is "
    words += f"{best.setting.after}, for {pluralize(best.tokens, 'token')}."
    without = runs[-1]
    if without.is_finished:
        words += f" Without a list they are done for {pluralize(without.tokens, 'token')}."
    return words


def judge_bet(bet: int, runs: list[Measured]) -> str:
    """The bet, compared with the measured result."""
    good = find_finishing(runs)
    truth = good[-1].setting.after if good else None
    if bet == truth:
        return f"Your bet was {bet}, and that is right."
    return f"Your bet was {bet}; the last that finishes is {truth or 'none'}."
