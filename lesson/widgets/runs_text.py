"""Describe runs as text: their names, and what a whole column shows."""

from ..pluralize import pluralize
from ..runs.measured import Measured, Setting


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


def summarize_column(runs: list[Measured]) -> str:
    """Return which thresholds finish, and which of them is the cheapest."""
    steps = len(runs[0].done)
    finishing = [run for run in runs if run.setting.after is not None and run.is_finished]
    if not finishing:
        return f"With this window no threshold finishes all {steps} steps."
    names = ", ".join(str(run.setting.after) for run in finishing)
    best = min(finishing, key=lambda run: run.tokens)
    cheapest = f"The cheapest is {best.setting.after}: {pluralize(best.tokens, 'token')}."
    return f"All {steps} steps are done with: {names}. {cheapest}"
