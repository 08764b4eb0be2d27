"""The agent loop only appends messages, so that each request can be read from the prompt cache."""

import json
from functools import cache
from itertools import pairwise

import pytest

from agentlib.loop import rounds, run
from lesson.practice.model import PracticeModel
from lesson.practice.policy.practice_policy import PracticePolicy
from lesson.runs.bill import make_bill
from lesson.runs.trial import Trial, play


def as_sent(request):
    """Return a request without its messages as JSON, and each of its messages as JSON."""
    rest = {name: value for name, value in request.items() if name != "messages"}
    return json.dumps(rest), [json.dumps(message) for message in request["messages"]]


@pytest.mark.parametrize("settings", [{}, {"plan": False}, {"after": 1}, {"eager": True}], ids=str)
def test_each_request_has_the_previous_one_as_its_prefix_and_reads_it_from_the_cache(settings):
    trial = play(**settings)
    requests = [as_sent(request) for request in trial.model.requests]
    assert len(requests) > 1
    for (settings_before, before), (settings_now, now) in pairwise(requests):
        assert settings_now == settings_before
        assert now[: len(before)] == before
        assert len(now) > len(before)
    for before, now in pairwise(step.usage for step in trial.rounds):
        sent = before.cache_creation_input_tokens + before.cache_read_input_tokens
        assert now.cache_read_input_tokens == sent
        assert now.input_tokens == 0 or now.cache_creation_input_tokens == 0


@cache
def make_run(change=lambda number, settings, messages: None, cached=True):
    """Run the ten steps with a change before each request; return the bill."""
    trial = Trial("ten_steps")
    client, messages = trial.model.client(), trial.messages
    tools = [*trial.workspace.tools(), trial.todo.tool()]
    settings = {"model": "practice", "max_tokens": 8000, "system": "You are an agent."}
    if cached:
        settings["cache_control"] = {"type": "ephemeral"}
    played = []
    while not played or not played[-1].is_last:
        change(len(played), settings, messages)
        played.append(next(rounds(client, messages, tools, remind=trial.nag, **settings)))
    return make_bill(played, "claude-sonnet-5-5")


def test_changing_system_prompt_is_never_read_from_the_cache():
    def change_system_prompt(number, settings, messages):
        settings["system"] = f"You are an agent. Round {number}."

    kept, broken, plain = make_run(), make_run(change_system_prompt), make_run(cached=False)
    assert broken.rounds.usage.cache_read_input_tokens == 0
    # Cache writes without reads cost more than no cache.
    assert kept.rounds.usd < plain.rounds.usd < broken.rounds.usd


def test_changed_message_invalidates_the_cache_after_it():
    def rewrite(number, settings, messages):
        if number == 15:
            messages[0] = {"role": "user", "content": messages[0]["content"][1:]}

    kept, broken = make_run(), make_run(rewrite)
    assert broken.rounds.usage.cache_creation_input_tokens > (
        kept.rounds.usage.cache_creation_input_tokens + 3000
    )


def test_without_a_cache_mark_nothing_is_read_or_written():
    usage = make_run(cached=False).rounds.usage
    assert usage.cache_read_input_tokens == usage.cache_creation_input_tokens == 0
    assert usage.total == make_run().rounds.usage.total


def test_loop_adds_no_cache_mark():
    model = PracticeModel(PracticePolicy())
    run(model.client(), [{"role": "user", "content": "Hi"}], model="practice", max_tokens=9)
    assert "cache_control" not in json.dumps(model.requests)
