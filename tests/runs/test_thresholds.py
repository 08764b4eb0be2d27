"""The thresholds that the lesson names are played: up to which one do all ten steps get done?"""

import pytest
from support.nags import ShowsList

from agentlib import Nag
from lesson.runs.run import Run


def all_done(after: int, window: int, nag: type[Nag]) -> bool:
    return all(Run(after=after, window=window, nag=nag).play().done)


@pytest.mark.parametrize(
    "window, nag, last",
    [(12, Nag, 5), (20, Nag, 9), (24, Nag, 11), (30, Nag, 14), (12, ShowsList, 8)],
)
def test_all_steps_are_done_up_to_this_threshold_and_not_with_the_next(window, nag, last):
    assert all_done(1, window, nag) and all_done(last, window, nag)
    assert not all_done(last + 1, window, nag)


def test_a_list_that_comes_late_brings_the_plan_back_once_or_not_at_all():
    """The answer of E6: with 9 there is one reminder, and with 10 none."""
    for after, reminders, steps in ((9, 1, 5), (10, 0, 3)):
        run = Run(after=after, nag=ShowsList).play()
        assert sum(record.round.reminder is not None for record in run.records) == reminders
        assert sum(run.done) == steps


def test_a_reminder_after_each_round_makes_the_short_run_longer_and_its_file_read_again():
    """The answer of 00's *Change one thing*."""
    runs = {after: Run("hello", after=after).play() for after in (2, 1)}
    assert [len(run.records) for run in runs.values()] == [11, 16]
    calls = [
        [call.name for one in run.records for call in one.round.calls] for run in runs.values()
    ]
    assert [names.count("read_file") for names in calls] == [1, 2]
