"""Saved runs: their format, redaction, atomic writes; truncated files and tampered ones."""

import json
import os
import subprocess
import sys
import time
from copy import deepcopy

import pytest
from hypothesis import given
from hypothesis import strategies as st
from loopback import KEY
from support.blocks import result, text, use
from support.processes import PATIENCE_SECONDS

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
        assert f"{path.name} is not a run saved by this package, or not all" in str(problem)
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
        b'{"format": "agentlib trace 1", "title": "x", "after": 3, "steps": []}',
        b'{"type": "summary"}',
    ],
    ids=lambda data: data[:40],
)
def test_other_file_is_rejected(data, tmp_path):
    assert open_or_refuse(tmp_path / "odd.json", data) is None


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


CALL = use("TaskCreate", "a", subject="Read")
REPLY = {"id": "m", "content": [CALL], "usage": {"input_tokens": 3}}
SESSION = [
    {"type": "user", "uuid": "1", "parentUuid": None, "message": {"content": "Work"}},
    {"type": "assistant", "uuid": "2", "parentUuid": "1", "message": REPLY},
    {"type": "user", "uuid": "3", "parentUuid": "2"}
    | {"message": {"content": [result("a", [text("ok")])]}},
    {"type": "attachment", "uuid": "4", "parentUuid": "3", "attachment": {"type": "todo_reminder"}},
]


@pytest.mark.parametrize("is_session", [False, True])
@given(st.data())
def test_tampered_file_is_rejected_or_can_be_shown(saved, tmp_path_factory, is_session, data):
    run = deepcopy(SESSION) if is_session else json.loads(saved.read_text(encoding="utf-8"))
    place = run
    while isinstance(place, (dict, list)) and place:
        keys = list(place) if isinstance(place, dict) else range(len(place))
        parent, key = place, data.draw(st.sampled_from(list(keys)))
        place = place[key]
        if data.draw(st.integers(0, 3)) == 0:
            break
    parent[key] = data.draw(anything)
    lines = map(json.dumps, run) if is_session else [json.dumps(run)]
    open_or_refuse(tmp_path_factory.getbasetemp() / "tampered.json", "\n".join(lines).encode())


def test_impossible_token_count_is_rejected_in_a_run_and_ignored_in_a_session(saved, tmp_path):
    run, session = json.loads(saved.read_text(encoding="utf-8")), deepcopy(SESSION)
    run["steps"][1]["round"]["usage"]["input_tokens"] = 10**400
    assert open_or_refuse(tmp_path / "run.json", json.dumps(run).encode()) is None
    session[1]["message"] |= {"usage": {"input_tokens": 10**400}, "stop_reason": 7}
    lines = "\n".join(map(json.dumps, session)).encode()
    trace = open_or_refuse(tmp_path / "session.jsonl", lines)
    assert trace.rounds[0].usage.total == 0
    assert Trace.open(trace.save(tmp_path / "copy.json")).steps == trace.steps


def test_unknown_fields_of_a_newer_version_are_ignored(saved, tmp_path):
    run = json.loads(saved.read_text(encoding="utf-8"))
    run["steps"][1]["round"] |= {"novelty": 1}
    newer = open_or_refuse(tmp_path / "newer.json", json.dumps(run).encode())
    assert newer.steps == Trace.open(saved).steps


def test_file_of_the_first_format_opens(saved, tmp_path):
    """The first format repeats text and calls in each round, and at first had no is_last."""
    run, trace = json.loads(saved.read_text(encoding="utf-8")), Trace.open(saved)
    run["format"] = "agentlib trace 1"
    for step, played in zip(run["steps"][1:], trace.rounds, strict=True):
        del step["round"]["is_last"]
        step["round"] |= {"text": played.text, "calls": [vars(call) for call in played.calls]}
    assert open_or_refuse(tmp_path / "old.json", json.dumps(run).encode()).steps == trace.steps


