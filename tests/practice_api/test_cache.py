"""Prompt caching: cache marks, and the tokens read from the cache and written to it."""

import pytest
from support.practice_api import (
    BASH,
    CACHED,
    assistant,
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

from lesson.practice.model import PracticeModel

MARKS = {
    "A maximum of 4 blocks with cache_control may be provided. Found 5.": turns(
        user(*[text("Hi", **CACHED)] * 5)
    ),
    "cache_control.ephemeral.ttl: Input should be '5m' or '1h'": {
        "cache_control": {"type": "ephemeral", "ttl": "1d"}
    },
    "system.0.cache_control.ephemeral.scope: Extra inputs are not permitted": {
        "system": [text("Be brief.", cache_control={"type": "ephemeral", "scope": "global"})]
    },
}


@each_rejected(MARKS)
def test_wrong_cache_marks_are_rejected(message, change):
    assert rejection(change) == invalid(message)


class Api:
    """A practice model that counts the tokens of a prompt."""

    def __init__(self, policy=say_hello, model="claude-opus-5"):
        self.model, self.client = model, PracticeModel(policy).client()

    def send(self, *messages, **settings):
        """Return the tokens of a prompt: read from the cache, written to it, and neither."""
        request = body({"model": self.model, "messages": list(messages)} | settings)
        usage = post(self.client, request).usage
        written = usage.cache_creation_input_tokens
        assert written == usage.cache_creation.ephemeral_5m_input_tokens
        return usage.cache_read_input_tokens, written, usage.input_tokens


def words(tokens, label="x"):
    """Return a string of so many tokens, at four bytes each, that begins with the label."""
    return label.ljust(4 * tokens, ".")


def said(tokens, label="x"):
    """Return a message of the user of so many tokens."""
    return user(text(words(tokens, label)))


def messages(count, tokens=200):
    """Return numbered messages of one block each, the user's first."""
    return [
        (assistant if n % 2 else user)(text(words(tokens, f"message {n}"))) for n in range(count)
    ]


def test_mark_of_the_request_reads_what_the_last_request_sent():
    api, history = Api(), messages(7)
    assert api.send(*history[:3], system=words(600), **CACHED) == (0, 1200, 0)
    assert api.send(*history[:5], system=words(600), **CACHED) == (1200, 400, 0)
    assert api.send(*history[:7], system=words(600), **CACHED) == (1600, 400, 0)


def test_tokens_after_the_last_mark_are_plain_input():
    api = Api()
    assert api.send(user(text(words(600), **CACHED), text(words(50)))) == (0, 600, 50)
    assert api.send(user(text(words(600), **CACHED), text(words(70)))) == (600, 0, 70)


@pytest.mark.parametrize(
    ("model", "minimum"),
    [("practice", 1024), ("claude-opus-5", 512), ("claude-haiku-4-5-20251001", 4096)],
)
def test_prompt_below_the_minimum_is_not_cached(model, minimum):
    api = Api(model=model)
    assert api.send(said(minimum - 1), **CACHED) == (0, 0, minimum - 1)
    assert api.send(said(minimum), **CACHED) == (0, minimum, 0)
    assert api.send(said(minimum), said(100), **CACHED) == (minimum, 100, 0)


SYSTEM = [text(words(600, "system"), **CACHED)]
TOOLS = [BASH | {"description": words(600, "tool")} | CACHED]
FIRST = {"tools": TOOLS, "system": SYSTEM, "messages": [user(text(words(600), **CACHED))]}
# A change, and how many of the three parts of the prompt are still read from the cache.
CHANGES = {
    "nothing": ({}, 3),
    "the last message": (turns(user(text(words(600, "y"), **CACHED))), 2),
    "the system prompt": ({"system": [text(words(600, "other"), **CACHED)]}, 1),
    "a tool's description": ({"tools": [TOOLS[0] | {"description": words(600, "too")}]}, 0),
    "the model": ({"model": "claude-fable-5"}, 0),
    "the role": (turns(assistant(text(words(600), **CACHED)), user(text("Hi"))), 2),
}


@pytest.mark.parametrize(("change", "parts"), CHANGES.values(), ids=CHANGES.keys())
def test_change_invalidates_the_prefixes_that_contain_it(change, parts):
    model = PracticeModel(say_hello).client()
    post(model, body(FIRST | {"model": "claude-opus-5"}))
    usage = post(model, body(FIRST | {"model": "claude-opus-5"} | change)).usage
    assert usage.cache_read_input_tokens // 600 == parts
