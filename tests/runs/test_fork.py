"""A run goes on from a round of another one: with its files, list, messages and count."""

import pytest

from agentlib import Nag
from lesson import PracticeModel, connect, play

AGENTLIB = {"loop": "agentlib", "todo": "agentlib", "nag": "plain"}


@pytest.fixture(scope="module")
def late():
    """Return the run whose reminder comes one round too late."""
    return play(after=6, **AGENTLIB)


def times(run):
    return [record.snapshot.times for record in run.records]


def calls(run):
    return [(call.name, call.input) for one in run.rounds for call in one.calls]


@pytest.mark.parametrize("number", range(1, 9))
def test_same_settings_give_the_same_rest(late, number):
    run = late.fork(number)
    assert calls(run) == calls(late) and run.letters == late.letters
    assert run.steps_done == late.steps_done == 3 and run.rounds_before == number
    assert run.diff() == late.diff() and f"goes on after round {number}" in str(run)


@pytest.mark.parametrize("after", range(1, 6))
def test_no_threshold_saves_the_run_after_round_6_and_a_reminder_with_the_list_does(late, after):
    assert late.fork(5, after=after).steps_done == 10
    assert late.fork(6, after=after).steps_done == 3
    assert late.fork(6, after=after, nag=Nag).steps_done == 10
    assert late.fork(7, after=after, nag=Nag).steps_done == 3


def test_after_round_0_a_run_begins_again_with_other_settings(late):
    run = late.fork(0, after=5)
    assert calls(run) == calls(play(after=5, **AGENTLIB)) and run.rounds_before == 0
    assert calls(late.fork(0)) == calls(late)


def test_window_of_a_run_is_that_of_the_next_also_with_a_real_model():
    start = play("ten_steps", **AGENTLIB | {"nag": None})
    model = connect("claude-x", client=PracticeModel().client(), ask=lambda question: "once")
    assert start.fork(7, model=model).window == 12 and start.window == 12
    assert start.fork(7, model=model, window="all").steps_done == 10


def test_run_of_another_job_goes_on_with_no_other(late):
    with pytest.raises(ValueError, match="of the job 'ten_steps', which has other steps here"):
        late.fork(3, job="hello")


def test_round_that_is_none_or_the_last_is_named(late):
    with pytest.raises(IndexError, match="10 rounds, and no round 11"):
        late.fork(11)
    with pytest.raises(ValueError, match="In round 10, the model called no tool"):
        late.fork(10)
    with pytest.raises(TypeError, match="play has no setting 'threshold'"):
        late.fork(3, threshold=2)


def test_class_of_the_nag_is_made_anew(late):
    made = []

    class Noted(Nag):
        def __init__(self, todo, after):
            super().__init__(todo, after)
            made.append(self)

    run = late.fork(4, nag=Noted, after=9)
    assert [run.nag] == made and run.records[4].waited == 4
