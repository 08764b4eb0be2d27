"""Explain why a run with a list and a nag ended as it did."""

from ..common.pluralize import pluralize
from .record import Record, Snapshot

# Braces enclose a figure of the run, asterisks the point.
REASONS = {
    "in_time": "The first reminder is read in round {read}, while the plan is still in the window. "
    "The model writes its plan again, so *nothing is lost*.",
    "brought_back": "The plan is in the window up to round {seen}. The first reminder is read in "
    "round {read} and *brings it back*: the model writes it again, and every step gets done.",
    "lost_again": "The plan is in the window up to round {seen}. The first reminder is read in "
    "round {read} and brings it back: the model writes it again. Then it *leaves the window "
    "again*, and the model stops in round {rounds}, with {done} of {of} steps done.",
    "too_late": "The plan is in the window up to round {seen}. The first reminder is read in round "
    "{read}, *{late} too late*: the model lists what it still sees, and calls that complete.",
    "unheeded": "The first reminder is read in round {read}, but the model *does not write its "
    "plan again*. It stops in round {rounds}, with {done} of {of} steps done.",
    "not_due": "The plan is in the window up to round {seen}. Then the model improvises, and it "
    "stops in round {rounds}, *before it has read a reminder*.",
    "otherwise": "The model stops in round {rounds}, with {done} of {of} steps done.",
}


def explain_outcome(run: Record) -> str:
    """Return why a run ended as it did; the point is between asterisks."""
    if not run.done:
        why = run.not_judged or "not judged"
        return f"The model stops in round {len(run.letters)}. The files are *{why}*."
    read = find_first_reminder(run.letters)
    seen = find_last_seen(run, read or len(run.letters))
    return REASONS[find_reason(run, seen, read)].format(
        seen=seen,
        read=read,
        late=pluralize(read - seen, "round"),
        rounds=len(run.letters),
        done=run.steps_done,
        of=len(run.done),
    )


def find_first_reminder(letters: str) -> int:
    """Return the round in which the model reads its first reminder, or 0.

    A reminder that was sent with the results of one round is read in the next.
    """
    return next((n + 1 for n, letter in enumerate(letters[:-1], 1) if letter.isupper()), 0)


def find_last_seen(run: Record, at: int) -> int:
    """Return the last round up to round `at` that has the plan itself in its window."""
    views = [record.view for record in run.records[:at]]
    return max((n for n, view in enumerate(views, 1) if not view.has_left), default=0)


def find_reason(run: Record, seen: int, read: int) -> str:
    """Return the key in REASONS. `seen` is what `find_last_seen` returns for round `read`."""
    leaves = [n for n, record in enumerate(run.records, 1) if record.view.has_left]
    if not read:
        return "not_due" if leaves else "otherwise"
    lists = [letter for letter in run.letters[read - 1 :].lower() if letter in "ps"]
    if not lists:
        return "unheeded"
    answer, is_out = run.letters[read - 1].lower(), seen < read
    if answer == "p" and is_out and run.records[read - 1].view.seen:  # the reminder shows it
        if all(run.done):
            return "brought_back"
        if leaves[-1] > read:
            return "lost_again"
    if answer == "p" and all(run.done) and not leaves:
        return "in_time"
    is_ticked = all(item.get("status") == "completed" for item in run.items)
    if answer == lists[-1] == "s" and is_ticked:
        return "too_late"
    return "otherwise"


def list_false(run: Record, snapshot: Snapshot) -> set[str]:
    """Return the steps that are ticked in the list, and that the files do not show."""
    ticked = {item.get("text") for item in snapshot.items if item.get("status") == "completed"}
    return {
        step
        for step, done in zip(run.step_texts, snapshot.done, strict=False)
        if step in ticked and not done
    }
