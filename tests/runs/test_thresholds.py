"""The thresholds that the lesson names are played: up to which one do all ten steps get done?"""

import pytest
from support.nags import PlainNag

from agentlib import Nag
from lesson.runs.run import Run

pytestmark = pytest.mark.slow


def all_done(after: int, window: int, nag: type[Nag]) -> bool:
    return all(Run(after=after, window=window, nag=nag).play().done)


@pytest.mark.parametrize(
    "window, nag, last",
    [(12, PlainNag, 5), (20, PlainNag, 9), (24, PlainNag, 11), (30, PlainNag, 14), (12, Nag, 8)],
)
def test_all_steps_are_done_up_to_this_threshold_and_not_with_the_next(window, nag, last):
    assert all_done(1, window, nag) and all_done(last, window, nag)
    assert not all_done(last + 1, window, nag)


def test_a_reminder_after_each_round_costs_twice_the_tokens_because_each_list_is_a_round():
    """The answer of s03b, beside the latest reminder that is in time."""
    soonest, latest = Run(after=1).play(), Run(after=5).play()
    work = [len(run.records) - run.letters.lower().count("p") for run in (soonest, latest)]
    assert work[0] == work[1] and round(soonest.tokens / latest.tokens) == 2
