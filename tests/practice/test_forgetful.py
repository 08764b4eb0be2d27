"""A run that goes in circles because its loop forgets: the practice model ends it, and says why."""

import re
from types import SimpleNamespace

import pytest
from support.loop import SETTINGS
from support.play_loop import rounds

from lesson import PracticeModel, sample
from lesson.samples.jobs import load_job

pytestmark = pytest.mark.slow
# These loops pass no check, but a learner may run them in any cell.
FORGETFUL = {
    "sends the prompt alone": lambda messages: messages[:1],
    "sends the last round": lambda messages: messages[:1] + messages[1:][-2:],
    "keeps the last round of five": lambda messages: (
        messages if len(messages) <= 10 else messages[:1] + messages[-2:]
    ),
}


def play(model, job, sent=list):
    """Play a job with a loop that keeps these of its messages. Return the last text."""
    messages, real = [{"role": "user", "content": load_job(job).prompt}], model.client()

    def create(**request):
        messages[:] = sent(messages)
        return real.messages.create(**request | {"messages": messages})

    client = SimpleNamespace(messages=SimpleNamespace(create=create))
    *_, last = rounds(client, messages, sample(job).tools(), **SETTINGS)
    return last.text


@pytest.mark.parametrize("job", ["hello", "ten_steps"])
@pytest.mark.parametrize("sent", FORGETFUL.values(), ids=FORGETFUL)
def test_run_of_a_loop_that_forgets_ends(sent, job):
    model = PracticeModel()
    last = play(model, job, sent)
    says_why = re.fullmatch(r"I have replied 10\d times since .* or show me my list\.", last)
    assert says_why or len(model.requests) < 30
    assert len(model.requests) < 120


def test_next_run_with_the_same_model_begins_to_count_anew():
    model = PracticeModel()
    for _ in range(27):  # more than 100 replies in all
        assert play(model, "hello") == load_job("hello").closing
