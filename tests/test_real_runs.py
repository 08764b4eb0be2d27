"""The recorded runs of a real model: the figures that the notebook and docs/sources.md state."""

from lesson import real_runs

WITH_LIST = [run for run in real_runs() if run.lists]
LISTS = [one for run in WITH_LIST for one in run.lists]


def test_every_last_list_is_ticked_and_none_has_two_tasks_in_progress():
    assert (len(real_runs()), len(WITH_LIST), len(LISTS)) == (300, 264, 1652)
    assert all(run.lists[-1].is_ticked for run in WITH_LIST)
    assert max(one.in_progress for one in LISTS) == 1


def test_a_list_is_in_the_round_that_wrote_it():
    for run in WITH_LIST:
        assert {run.replies[one.round - 1] for one in run.lists} == {"t"}
