"""A run that goes in circles because its loop forgets: the practice model ends it, and says why."""

import pytest
from support.loop import SETTINGS

from agentlib import call_tool
from lesson import PracticeModel, sample
from lesson.samples.jobs import load_job

# These loops pass no check, but a learner may run them in any cell.
FORGETFUL = {
    "sends the prompt alone": lambda messages: messages[:1],
    "sends the last round": lambda messages: messages[:1] + messages[1:][-2:],
    "keeps the last round of five": lambda messages: (
        messages if len(messages) <= 10 else messages[:1] + messages[-2:]
    ),
}


def play(model, messages, tools, sent=list):
    """Play a loop that sends these messages of its list."""
    dispatch = {tool.name: tool for tool in tools}
    settings = SETTINGS | {"tools": [tool.spec for tool in tools]}
    while True:
        messages[:] = sent(messages)
        reply = model.client().messages.create(messages=messages, **settings)
        messages.append({"role": "assistant", "content": reply.content})
        uses = [block for block in reply.content if block.type == "tool_use"]
        if not uses:
            return
        results = []
        for use in uses:
            output = call_tool(dispatch, use.name, use.input).output
            results.append({"type": "tool_result", "tool_use_id": use.id, "content": output})
        messages.append({"role": "user", "content": results})


@pytest.mark.parametrize("job", ["hello", "ten_steps"])
@pytest.mark.parametrize("sent", FORGETFUL.values(), ids=FORGETFUL)
def test_run_of_a_loop_that_forgets_ends(sent, job):
    model, messages = PracticeModel(), [{"role": "user", "content": load_job(job).prompt}]
    play(model, messages, sample(job).tools(), sent)
    last = messages[-1]["content"][0].text
    assert "Send all messages, or show me my list." in last or len(model.requests) < 30
    assert len(model.requests) < 120


def test_run_that_goes_in_circles_is_told_what_is_missing():
    model, messages = PracticeModel(), [{"role": "user", "content": load_job("hello").prompt}]
    play(model, messages, sample("hello").tools(), FORGETFUL["sends the prompt alone"])
    said = messages[-1]["content"][0].text
    assert said.startswith("I have replied 100 times since the prompt, and this request")


def test_next_run_with_the_same_model_begins_to_count_anew():
    model = PracticeModel()
    for _ in range(27):  # more than 100 replies in all
        messages = [{"role": "user", "content": load_job("hello").prompt}]
        play(model, messages, sample("hello").tools())
        assert messages[-1]["content"][0].text == load_job("hello").closing
