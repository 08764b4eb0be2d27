"""The HTTP exchange: address, body, API key; and the client of the real SDK."""

import subprocess
import sys
from pathlib import Path

import anthropic
import pytest
from support.practice_api import ASK, body, post, rejection, say_hello, send

from lesson.practice.api import server
from lesson.practice.model import PracticeModel


def test_wrong_key_is_401():
    wrong = (401, "authentication_error", "invalid x-api-key")
    assert rejection(api_key="somebody-elses") == wrong


def test_other_addresses_are_404():
    client = PracticeModel().client()
    with pytest.raises(anthropic.NotFoundError, match="Not Found"):
        client.messages.count_tokens(model="practice", messages=[ASK])
    with pytest.raises(anthropic.NotFoundError, match="Not Found"):
        client.models.list()


def test_each_response_has_its_own_request_id():
    assert send()._request_id != send()._request_id
    with pytest.raises(anthropic.BadRequestError) as rejected:
        send({"max_tokens": -1})
    assert rejected.value.request_id == rejected.value.body["request_id"]


def test_requests_are_recorded_even_if_rejected():
    model = PracticeModel(say_hello)
    for change, key in (({}, server.KEY), ({"max_tokens": -1}, server.KEY), ({}, "wrong")):
        try:
            post(model.client(api_key=key), body(change))
        except anthropic.APIStatusError:
            continue
    assert model.requests == [body(), body({"max_tokens": -1}), body()]


def test_policy_cannot_change_the_recorded_request():
    def spoil(request):
        request["messages"].clear()
        return say_hello(request)

    model = PracticeModel(spoil)
    usage = post(model.client(), body()).usage
    assert model.requests == [body()] and usage.input_tokens == 1


def test_client_is_reused():
    model = PracticeModel(say_hello)
    assert model.client() is model.client()


def test_environment_variables_are_ignored(monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "a-real-one")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://elsewhere.invalid")
    monkeypatch.setenv("HTTP_PROXY", "http://proxy.invalid:1")
    client = PracticeModel(say_hello).client()
    assert client.api_key == server.KEY and client.max_retries == 0
    assert client.messages.create(model="practice", max_tokens=9, messages=[ASK]).content


def test_sdk_is_imported_only_when_a_client_is_made():
    program = (
        "import sys, lesson.exercises.catalogue; from lesson import PracticeModel; PracticeModel();"
        "unused = {'anthropic', 'httpx2', 'pydantic', 'IPython', 'ipywidgets'};"
        "print(sorted(unused & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr


def test_readme_lists_every_module():
    folder = Path(server.__file__).parent
    readme = (folder / "README.md").read_text(encoding="utf-8")
    modules = [path.stem for path in folder.glob("*.py") if path.stem != "__init__"]
    assert [module for module in modules if f"| `{module}` |" not in readme] == []


def test_streams_are_rejected():
    assert send({"stream": False}).content[0].text == "Hello."
    message = "stream: the practice model sends whole messages only. Leave it out."
    assert rejection({"stream": True}) == (400, "invalid_request_error", message)


def test_the_sdks_tool_runner_sends_the_whole_history_instead_of_a_thread():
    def policy(request):
        if len(request["messages"]) > 1:
            return say_hello(request)
        return [{"type": "tool_use", "name": "add", "input": {"a": 1, "b": 2}}]

    @anthropic.beta_tool
    def add(a: int, b: int) -> str:
        """Add two numbers."""
        return str(a + b)

    model = PracticeModel(policy)
    runner = model.client().beta.messages.tool_runner(
        model="practice", max_tokens=100, tools=[add], messages=[ASK]
    )
    assert [message.stop_reason for message in runner] == ["tool_use", "end_turn"]
    assert ["thread" in request for request in model.requests] == [True, False, False]
    result = model.requests[-1]["messages"][-1]["content"][0]
    assert result["type"] == "tool_result" and "3" in str(result["content"])
