"""Spending limits on requests and tokens, below every loop."""

import pytest
from loopback import PROMPT, Server, error, message, reach
from support.blocks import use

from agentlib import Tool, run
from lesson.real_model.limits import LimitReachedError

LS = Tool("bash", "Runs.", {"type": "object"}, lambda command="": "hello.py")


def test_request_limit_applies_to_your_own_loop():
    with Server() as server:
        model, _ = reach(server, max_rounds=2)
        for _ in range(2):
            model.client.messages.create(messages=PROMPT, **model.settings)
        reached = r"Request limit reached \(2 of 2\).*limits\.extend\(\)"
        with pytest.raises(LimitReachedError, match=reached):
            model.client.with_options(timeout=5).messages.create(messages=PROMPT, **model.settings)
        assert len(server.requests) == 2
        model.limits.max_requests += 1
        model.client.messages.create(messages=PROMPT, **model.settings)
    assert len(server.requests) == 3


def test_token_limit_stops_a_run_that_can_be_continued():
    used = use("bash", "toolu_1", command="ls")
    with Server(message(used, tokens=(900, 100))) as server:
        model, _ = reach(server, max_total_tokens=1000)
        messages = list(PROMPT)
        with pytest.raises(LimitReachedError, match=r"Token limit reached \(1,000 of 1,000\)"):
            run(model.client, messages, [LS], **model.settings)
        assert [message["role"] for message in messages] == ["user", "assistant", "user"]
        model.limits.extend()
        assert run(model.client, messages, [LS], **model.settings)[-1].text == "Done."
    assert [len(request["messages"]) for request in server.requests] == [1, 3]
    assert model.limits.tokens_used == 1022


def test_each_retry_counts_as_a_request():
    with Server(*[error(529, "Overloaded")] * 9) as server:
        model, _ = reach(server, max_rounds=4)
        client = model.client.with_options(max_retries=6)
        with pytest.raises(LimitReachedError):
            client.messages.create(messages=PROMPT, **model.settings)
    assert len(server.requests) == 4


def test_streams_are_refused_because_their_tokens_could_not_be_counted():
    with Server() as server:
        model, _ = reach(server)
        with pytest.raises(ValueError, match=r"returns whole messages: leave out stream=True"):
            model.client.messages.create(messages=PROMPT, stream=True, **model.settings)
    assert server.requests == []
