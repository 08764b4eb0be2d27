"""Saved runs: their format, redaction, atomic writes; truncated files and tampered ones."""

import json
from copy import deepcopy

import pytest
from hypothesis import given
from hypothesis import strategies as st
from loopback import KEY
from support.blocks import result, text, use

from lesson import connect
from lesson.real_model.connection import ConnectError
from lesson.redaction import redact
from lesson.runs.trace import Trace
from lesson.runs.trial import play
from lesson.widgets.player import Player


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """Save the first rounds of a run. Return the path of its file."""
    trial = play("hello")
    return Trace.from_rounds(trial.rounds[:4], trial.messages[:1]).save(
        tmp_path_factory.mktemp("runs") / "a.json"
    )


def open_or_refuse(path, data):
    """Open a file with this content. Return the Trace if it can be shown, or None for an error."""
    path.write_bytes(data)
    try:
        trace = Trace.open(path)
    except ValueError as problem:
        assert str(problem).startswith(f"{path.name} cannot be opened: ")
        assert len(str(problem)) < 500
        return None
    json.dumps(Player(trace).state, allow_nan=False)
    Player(trace).text()
    return trace


def test_truncated_file_is_rejected(saved, tmp_path):
    whole = saved.read_bytes()
    for end in range(0, len(whole) - 2, len(whole) // 40):
        assert open_or_refuse(tmp_path / "cut.json", whole[:end]) is None


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\xfe\x00",
        b"[" * 100_000,
        b"9" * 5000,
        b'{"format": "agentlib trace 2", "title": "x", "after": 3, "steps": []}',
        b'{"type": "summary"}',
        b'["text"]',
        b'[{"role": "user", "content": NaN}]',
    ],
    ids=lambda data: data[:40],
)
def test_other_file_is_rejected(data, tmp_path):
    assert open_or_refuse(tmp_path / "odd.json", data) is None


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


def test_list_of_messages_opens_like_a_saved_run(tmp_path):
    trial = play("hello")
    (tmp_path / "messages.json").write_text(json.dumps(trial.messages))
    trace = Trace.open(tmp_path / "messages.json")
    assert trace.title == "messages"
    assert trace.frames == Trace.from_messages(trial.messages).frames
    assert trace.frames[-1].items == tuple(trial.items)


MESSAGES = [
    {"role": "user", "content": "Work"},
    {"role": "assistant", "content": [use("todo", "a", items=[{"text": "Read"}])]},
    {"role": "user", "content": [result("a", [text("ok")])]},
]


@pytest.mark.parametrize("is_list", [False, True])
@given(st.data())
def test_tampered_file_is_rejected_or_can_be_shown(saved, tmp_path_factory, is_list, data):
    run = deepcopy(MESSAGES) if is_list else json.loads(saved.read_text(encoding="utf-8"))
    place = run
    while isinstance(place, (dict, list)) and place:
        keys = list(place) if isinstance(place, dict) else range(len(place))
        parent, key = place, data.draw(st.sampled_from(list(keys)))
        place = place[key]
        if data.draw(st.integers(0, 3)) == 0:
            break
    parent[key] = data.draw(anything)
    path = tmp_path_factory.getbasetemp() / "tampered.json"
    open_or_refuse(path, json.dumps(run).encode())


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
