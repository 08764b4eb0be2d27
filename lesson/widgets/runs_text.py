"""Describe runs as text: their names, a table, and what a whole column shows."""

from ..runs.bill import pluralize
from ..runs.measured import Measured, Setting

# What is said of a bet that is right, and of one that is wrong.
VERDICTS = (
    "Your bet was {bet}, and that is right.",
    "Your bet was {bet}; the last that finishes is {last}.",
)
COLUMNS = ("reminded after", "files show", "list says", "rounds", "tokens", "reminders")


def name_run(setting: Setting) -> str:
    """Return the name of a run: what distinguishes it from the others in its column."""
    if not setting.plan:
        return "Without a list"
    if setting.after is None:
        return "List, no reminder"
    return f"Reminded after {pluralize(setting.after, 'round')}"


def name_row(setting: Setting) -> str:
    """Return the short name of a run, as a row of its column."""
    if not setting.plan:
        return "no list"
    return f"after {setting.after}" if setting.after else "no reminder"


def format_table(runs: list[Measured]) -> str:
    """Return the runs as a table with aligned columns."""
    lines = [COLUMNS, *map(format_row, runs)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True))
        for line in lines
    )


def format_row(run: Measured) -> tuple[str, ...]:
    """Return the cells of one line of the table."""
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
    """Return the runs with a reminder that finish."""
    return [run for run in runs if run.setting.after is not None and run.is_finished]


def find_cheapest(runs: list[Measured]) -> Measured | None:
    """Return the cheapest of the runs with a reminder that finish, if any does."""
    return min(find_finishing(runs), key=lambda run: run.tokens, default=None)


def summarize_column(runs: list[Measured]) -> str:
    """Say which thresholds finish, and which of them is the cheapest."""
    steps, best = len(runs[0].done), find_cheapest(runs)
    if best is None:
        return f"With this window no threshold finishes all {steps} steps."
    names = ", ".join(str(run.setting.after) for run in find_finishing(runs))
    words = f"All {steps} steps are done with: {names}. The cheapest of them is "
    words += f"{best.setting.after}, for {pluralize(best.tokens, 'token')}."
    without = runs[-1]
    if without.is_finished:
        words += f" Without a list they are done for {pluralize(without.tokens, 'token')}."
    return words


def judge_bet(bet: int, runs: list[Measured]) -> str:
    """Compare the bet with the measured result."""
    finishing = find_finishing(runs)
    last = finishing[-1].setting.after if finishing else None
    return VERDICTS[bet != last].format(bet=bet, last=last or "none")
