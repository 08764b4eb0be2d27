"""The models: what each generation takes."""

import anthropic
import pytest
from support.practice_wire import (
    BASH,
    HELLO,
    each_accepted,
    each_refusal,
    invalid,
    refusal,
    send,
    text,
    turns,
    user,
)

from lesson.practice.api import errors, models
from lesson.practice.model import PracticeModel


def test_an_unknown_model_is_a_404():
    unknown = (404, "not_found_error", "model: claude-sonet-4-5")
    assert refusal({"model": "claude-sonet-4-5"}) == unknown


def test_every_model_that_the_sdk_names_is_known():
    names = anthropic.types.Model.__args__[0].__args__
    assert [name for name in names if not models.find_model(name)] == []


DATED = {
    "an older model": {"model": "claude-3-5-sonnet-20240620"},
    "the latest of a family": {"model": "claude-3-5-haiku-latest"},
}


@each_accepted(DATED)
def test_a_model_is_known_by_its_date_too(change):
    assert send(change).content[0].text == "Hello."


LENGTHS = {
    "max_tokens: 64001 > 64000, which is the maximum allowed number of output tokens for "
    "practice": {"max_tokens": 64_001},
    "max_tokens: 4097 > 4096, which is the maximum allowed number of output tokens for "
    "claude-3-opus-20240229": {"model": "claude-3-opus-20240229", "max_tokens": 4097},
    "stop_sequences: each stop sequence must contain non-whitespace": {"stop_sequences": ["\n"]},
    "prompt is too long: 200001 tokens > 200000 maximum": turns(user(text("word" * 200_001))),
}


@each_refusal(LENGTHS)
def test_a_reply_ends_within_what_the_model_can_say(message, change):
    assert refusal(change) == invalid(message)


TO_CONTROL = '"thinking.type.adaptive" and "output_config.effort" to control thinking behavior.'
BUDGET = {"max_tokens": 2000, "thinking": {"type": "enabled", "budget_tokens": 1024}}


def thinks(model, type, **more):
    return {"model": model, "thinking": {"type": type}, **more}


THINKING = {
    "thinking: Input should be an object": {"thinking": True},
    "thinking.enabled.budget_tokens: Field required": {"thinking": {"type": "enabled"}},
    "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024": {
        "thinking": {"type": "enabled", "budget_tokens": 1000}
    },
    f'"thinking.type.enabled" is not supported for this model. Use {TO_CONTROL}': BUDGET
    | {"model": "claude-opus-4-7"},
    '"thinking.type.between_tools" is not supported for this model.': {
        "thinking": {"type": "between_tools"}
    },
    "thinking.between_tools.display: Extra inputs are not permitted": {
        "model": "claude-sonnet-5-5",
        "thinking": {"type": "between_tools", "display": "omitted"},
    },
    "adaptive thinking is not supported on this model": {"thinking": {"type": "adaptive"}},
    "`max_tokens` must be greater than `thinking.budget_tokens`. Please consult our documentation "
    "at https://docs.claude.com/en/docs/build-with-claude/extended-thinking"
    "#max-tokens-and-context-window-size": {"thinking": {"type": "enabled", "budget_tokens": 1024}},
    "Thinking may not be enabled when tool_choice forces tool use.": BUDGET
    | {"tools": [BASH], "tool_choice": {"type": "any"}},
}


@each_refusal(THINKING)
def test_a_model_thinks_in_its_own_way_and_leaves_room_to_answer(message, change):
    assert refusal(change) == invalid(message)


THOUGHT = {
    "as the model sees fit": thinks("claude-opus-5", "adaptive"),
    "not at all": thinks("claude-sonnet-5", "disabled", output_config={"effort": "max"}),
    "not at all, at an effort that allows it": thinks(
        "claude-opus-5", "disabled", output_config={"effort": "high"}
    ),
    "between tools only": thinks("claude-sonnet-5-5", "between_tools"),
    "with a budget": BUDGET,
}


@each_accepted(THOUGHT)
def test_a_model_may_think_in_any_of_its_ways(change):
    assert send(change).content[0].text == "Hello."


EFFORT = {
    "This model does not support the effort parameter.": {"output_config": {"effort": "low"}},
    "This model does not support effort level 'xhigh'. Supported levels: high, low, max, medium.": {
        "model": "claude-opus-4-6",
        "output_config": {"effort": "xhigh"},
    },
}


@each_refusal(EFFORT)
def test_an_effort_is_one_that_the_model_knows(message, change):
    assert refusal(change) == invalid(message)


def test_a_version_newer_than_any_known_follows_the_newest_rules():
    assert models.find_model("claude-opus-7-2") == models.find_model("claude-opus-5")


@pytest.mark.parametrize(
    "name",
    ["", "claude", "claude-opus", "claude-2-opus", "claude-opus-4-8-beta", "gpt-5", "practice-2"],
)
def test_a_name_without_a_known_family_and_version_is_unknown(name):
    with pytest.raises(errors.ApiError, match=f"model: {name}"):
        models.find_model(name)


def test_the_context_window_can_be_set_and_a_longer_prompt_is_too_long():
    def ask(words):
        body = {"model": "practice", "max_tokens": 9, "messages": [user(text("word" * words))]}
        return (
            PracticeModel(lambda request: HELLO, context_window=50).client().messages.create(**body)
        )

    assert ask(50).usage.input_tokens == 50
    with pytest.raises(anthropic.BadRequestError) as refused:
        ask(51)
    message = refused.value.body["error"]["message"]
    assert message == "prompt is too long: 51 tokens > 50 maximum"


@pytest.mark.parametrize("tokens", [0, -1])
def test_a_context_window_that_nothing_fits_into_is_refused(tokens):
    with pytest.raises(ValueError, match="context_window must be 1 token or more"):
        PracticeModel(context_window=tokens)
