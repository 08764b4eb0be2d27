"""A full context window: ways to continue, and what a cut leaves of the plan."""

import anthropic
import pytest

from agentlib import carry_on
from lesson import PracticeModel, compare_cuts
from lesson.practice.policy.jobs import load_job
from lesson.runs import Trial
from lesson.runs.compaction import CUT

JOB = load_job("ten_steps")
STEPS = len(JOB.steps)


def test_new_conversation_with_the_todo_list_finishes_the_task():
    trial = Trial()
    trial.model = PracticeModel(context_window=6000)  # tokens; the ten steps need some 9,000
    with pytest.raises(anthropic.BadRequestError):
        trial.play()
    assert 3 < trial.steps_done < STEPS
    trial.messages[:] = [carry_on(JOB.prompt, trial.todo.render())]
    assert list(trial)[-1].is_last
    assert trial.steps_done == STEPS


def test_compaction_loses_the_plan_unless_the_harness_puts_the_list_back():
    rejected, lost, kept = compare_cuts()
    assert "too long" in rejected.last_words and CUT not in rejected.rounds
    assert lost.steps_done < STEPS and CUT in lost.rounds
    assert kept.steps_done == STEPS and CUT in kept.rounds
