"""The agent loop only appends messages, so that each request can be read from the prompt cache."""

import json
from itertools import pairwise

import pytest

from lesson.runs.trial import play


def as_sent(request):
    """Return a request without its messages as JSON, and each of its messages as JSON."""
    rest = {name: value for name, value in request.items() if name != "messages"}
    return json.dumps(rest), [json.dumps(message) for message in request["messages"]]


@pytest.mark.parametrize("settings", [{}, {"after": 1}], ids=str)
def test_each_request_has_the_previous_one_as_its_prefix_and_reads_it_from_the_cache(settings):
    trial = play(**settings)
    requests = [as_sent(request) for request in trial.model.requests]
    assert len(requests) > 1
    for (settings_before, before), (settings_now, now) in pairwise(requests):
        assert settings_now == settings_before
        assert now[: len(before)] == before
        assert len(now) > len(before)
    for before, now in pairwise(turn.usage for turn in trial.rounds):
        sent = before.cache_creation_input_tokens + before.cache_read_input_tokens
        assert now.cache_read_input_tokens == sent
        assert now.input_tokens == 0 or now.cache_creation_input_tokens == 0
