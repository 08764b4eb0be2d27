"""The practice model: a client of the real SDK."""

import subprocess
import sys

import anthropic
import pytest
from support.practice_wire import ASK, HELLO

from lesson.practice.api import server
from lesson.practice.model import PracticeModel


def test_requests_are_kept_as_they_came_the_refused_ones_too():
    model = PracticeModel(lambda request: HELLO)
    create = model.client().messages.create
    create(model="practice", max_tokens=100, messages=[ASK])
    with pytest.raises(anthropic.BadRequestError):
        create(model="practice", max_tokens=-1, messages=[ASK])
    assert [request["max_tokens"] for request in model.requests] == [100, -1]
    assert model.requests[0]["messages"] == [ASK]


def test_a_request_with_a_wrong_key_is_kept_too():
    model = PracticeModel(lambda request: HELLO)
    with pytest.raises(anthropic.AuthenticationError):
        model.client(api_key="somebody-elses").messages.create(
            model="practice", max_tokens=9, messages=[ASK]
        )
    assert [request["max_tokens"] for request in model.requests] == [9]


def test_the_client_is_made_once_and_anew_when_it_was_closed():
    model = PracticeModel(lambda request: HELLO)
    first = model.client()
    assert model.client() is first
    first.close()
    assert model.client() is not first
    assert model.client().messages.create(model="practice", max_tokens=9, messages=[ASK])


def test_nothing_is_read_from_the_environment(monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "a-real-one")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://elsewhere.invalid")
    monkeypatch.setenv("ANTHROPIC_PROFILE", "work")
    monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", "x-api-key: a-real-one")
    monkeypatch.setenv("HTTP_PROXY", "http://proxy.invalid:1")
    client = PracticeModel(lambda request: HELLO).client()
    assert client.api_key == server.KEY and client.max_retries == 0
    assert client.messages.create(model="practice", max_tokens=9, messages=[ASK]).content


def test_the_sdk_is_imported_when_a_client_is_made_and_not_before():
    program = (
        "import sys; from lesson.practice.model import PracticeModel; model = PracticeModel();"
        "print(sorted({'anthropic', 'httpx2', 'jsonschema', 'pydantic'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr
