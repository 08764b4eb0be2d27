"""The loop only appends: what was sent once is sent again as it was, so that a cache can help."""

import json
from itertools import pairwise

import pytest

from agentlib.loop import rounds, run
from agentlib.nag import Nag
from lesson.practice.model import PracticeModel
from lesson.practice.policy.practice_policy import PracticeMind
from lesson.practice.policy.tasks import names
from lesson.runs.bill import make_bill
from lesson.runs.trial import Trial, play

SETTINGS = ({}, {"plan": False}, {"after": 1}, {"after": 12}, {"eager": True}, {"window": 6})


def as_sent(request):
    """A request as text, without its messages, and each of its messages as text."""
    rest = {name: value for name, value in request.items() if name != "messages"}
    return json.dumps(rest), [json.dumps(message) for message in request["messages"]]


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
@pytest.mark.parametrize("task", names())
def test_each_request_begins_with_the_one_before_to_the_letter(task, settings):
    requests = [as_sent(request) for request in play(task, **settings).model.requests]
    assert len(requests) > 1
    for (settings_before, before), (settings_now, now) in pairwise(requests):
        assert settings_now == settings_before
        assert now[: len(before)] == before
        assert len(now) > len(before)


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_so_each_round_reads_from_the_cache_all_that_the_round_before_sent(settings):
    usages = [step.usage for step in play("ten_steps", **settings).rounds]
    for before, now in pairwise(usages):
        sent = before.cache_creation_input_tokens + before.cache_read_input_tokens
        assert now.cache_read_input_tokens == sent
        assert now.input_tokens == 0 or now.cache_creation_input_tokens == 0


def play_by_hand(change=lambda number, settings, messages: None, cached=True):
    """A whole run of the ten steps, with a change made before each request."""
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


def test_a_system_prompt_that_changes_is_paid_for_in_every_round():
    def tell_the_time(number, settings, messages):
        settings["system"] = f"You are an agent. Round {number}."

    kept, broken, plain = play_by_hand(), play_by_hand(tell_the_time), play_by_hand(cached=False)
    assert broken.rounds.usage.cache_read_input_tokens == 0
    # Put into the cache every time and never read from it: dearer than having none.
    assert kept.rounds.usd < plain.rounds.usd < broken.rounds.usd


def test_a_message_that_is_changed_afterwards_is_paid_for_with_all_that_follows_it():
    def rewrite(number, settings, messages):
        if number == 15:
            messages[0] = {"role": "user", "content": messages[0]["content"][1:]}

    kept, broken = play_by_hand(), play_by_hand(rewrite)
    assert broken.rounds.usage.cache_creation_input_tokens > (
        kept.rounds.usage.cache_creation_input_tokens + 3000
    )


def test_without_a_mark_nothing_is_read_or_written():
    usage = play_by_hand(cached=False).rounds.usage
    assert usage.cache_read_input_tokens == usage.cache_creation_input_tokens == 0
    assert usage.total == play_by_hand().rounds.usage.total


def test_the_loop_adds_no_mark_of_its_own():
    model = PracticeModel(PracticeMind())
    run(model.client(), [{"role": "user", "content": "Hi"}], model="practice", max_tokens=9)
    assert "cache_control" not in json.dumps(model.requests)


def test_a_reminder_is_appended_and_never_taken_out():
    trial = play("ten_steps", after=1)
    reminded = [json.dumps(request).count("Update your todos") for request in trial.model.requests]
    assert reminded == sorted(reminded)
    assert isinstance(trial.nag, Nag)
    assert reminded[-1] == trial.reminders
