"""Saved runs: their format, redaction, and files that are none."""

import json
from typing import Any

import pytest
from loopback import KEY

from lesson import PracticeModel, connect
from lesson.model_choice import connect_practice
from lesson.program.run import PrintingClient
from lesson.real_model.connection import ConnectError
from lesson.redaction import redact
from lesson.runs.trace import Trace
from lesson.runs.trial import play


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """Save the first rounds of a run. Return the path of its file."""
    trial = play("hello")
    return Trace.from_rounds(trial.rounds[:4], trial.messages[:1]).save(
        tmp_path_factory.mktemp("runs") / "a.json"
    )


EMPTY = {"format": "agentlib trace 3", "title": "x", "after": 3, "usage": [], "messages": []}
ODD_FIELDS: list[dict[str, Any]] = [
    {"title": 3},
    {"after": "three"},
    {"usage": 5},
    {"usage": [{"input_tokens": "many"}]},
    {"usage": [{"input_tokens": -(10**30)}]},
    {"usage": [{"tokens": 3}]},
    {"messages": None},
    {"messages": [{"role": "user", "content": [{"type": []}]}]},
    {"messages": [{"role": "user", "content": "x", "cost": float("nan")}]},
]


@pytest.mark.parametrize(
    "data",
    [
        *(json.dumps(EMPTY | odd).encode() for odd in ODD_FIELDS),
        b'{"format": "agentlib trace 3"}',
        b'[{"role": "user", "content": "x", "cost": 1e999}]',
        b"[" * 100_000,
        b"",
        b'{"format": "agentlib trace 2", "title": "x", "after": 3, "steps": []}',
        b'{"type": "summary"}',
        b'["text"]',
    ],
    ids=lambda data: data[-40:],
)
def test_other_file_is_rejected(data, tmp_path):
    (tmp_path / "odd.json").write_bytes(data)
    with pytest.raises(ValueError, match=r"odd\.json cannot be opened: "):
        Trace.open(tmp_path / "odd.json")


def test_list_of_messages_opens_like_a_saved_run(tmp_path):
    trial = play("hello")
    (tmp_path / "messages.json").write_text(json.dumps(trial.messages))
    trace = Trace.open(tmp_path / "messages.json")
    assert trace.title == "messages"
    assert trace.frames == Trace.from_messages(trial.messages).frames
    assert trace.frames[-1].items == tuple(trial.items)


def test_keys_are_redacted_when_a_run_is_saved(saved, tmp_path, monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    trace = Trace.open(saved)
    trace.frames[0].messages[0]["content"] = f"My key is {KEY}, do not tell. \ud800"
    text = trace.save(tmp_path / "b.json").read_text(encoding="utf-8")
    assert KEY not in text
    assert "My key is [your key], do not tell." in text


def test_key_that_connect_was_called_with_is_redacted():
    with pytest.raises(ConnectError):
        connect("m", env={"ANTHROPIC_BASE_URL": "http://192.0.2.1", "ANTHROPIC_API_KEY": KEY})
    assert redact(f"It is {KEY}.") == "It is [your key]."


END = "-----END " + "PRIVATE KEY-----"


# Each key is assembled here, so that no secret scanner reports this file.
@pytest.mark.parametrize(
    "key",
    [
        "sk-ant-" + "a1B2" * 8,
        "AKIA" + "Q7" * 8,
        "ghp_" + "aB3d" * 9,
        "AIza" + "aB3-d" * 7,
        "hf_" + "aBcd" * 9,
        "\n".join(["-----BEGIN " + "PRIVATE KEY-----", *["MIIEab+/"] * 9, END]),
    ],
    ids=lambda key: key[:6],
)  # fmt: skip
def test_key_of_a_common_service_is_redacted(key):
    assert redact({"x": [f"before {key} after"]}) == {"x": ["before [your key] after"]}


def test_aws_secret_is_redacted():
    secret = "aB3/" * 10
    assert secret not in redact(f"aws_secret_access_key = {secret}")


def test_ordinary_words_are_not_redacted():
    assert redact("sk-text-repr-fallback") == "sk-text-repr-fallback"


def test_program_prints_no_key(capsys):
    key = "sk-ant-0123456789abcdef"
    failed = {"type": "tool_result", "tool_use_id": "a", "content": key, "is_error": True}
    call = {"type": "tool_use", "id": "a", "name": "bash", "input": {"command": key}}
    messages = [{"role": "assistant", "content": [call]}, {"role": "user", "content": [failed]}]
    model = PracticeModel(lambda request: [{"type": "text", "text": key}])
    client = PrintingClient(connect_practice(model))
    client.create(
        model="practice", max_tokens=9, messages=[{"role": "user", "content": "Go"}, *messages]
    )
    printed = capsys.readouterr().out
    assert key not in printed and printed.count("[your key]") == 2
