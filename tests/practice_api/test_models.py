"""The models: names, and the rules of each generation."""

import anthropic
import pytest
from support.practice_api import (
    body,
    each_rejected,
    invalid,
    post,
    rejection,
    say_hello,
    text,
    turns,
    user,
)

from lesson.practice.api import models
from lesson.practice.model import PracticeModel


@pytest.mark.parametrize("name", ["claude-opus", "practice-2", "gpt-4-5"])
def test_unknown_model_is_404(name):
    assert rejection({"model": name}) == (404, "not_found_error", f"model: {name}")


def test_models_of_the_sdk_are_known():
    names = [name for name in anthropic.types.Model.__args__[0].__args__ if "preview" not in name]
    assert len(names) > 5 and all(map(models.Model, names))


GENERATIONS = {
    "claude-3-5-haiku-latest": (64_000, False),
    "claude-opus-4-7": (128_000, False),
    "claude-opus-4-8": (128_000, True),
    "claude-opus-7-2": (128_000, True),  # newer than any known
}


@pytest.mark.parametrize(("name", "rules"), GENERATIONS.items())
def test_rules_follow_from_the_version_in_the_name(name, rules):
    model = models.Model(name)
    assert (model.max_output_tokens, model.system_turns) == rules


LENGTHS = {
    "max_tokens: 64001 > 64000, which is the maximum allowed number of output tokens for "
    "practice": {"max_tokens": 64_001},
    "max_tokens: 128001 > 128000, which is the maximum allowed number of output tokens for "
    "claude-opus-5": {"model": "claude-opus-5", "max_tokens": 128_001},
    "prompt is too long: 200001 tokens > 200000 maximum": turns(user(text("word" * 200_001))),
}


@each_rejected(LENGTHS)
def test_too_many_tokens_are_rejected(message, change):
    assert rejection(change) == invalid(message)


def test_context_window_can_be_set():
    client = PracticeModel(say_hello, context_window=50).client()
    assert post(client, body(turns(user(text("word" * 50))))).usage.input_tokens == 50
    with pytest.raises(anthropic.BadRequestError, match="too long: 51 tokens > 50 maximum"):
        post(client, body(turns(user(text("word" * 51)))))
