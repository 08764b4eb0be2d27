"""The HTTP exchange: address, body, API key; and the client of the real SDK."""

import subprocess
import sys
from pathlib import Path

import anthropic
import pytest
from support.practice_api import ASK, body, invalid, post, rejection, say_hello, send

from lesson.practice.api import server
from lesson.practice.model import PracticeModel

HEADERS = {"x-api-key": server.KEY, "anthropic-version": "2023-06-01"}
HTTP = PracticeModel().client()._client


def raw(method="POST", path="/v1/messages", content=b"{}", headers=HEADERS):
    """Send a request that the SDK would not make; return the status, kind and error message."""
    url = "http://practice.invalid" + path
    response = HTTP.request(method, url, content=content, headers=headers)
    error = response.json()["error"]
    return response.status_code, error["type"], error["message"]


def test_wrong_key_is_401():
    wrong = (401, "authentication_error", "invalid x-api-key")
    assert rejection(api_key="somebody-elses") == wrong
    assert raw(headers=HEADERS | {"x-api-key": "somebody-elses"}) == wrong


def test_missing_key_is_401_and_missing_version_is_400():
    missing = (401, "authentication_error", "x-api-key header is required")
    assert raw(headers={}) == missing
    only_key = {"x-api-key": server.KEY}
    assert raw(headers=only_key) == invalid("anthropic-version: header is required")


def test_other_paths_are_404_and_other_methods_405():
    assert raw(path="/v1/message") == (404, "not_found_error", "Not Found")
    assert raw(path="/v1/messages/count_tokens") == (404, "not_found_error", "Not Found")
    assert raw("GET", content=b"")[0] == 405


@pytest.mark.parametrize("content", [b" ", b'{"model": ', b'{"model": nope}', b'{"top_k": NaN}'])
def test_invalid_json_is_400(content):
    status, _, message = raw(content=content)
    assert status == 400
    assert message.startswith("The request body is not valid JSON: ") and ": line 1 " in message


@pytest.mark.parametrize("content", [rb'{"model": "\ud83d"}', rb'{"model": "\ud83d\ud83d"}'])
def test_lone_surrogate_is_invalid_json(content):
    expected = "The request body is not valid JSON: no low surrogate in string: line 1 column"
    assert raw(content=content)[2].startswith(expected)


def test_json_that_is_not_an_object_is_400():
    assert raw(content=b"[]") == invalid("Input should be an object")


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


def test_client_is_reused_until_it_is_closed():
    model = PracticeModel(say_hello)
    first = model.client()
    assert model.client() is first
    first.close()
    assert model.client() is not first
    assert post(model.client(), body()).content


def test_environment_variables_are_ignored(monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "a-real-one")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://elsewhere.invalid")
    monkeypatch.setenv("ANTHROPIC_PROFILE", "work")
    monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", "x-api-key: a-real-one")
    monkeypatch.setenv("HTTP_PROXY", "http://proxy.invalid:1")
    client = PracticeModel(say_hello).client()
    assert client.api_key == server.KEY and client.max_retries == 0
    assert client.messages.create(model="practice", max_tokens=9, messages=[ASK]).content


def test_sdk_is_imported_only_when_a_client_is_made():
    program = (
        "import sys; from lesson.practice.model import PracticeModel; model = PracticeModel();"
        "print(sorted({'anthropic', 'httpx2', 'pydantic'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr


def test_readme_lists_every_module():
    folder = Path(server.__file__).parent
    readme = (folder / "README.md").read_text(encoding="utf-8")
    modules = [path.stem for path in folder.glob("*.py") if path.stem != "__init__"]
    assert [module for module in modules if f"| `{module}` |" not in readme] == []
