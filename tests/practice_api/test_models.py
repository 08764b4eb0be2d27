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

from lesson.practice.api import errors, models
from lesson.practice.model import PracticeModel


@pytest.mark.parametrize(
    "name",
    ["claude-sonet-4-5", "claude-opus", "claude-2-opus", "claude-opus-4-8-x", "gpt-5"],
)
def test_unknown_model_is_404(name):
    assert rejection({"model": name}) == (404, "not_found_error", f"model: {name}")


def test_models_of_the_sdk_are_known():
    names = [name for name in anthropic.types.Model.__args__[0].__args__ if "preview" not in name]
    assert len(names) > 5 and all(map(models.find_model, names))
    with pytest.raises(errors.ApiError):
        models.find_model("practice-2")


GENERATIONS = {
    "claude-3-5-haiku-latest": models.EARLIER,
    "claude-sonnet-4-5-20250929": models.EARLIER,
    "claude-opus-4-7": models.CLAUDE_4_6,
    "claude-opus-4-8": models.CLAUDE_4_8,
    "claude-opus-5": models.CLAUDE_4_8,
    "claude-opus-7-2": models.CLAUDE_4_8,  # newer than any known
}


@pytest.mark.parametrize(("name", "rules"), GENERATIONS.items())
def test_generation_is_found_by_the_version_in_the_name(name, rules):
    assert models.find_model(name) is rules


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


@pytest.mark.parametrize("tokens", [0, -1])
def test_context_window_below_one_token_is_rejected(tokens):
    with pytest.raises(ValueError, match="context_window must be 1 token or more"):
        PracticeModel(context_window=tokens)
