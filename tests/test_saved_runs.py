"""A saved run that was cut short or tampered with opens with a clear error, or can be shown."""

import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_connect import KEY

from lesson.runs.trace import Trace
from lesson.runs.trial import play
from lesson.widgets import Player


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """The path of a saved run."""
    trial = play("hello")
    return Trace.from_rounds(trial.rounds, trial.messages[:1]).save(
        tmp_path_factory.mktemp("runs") / "a.json"
    )


def open_or_refuse(path, data):
    """Open a file with this content. It can be shown, or the error is a sentence."""
    path.write_bytes(data)
    try:
        trace = Trace.open(path)
    except ValueError as problem:
        assert f"{path.name} is not a run saved by this package, or not all" in str(problem)
        assert len(str(problem)) < 500
        return None
    json.dumps(Player(trace).state)
    Player(trace).text()
    return trace


def test_a_file_that_was_cut_short_is_refused_wherever_it_was_cut(saved, tmp_path):
    whole = saved.read_bytes()
    for end in range(0, len(whole) - 2, len(whole) // 40):
        assert open_or_refuse(tmp_path / "cut.json", whole[:end]) is None


@pytest.mark.parametrize("data", [b"\xff\xfe\x00", b"[" * 100_000, b"9" * 5000, b'{"format": []}'])
def test_what_is_something_else_altogether_is_refused(data, tmp_path):
    assert open_or_refuse(tmp_path / "odd.json", data) is None


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@given(st.data())
def test_whatever_is_put_into_it_it_is_refused_or_can_be_shown(saved, tmp_path_factory, data):
    run = json.loads(saved.read_text(encoding="utf-8"))
    place = run
    while isinstance(place, (dict, list)) and place:
        keys = list(place) if isinstance(place, dict) else range(len(place))
        parent, key = place, data.draw(st.sampled_from(list(keys)))
        place = place[key]
        if data.draw(st.integers(0, 3)) == 0:
            break
    parent[key] = data.draw(anything)
    open_or_refuse(tmp_path_factory.getbasetemp() / "tampered.json", json.dumps(run).encode())


def test_what_a_newer_version_added_is_left_out(saved, tmp_path):
    run = json.loads(saved.read_text(encoding="utf-8"))
    run["steps"][1]["round"] |= {"novelty": 1}
    run["steps"][1]["round"]["calls"][0] |= {"novelty": 1}
    newer = open_or_refuse(tmp_path / "newer.json", json.dumps(run).encode())
    assert newer.steps == Trace.open(saved).steps


def test_a_saved_run_holds_no_key(saved, tmp_path, monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    trace = Trace.open(saved)
    trace.steps[0].messages[0]["content"] = f"My key is {KEY}, do not tell. \ud800"
    text = trace.save(tmp_path / "b.json").read_text(encoding="utf-8")
    assert KEY not in text
    assert "My key is [your key], do not tell." in text


def test_a_save_that_fails_leaves_the_old_file_as_it_was(saved, tmp_path):
    old = Trace.open(saved)
    path = old.save(tmp_path / "c.json")
    before = path.read_bytes()
    old.steps[0].messages[0]["content"] = object()
    with pytest.raises(TypeError):
        old.save(path)
    assert path.read_bytes() == before


@pytest.mark.skipif(os.name == "nt", reason="Windows has no pipes and devices among its files")
def test_a_pipe_or_a_device_in_a_runs_place_is_refused_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "device.json").symlink_to("/dev/zero")
    for name in ("pipe.json", "device.json"):
        with pytest.raises(ValueError, match="is a pipe or a device"):
            Trace.open(tmp_path / name)


def test_a_file_too_large_for_a_run_is_not_read(tmp_path):
    with (tmp_path / "run.json").open("wb") as file:
        file.truncate(2**40)
    with pytest.raises(ValueError, match="it is larger than 64 MB"):
        Trace.open(tmp_path / "run.json")
