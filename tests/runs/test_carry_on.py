"""A full context window, and how the work goes on in a new conversation."""

import anthropic
import pytest
from support.session import Session

from agentlib import carry_on
from lesson import PracticeModel
from lesson.samples.jobs import load_job

JOB = load_job("ten_steps")
STEPS = len(JOB.steps)


def test_new_conversation_with_the_todo_list_finishes_the_task():
    trial = Session(window=None)
    trial.model = PracticeModel(context_window=6000)  # tokens; the ten steps need some 9,000
    with pytest.raises(anthropic.BadRequestError):
        trial.play()
    assert 3 < trial.steps_done < STEPS
    trial.messages[:] = [carry_on(JOB.prompt, trial.todo.render())]
    assert list(trial)[-1].is_last
    assert trial.steps_done == STEPS
