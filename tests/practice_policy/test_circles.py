"""A run that goes in circles because its loop forgets: the practice model ends it, and says why."""

import pytest
from exercises.attempts.loop import AS_IN_THE_CELL, PLAIN
from exercises.cells import define, slip

from lesson import PracticeModel, load_job, sample

SETTINGS = {"model": "practice", "max_tokens": 1000}
SENT = "messages=messages,"
# These loops pass no check, but a learner may run them in any cell.
FORGETFUL = {
    "deletes as the cell above does": AS_IN_THE_CELL,
    "sends the prompt alone": slip(PLAIN, (SENT, "messages=messages[:1],")),
    "sends the last round": slip(PLAIN, (SENT, "messages=messages[:1] + messages[1:][-2:],")),
    "keeps only the last round of five": slip(
        PLAIN, ("        # Ask", "        if len(messages) > 10: del messages[1:-2]\n        # Ask")
    ),
}


@pytest.mark.parametrize("job", ["hello", "ten_steps"])
@pytest.mark.parametrize("source", FORGETFUL.values(), ids=FORGETFUL)
def test_run_of_a_loop_that_forgets_ends(source, job):
    model, workspace = PracticeModel(), sample(job)
    messages = [{"role": "user", "content": load_job(job).prompt}]
    define(source, "agent_loop")(model.client(), messages, workspace.tools(), **SETTINGS)
    last = model.replies[-1]["content"][-1]["text"]
    assert "Send all messages with each request." in last or len(model.replies) < 30
    assert len(model.replies) < 70


def test_run_that_goes_in_circles_is_told_what_is_missing():
    model, workspace = PracticeModel(), sample("hello")
    messages = [{"role": "user", "content": load_job("hello").prompt}]
    loop = define(AS_IN_THE_CELL, "agent_loop")
    loop(model.client(), messages, workspace.tools(), **SETTINGS)
    said = messages[-1]["content"][0].text
    assert said.startswith("I have replied 51 times since the prompt, and this request contains 1 ")


def test_next_run_with_the_same_model_begins_to_count_anew():
    model = PracticeModel()
    loop = define(PLAIN, "agent_loop")
    for _ in range(14):  # more than 50 replies in all
        messages = [{"role": "user", "content": load_job("hello").prompt}]
        loop(model.client(), messages, sample("hello").tools(), **SETTINGS)
        assert messages[-1]["content"][0].text == load_job("hello").closing
