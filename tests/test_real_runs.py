"""The recorded runs of a real model. nbval compares the figures that s07 prints."""

from lesson import real_runs

WITH_LIST = [run for run in real_runs() if run.lists]


def test_a_list_is_in_the_round_that_wrote_it():
    assert len(real_runs()) == 300
    for run in WITH_LIST:
        assert {run.replies[one.round - 1] for one in run.lists} == {"t"}
