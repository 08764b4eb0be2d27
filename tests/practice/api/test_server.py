"""One exchange: the HTTP request, the response message, and the errors of a policy."""

import json
import re
from pathlib import Path

import pytest
from support.blocks import text, use
from support.loop import SETTINGS
from support.practice_api import ASK, rejection, say_hello, send

from lesson.practice import api
from lesson.practice.practice_model import PracticeModel


def test_environment_variables_are_ignored(monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "a-real-one")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://elsewhere.invalid")
    monkeypatch.setenv("HTTP_PROXY", "http://proxy.invalid:1")
    client = PracticeModel(say_hello).client()
    assert client.api_key.startswith("practice-key") and client.max_retries == 0
    assert client.messages.create(messages=[ASK], **SETTINGS).content


CACHED = {"cache_control": {"type": "ephemeral"}, "system": "Be brief." * 300}


@pytest.mark.parametrize("change", [{}, CACHED], ids=["plain", "with cache_control"])
def test_message_has_the_fields_of_the_sdk_and_no_tokens_in_a_cache(change):
    message = send(change)
    assert message.type == "message" and message.role == "assistant"
    assert message.model == "practice" and message.id.startswith("msg_")
    assert message._request_id.startswith("req_")
    assert message.stop_reason == "end_turn" and message.stop_sequence is None
    usage = message.usage
    assert usage.cache_read_input_tokens == usage.cache_creation_input_tokens == 0
    assert usage.input_tokens == 1 + len(change.get("system", "")) // 4


def broken(request):
    return request["no such field"]


LINE = broken.__code__.co_firstlineno


def fails(request):
    return {}["x"]


fails.__module__ = "lesson.practice.faults"


def reads_json(request):
    return json.loads("{")


def forgets_to_return(request):
    [text("Hello")]


@pytest.mark.parametrize(
    ("policy", "says"),
    [
        (broken, f"broken raised KeyError: 'no such field'\nin line {LINE + 1} of broken: return"),
        (fails, "An error of the lesson, and not of your agent: fails raised KeyError: 'x'"),
        (reads_json, 'of reads_json: return json.loads("{")'),  # and no line of the library
        (forgets_to_return, "forgets_to_return returned None, so a `return` is missing. A model"),
        (lambda request: None, "The policy returned None, "),
        (
            lambda request: text("Hello"),
            "returned a value of the type dict. A model returns a list",
        ),
        (lambda request: "Hello", "returned a value of the type str."),
        (lambda request: [{"text": "Hello"}], "its block 1 has no type"),
        (lambda request: [text("Hello"), "Hello"], "its block 2 has no type"),
        (lambda request: [{"type": "tool_use", "name": "x"}], "a tool_use block without input"),
        (lambda request: [use("x") | {"input": "ls"}], "whose input is a str, and not a dict"),
        (lambda request: [use("x") | {"type": "tool-use"}], "the type 'tool-use', not 'tool_use'"),
        (lambda request: [text(object())], "The model's reply cannot be sent: "),
    ],
)
def test_error_of_a_policy_is_500_and_names_the_policy_and_its_line(policy, says):
    status, kind, message = rejection(policy=policy)
    assert (status, kind) == (500, "api_error") and says in message


def test_readme_has_each_module_of_the_package():
    folder = Path(api.__file__).parent
    rows = re.findall(r"(?m)^\| `(\w+)` \|", (folder / "README.md").read_text())
    assert sorted(rows) == sorted(path.stem for path in folder.glob("[!_]*.py"))


def test_model_that_was_called_and_not_given_is_refused_when_it_is_made():
    with pytest.raises(TypeError, match="takes a function.* a value of the type list: do not call"):
        PracticeModel([text("Hello")])
