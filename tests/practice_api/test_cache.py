"""Prompt caching: the tokens read from the cache and written to it."""

import pytest
from support.blocks import text
from support.practice_api import BASH, assistant, body, post, say_hello, user

from lesson.practice.model import PracticeModel

CACHED = {"cache_control": {"type": "ephemeral"}}


class Api:
    """A practice model that counts the tokens of a prompt."""

    def __init__(self):
        self.client = PracticeModel(say_hello).client()

    def send(self, *added, **settings):
        """Return the tokens of a prompt: read from the cache, written to it, and neither."""
        usage = post(self.client, body({"messages": list(added)} | settings)).usage
        read, written = usage.cache_read_input_tokens, usage.cache_creation_input_tokens
        return read, written, usage.input_tokens


def words(tokens, label="x"):
    """Return a string of so many tokens, at four bytes each, that begins with the label."""
    return label.ljust(4 * tokens, ".")


def test_prompt_below_the_minimum_is_not_cached():
    api = Api()
    assert api.send(user(text(words(511))), **CACHED) == (0, 0, 511)
    assert api.send(user(text(words(512))), **CACHED) == (0, 512, 0)


CHANGES = {
    "a tool's description": {"tools": [BASH | {"description": "Run it"}]},
    "the system prompt": {"system": words(600, "new")},
    "the model": {"model": "claude-opus-5"},
    "the role": {"messages": [assistant(text("Hi")), user(text("Go on"))]},
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_change_before_the_last_message_reads_nothing(change):
    api, first = Api(), {"tools": [BASH], "system": words(600), "messages": [user(text("Hi"))]}
    _, written, _ = api.send(**first, **CACHED)
    more = {"messages": [*first["messages"], user(text("Go on"))]}
    assert api.send(**(first | more | change), **CACHED)[0] == 0
    assert api.send(**(first | more), **CACHED)[0] == written
