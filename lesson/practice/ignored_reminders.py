"""Which reminders the practice model understands: a script knows few words, and should say so."""

from collections.abc import Iterable, Mapping
from typing import Any

from ..samples import jobs
from .policy.parse_reminder import asks_for_list
from .policy.recognize import find_all_mentions
from .practice_model import has_called

NOT_UNDERSTOOD = (
    "The script did not understand this reminder: it knows a few English words for a list and what "
    "to do with it, and the words of its steps."
)


def judge_reminder(reminder: str | None, calls: Iterable[tuple[str, Mapping[str, Any]]]) -> str:
    """Return NOT_UNDERSTOOD if a practice model ignores this reminder; otherwise "".

    `calls` are the names and inputs of the round's calls: a practice model has made them in this
    process, or nothing is said, because a real model knows more languages.
    """
    made = [has_called(name, tool_input) for name, tool_input in calls]
    if not reminder or not made or not all(made) or asks_for_list(reminder):
        return ""
    names_step = any(find_all_mentions(reminder, jobs.load_job(name)) for name in jobs.list_jobs())
    return "" if names_step else NOT_UNDERSTOOD
