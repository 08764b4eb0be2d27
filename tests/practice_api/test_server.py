"""The HTTP exchange, and the client of the real SDK."""

import subprocess
import sys

import anthropic
import pytest
from support.practice_api import ASK, say_hello

from lesson.practice.model import PracticeModel


def test_other_addresses_are_404():
    client = PracticeModel().client()
    with pytest.raises(anthropic.NotFoundError, match="Not Found"):
        client.messages.count_tokens(model="practice", messages=[ASK])


def test_environment_variables_are_ignored(monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "a-real-one")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://elsewhere.invalid")
    monkeypatch.setenv("HTTP_PROXY", "http://proxy.invalid:1")
    client = PracticeModel(say_hello).client()
    assert client.api_key.startswith("practice-key") and client.max_retries == 0
    assert client.messages.create(model="practice", max_tokens=9, messages=[ASK]).content


def test_sdk_is_imported_only_when_a_client_is_made():
    program = (
        "import sys, lesson.exercises.progress; from lesson import PracticeModel; PracticeModel();"
        "unused = {'anthropic', 'httpx2', 'pydantic', 'IPython', 'ipywidgets'};"
        "print(sorted(unused & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr
