"""Compaction and truncation: what the practice model still knows after a cut."""

from lesson import compare_cuts
from lesson.practice.policy.jobs import load_job
from lesson.practice.policy.practice_policy import PracticePolicy
from lesson.runs.cuts import MAX_ROUNDS
from lesson.runs.trial import play

JOB = load_job("ten_steps")
STEPS = len(JOB.steps)


def test_dropping_the_oldest_loses_the_plan_if_the_reminder_is_late():
    by_cut = {(run.cut, run.keeps_list): run for run in compare_cuts(after=10)}
    assert by_cut["drop the oldest", False].steps_done == 4
    assert by_cut["drop the oldest", True].steps_done == STEPS
    repeated = by_cut["summary", True]
    assert repeated.rounds == MAX_ROUNDS and "stopped" in repeated.last_words


def test_policy_loses_the_plan_if_messages_are_removed():
    trial = play(JOB.name, after=None, window=200)
    cut = [trial.messages[0], *trial.messages[5:9]]
    request = {"messages": cut, "tools": trial.model.requests[-1]["tools"]}
    assert PracticePolicy(200)(request)[0]["text"].startswith("Where was I?")
