"""A full context window: the error message, and two ways to continue the run."""

import anthropic
import pytest

from agentlib import carry_on
from lesson import PracticeModel
from lesson.practice.policy import jobs
from lesson.real_model.error_messages import explain, is_too_long
from lesson.runs import Trace, Trial

JOB = jobs.load_job("ten_steps")


def play_until_full():
    """Play the ten steps on a model with a small context window.

    Return the Trial, the Trace that was recorded during it, and the error.
    """
    trial, trace = Trial(JOB.name), Trace(after=3)
    trial.model = PracticeModel(context_window=6000)  # tokens; the ten steps need some 9,000
    with pytest.raises(anthropic.BadRequestError) as full:
        list(trace.follow(trial, trial.messages, trial.todo, trial.nag))
    return trial, trace, full.value


def test_error_for_a_full_context_window_says_how_to_continue():
    *_, full = play_until_full()
    assert is_too_long(full)
    words = explain(full, "practice", "here")
    assert words.startswith("The conversation has grown longer than the model can read.")
    assert "messages[:] = [carry_on(prompt, todo.render())], then run this again." in words
    assert "(here says: prompt is too long: " in words


def test_new_conversation_with_the_todo_list_finishes_the_task():
    trial, *_ = play_until_full()
    assert 3 < trial.steps_done < len(JOB.steps)
    trial.messages[:] = [carry_on(JOB.prompt, trial.todo.render())]
    assert list(trial)[-1].is_last
    assert trial.steps_done == len(JOB.steps)
