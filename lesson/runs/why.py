"""Why a run with a list and a nag ended as it did, in a sentence."""

from ..pluralize import pluralize
from .run import Run

# Braces enclose a figure of the run, asterisks the point.
REASONS = {
    "in_time": "The reminder is read in round {read}, while the plan is still in the window. The "
    "model writes its plan again, so *nothing is lost*.",
    "never_left": "The plan is still in the window when the work is done, so no reminder was due.",
    "came_back": "The plan was out of the window for {lost}, until a reminder *brought it back*, "
    "so every step got done.",
    "done_in_time": "The plan is in the window up to round {seen}, and by then the work is done.",
    "too_late": "The plan is in the window up to round {seen}. The reminder is read in round "
    "{read}, *{late} too late*: the model lists what it still sees, and calls that complete.",
    "in_vain": "The plan is in the window up to round {seen}. The reminder is read in round "
    "{read}, *{late} too late*, and the model does not write a new plan.",
    "unheeded": "The reminder is read in round {read}, while the plan is still in the window, but "
    "the model does not write its plan again and sees it only up to round {seen}.",
    "not_due": "The plan is in the window up to round {seen}. Then the model improvises, and it "
    "stops in round {rounds}, *before it has read a reminder*.",
    "otherwise": "The plan stays in the window, but {missing} of {of} are not done.",
}


def explain_outcome(run: Run) -> str:
    """Return why a run ended as it did; the point is between asterisks."""
    lost = [number for number, moment in enumerate(run.moments, 1) if moment.view.is_lost]
    seen = lost[0] - 1 if lost else 0
    read = find_deciding_reminder(run.cells, seen)
    facts = {
        "seen": seen,
        "read": read,
        "late": pluralize(read - seen, "round"),
        "rounds": len(run.cells),
        "lost": pluralize(len(lost), "round"),
        "missing": pluralize(len(run.done) - run.steps_done, "step"),
        "of": len(run.done),
    }
    return REASONS[find_reason(run, len(lost), seen, read)].format(**facts)


def find_reason(run: Run, lost: int, seen: int, read: int) -> str:
    """Return the key in REASONS. `lost` counts the rounds in which the plan was out of view."""
    is_reminded = any(cell.isupper() for cell in run.cells)
    if all(run.done):
        if lost:
            return "came_back" if is_reminded else "done_in_time"
        return "in_time" if is_reminded else "never_left"
    if not lost:
        return "otherwise"
    if not read:
        return "not_due"
    if read <= seen:
        return "unheeded"
    return "too_late" if "s" in run.cells.lower() else "in_vain"


def find_deciding_reminder(cells: str, seen: int) -> int:
    """Return the round in which the model read the reminder that decided the run, or 0.

    That is the first reminder after the last plan written up to round `seen`; if the model never
    lost its plan (`seen` is 0), the first of all. A reminder sent with the results of one round is
    read in the next.
    """
    plans = [n for n, cell in enumerate(cells[:seen].lower(), 1) if cell in "ps"]
    since = plans[-1] if plans else 0
    sent = (n for n, cell in enumerate(cells, 1) if n > since and cell.isupper())
    return next((n + 1 for n in sent if n < len(cells)), 0)
