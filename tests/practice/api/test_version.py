"""What the newest version of the API takes no more, and an older one still takes."""

import anthropic
import pytest
from support.blocks import text
from support.practice_api import ASK, assistant, body, invalid, post, rejection, say_hello, user

from lesson.practice.api.version import VERSION
from lesson.practice.practice_model import PracticeModel

DOCUMENT = {"type": "document", "source": {"type": "text", "data": "…"}}
CITATIONS = [{"type": "char_location", "cited_text": "…"}]
REMOVED = {
    "temperature: Extra inputs are not permitted": {"temperature": 1},
    "top_p: Extra inputs are not permitted": {"top_p": 0.9},
    "top_k: Extra inputs are not permitted": {"top_k": 5},
    "messages.1.content.0: `document` blocks can only be in `user` messages": {
        "messages": [ASK, assistant(DOCUMENT), ASK]
    },
    "messages.0.content.1.text.citations: Extra inputs are not permitted": {
        "messages": [user(text("Hi"), text("there", citations=CITATIONS))]
    },
}


def test_the_sdk_sends_the_newest_version():
    assert anthropic.Anthropic(api_key="none").default_headers["anthropic-version"] == VERSION


@pytest.mark.parametrize("message", REMOVED)
def test_what_was_removed_is_rejected(message):
    assert rejection(REMOVED[message]) == invalid(message)


@pytest.mark.parametrize("message", REMOVED)
def test_an_older_version_still_takes_it(message):
    client = PracticeModel(say_hello).client()
    older = client.with_options(default_headers={"anthropic-version": "2023-06-01"})
    assert post(older, body(REMOVED[message])).content[0].text == "Hello."


def test_a_document_of_the_user_and_texts_without_citations_are_accepted():
    request = body({"messages": [user(DOCUMENT, text("Hi", citations=None))]})
    assert post(PracticeModel(say_hello).client(), request).content[0].text == "Hello."
