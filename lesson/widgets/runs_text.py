"""Describe runs as text: their names, and what a whole column shows."""

from ..runs.bill import pluralize
from ..runs.measured import Measured, Setting

# What is said of a bet that is right, and of one that is wrong.
VERDICTS = (
    "Your bet was {bet}, and that is right.",
    "Your bet was {bet}; the last that finishes is {last}.",
)


def name_run(setting: Setting) -> str:
    """Return the name of a run: what distinguishes it from the others in its column."""
    if not setting.plan:
        return "Without a list"
    if setting.after is None:
        return "List, no reminder"
    return f"Reminded after {pluralize(setting.after, 'round')}"


def name_row(setting: Setting) -> str:
    if not setting.plan:
        return "no list"
    return f"after {setting.after}" if setting.after else "no reminder"


def find_finishing(runs: list[Measured]) -> list[Measured]:
    """Return those with a reminder that finish."""
    return [run for run in runs if run.setting.after is not None and run.is_finished]


def find_cheapest(runs: list[Measured]) -> Measured | None:
    return min(find_finishing(runs), key=lambda run: run.tokens, default=None)


def summarize_column(runs: list[Measured]) -> str:
    steps, best = len(runs[0].done), find_cheapest(runs)
    if best is None:
        return f"With this window no threshold finishes all {steps} steps."
    names = ", ".join(str(run.setting.after) for run in find_finishing(runs))
    cost = pluralize(best.tokens, "token")
    cheapest = f"The cheapest is {best.setting.after}: {cost}."
    return f"All {steps} steps are done with: {names}. {cheapest}"
