"""Say which reminders the practice model does not understand: a script knows few words."""

from ..common.round import Round
from ..samples import jobs
from .policy.parse_reminder import asks_for_list
from .policy.recognize import find_all_mentions
from .practice_model import has_called

NOT_UNDERSTOOD = (
    "The script did not understand this reminder: it knows a few English words for a list and what "
    "to do with it, and the words of its steps."
)


def judge_reminder(round_: Round) -> str:
    """Return NOT_UNDERSTOOD if a practice model ignores the reminder of a round; otherwise "".

    A round of a real model is not judged, because that knows more words. So a practice model must
    have made the calls of the round, in this process.
    """
    reminder, calls = round_.reminder, round_.calls
    if not reminder or not calls or asks_for_list(reminder):
        return ""
    if not all(has_called(call.name, call.input) for call in calls):
        return ""
    names_step = any(find_all_mentions(reminder, jobs.load_job(name)) for name in jobs.list_jobs())
    return "" if names_step else NOT_UNDERSTOOD
