"""A full context window, and how the work goes on when the program has made room."""

import anthropic
import pytest
from support.session import Session

from agentlib import make_room
from lesson import PracticeModel
from lesson.samples.jobs import load_job

STEPS = len(load_job("ten_steps").steps)


def test_conversation_goes_on_with_the_todo_list_and_finishes_the_job():
    trial = Session(window=None)
    trial.model = PracticeModel(context_window=6000)  # tokens; the ten steps need some 9,000
    with pytest.raises(anthropic.BadRequestError):
        trial.play()
    assert 3 < trial.steps_done < STEPS
    trial.messages[:] = make_room(trial.messages, trial.todo)
    assert trial.todo.render() in trial.messages[1]["content"]
    assert list(trial)[-1].is_last
    assert trial.steps_done == STEPS


def test_conversation_with_nothing_to_leave_out_is_returned_unchanged():
    trial = Session(window=None)
    messages = trial.messages
    assert make_room(messages, trial.todo) is messages