def test_input_of_a_call_is_saved_once(tmp_path):
    call = use("write_file", "a", content="x" * 9999)
    path = Trace.from_messages([{"role": "assistant", "content": [call]}]).save(tmp_path / "a.json")
    assert path.read_text(encoding="utf-8").count("x" * 9999) == 1
    assert Trace.open(path).rounds[0].calls[0].input == call["input"]


def test_run_too_large_to_open_is_not_saved(tmp_path, monkeypatch):
    monkeypatch.setattr("lesson.runs.saved.MAX_BYTES", 1000)
    trace = Trace.from_messages([{"role": "user", "content": "x" * 1000}])
    with pytest.raises(OSError, match="larger than"):
        trace.save(tmp_path / "run.json")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("number", ["NaN", "-Infinity", "1e999"])
def test_number_that_json_does_not_have_becomes_a_string(tmp_path, number):
    turn = {"role": "assistant", "content": [use("f", "a", x="NUMBER")]}
    saved = Trace.from_messages([turn]).save(tmp_path / "run.json").read_bytes()
    session = json.dumps({"type": "assistant", "message": turn | {"id": "m"}}).encode()
    for data in (saved, session):
        data = data.replace(b'"NUMBER"', number.encode())
        trace = open_or_refuse(tmp_path / "run.json", data)
        assert trace.rounds[0].calls[0].input == {"x": number}
    turn["content"][0]["input"]["x"] = float(number)
    json.dumps(Player(Trace.from_messages([turn])).state, allow_nan=False)


def test_keys_are_redacted_when_a_run_is_saved(saved, tmp_path, monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    trace = Trace.open(saved)
    trace.steps[0].messages[0]["content"] = f"My key is {KEY}, do not tell. \ud800"
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
        "github_pat_" + "aB3d" * 11,
        "AIza" + "aB3-d" * 7,
        "xoxb-" + "1234-" * 4 + "ab",
        "hf_" + "aBcd" * 9,
        "sk_live_" + "aB3d" * 6,
        "eyJ" + "hbGciOi1" * 2 + ".eyJ" + "zdWIiOiI" * 2 + "." + "c2lnbmF0" * 3,
        "\n".join(["-----BEGIN " + "PRIVATE KEY-----", *["MIIEab+/"] * 9, END]),
    ],
    ids=lambda key: key[:6],
)  # fmt: skip
def test_key_of_a_common_service_is_redacted(key):
    assert redact({"x": [f"before {key} after"]}) == {"x": ["before [your key] after"]}


def test_bearer_token_and_aws_secret_are_redacted():
    token, secret = "aB3d" * 8, "aB3/" * 10
    assert token not in redact(f"Authorization: Bearer {token}")
    assert secret not in redact(f"aws_secret_access_key = {secret}")


@pytest.mark.parametrize("text", ["sk-text-repr-fallback", "the bearer of bad news-and-good-ones"])
def test_ordinary_words_are_not_redacted(text):
    assert redact(text) == text


@pytest.mark.parametrize("part", ["eyJ-", "sk-", "Bearer ", "-----BEGIN PRIVATE KEY-----", "xox"])
def test_redaction_takes_linear_time(part):
    start = time.process_time()
    redact(part * 50_000)  # in quadratic time, it would take minutes
    assert time.process_time() - start < PATIENCE_SECONDS


@pytest.mark.skipif(os.name == "nt", reason="Windows has no limit on the size of a file")
def test_atomic_write_leaves_nothing_when_the_disk_is_full(tmp_path):
    # A limit on the size of files fails as a full disk does: after a part was written.
    script = (
        "import resource, signal, sys; from pathlib import Path; "
        "from agentlib.sandbox.files import write_atomically; "
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000)); "
        "write_atomically(Path(sys.argv[1]), b'x' * 100_000)"
    )
    command = [sys.executable, "-c", script, str(tmp_path / "a.ipynb")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert "File too large" in done.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(os.name == "nt", reason="Windows has no /dev/zero")
def test_endless_file_is_rejected_with_bounded_memory(tmp_path):
    (tmp_path / "endless.json").symlink_to("/dev/zero")
    with pytest.raises(ValueError, match="it is larger than 64 MB"):
        Trace.open(tmp_path / "endless.json")
