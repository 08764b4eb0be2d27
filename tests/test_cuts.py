"""A full context window: the error, ways to continue, and what a cut leaves of the plan."""

import anthropic
import pytest

from agentlib import carry_on
from lesson import PracticeModel, compare_cuts
from lesson.practice.policy.jobs import load_job
from lesson.real_model.server_errors import explain, is_too_long
from lesson.runs import Trial
from lesson.runs.cuts import CUT

JOB = load_job("ten_steps")
STEPS = len(JOB.steps)


def play_until_full():
    """Play the ten steps on a model with a small context window. Return the Trial and the error."""
    trial = Trial()
    trial.model = PracticeModel(context_window=6000)  # tokens; the ten steps need some 9,000
    with pytest.raises(anthropic.BadRequestError) as full:
        trial.play()
    return trial, full.value


def test_error_for_a_full_context_window_says_how_to_continue():
    _, full = play_until_full()
    assert is_too_long(full)
    words = explain(full, "practice", "here")
    assert words.startswith("The conversation has grown longer than the model can read.")
    assert "messages[:] = [carry_on(prompt, todo.render())], then run this again." in words
    assert "(here says: prompt is too long: " in words


def test_new_conversation_with_the_todo_list_finishes_the_task():
    trial, _ = play_until_full()
    assert 3 < trial.steps_done < STEPS
    trial.messages[:] = [carry_on(JOB.prompt, trial.todo.render())]
    assert list(trial)[-1].is_last
    assert trial.steps_done == STEPS


def test_compaction_loses_the_plan_unless_the_harness_puts_the_list_back():
    rejected, lost, kept = compare_cuts()
    assert "too long" in rejected.last_words and CUT not in rejected.rounds
    assert lost.steps_done < STEPS and CUT in lost.rounds
    assert kept.steps_done == STEPS and CUT in kept.rounds
