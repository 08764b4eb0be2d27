"""The runs that come with the package: made by this very code, and the same when played again."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import measured_runs as tool
import pytest

from agentlib.nag import Nag
from agentlib.todo import TodoManager
from lesson.runs import store
from lesson.runs.measured import WINDOWS, Measured, Setting, kept

REPOSITORY = Path(__file__).parents[1]
STORED = json.loads(store.stored_in(tool.TASK).read_text(encoding="utf-8"))


def stored_runs():
    """Every stored run, with its setting."""
    for window, runs in STORED["columns"].items():
        settings = Setting(tool.TASK, window=int(window)).column()
        yield from map(Measured.decode, settings, runs)


def sample():
    """The middle one of the runs that ended for the same reason, for each of the reasons."""
    by_reason = {}
    for run in stored_runs():
        by_reason.setdefault(run.reason, []).append(run)
    return [runs[len(runs) // 2] for runs in by_reason.values()]


def test_the_stored_runs_are_as_old_as_the_code():
    settings = {"thresholds": list(tool.THRESHOLDS), "windows": list(WINDOWS)}
    expected = {"task": tool.TASK, "settings": settings, "digest": store.digest(tool.TASK)}
    assert STORED["made_from"] == expected, (
        "The stored runs are older than the code that plays them: run `make runs`."
    )


def test_there_is_a_stored_run_for_every_setting_of_the_map():
    settings = [Setting(tool.TASK, window=window) for window in WINDOWS]
    assert [run.setting for run in stored_runs()] == [s for one in settings for s in one.column()]


@pytest.mark.parametrize("run", sample(), ids=lambda run: run.reason)
def test_a_stored_run_is_the_same_when_it_is_played_again(run):
    assert tool.play(run.setting) == run, "Stored, and played again. Run `make verify` for all."


def test_the_file_is_as_the_tool_writes_it_a_line_for_each_column():
    text = store.stored_in(tool.TASK).read_text(encoding="utf-8")
    assert text == tool.to_text(STORED)
    assert len(text.splitlines()) == len(WINDOWS) + 3


# Whose runs they are


def test_a_list_or_a_reminder_of_your_own_is_played_and_not_taken_from_the_store():
    class OwnNag(Nag):
        pass

    class OwnList(TodoManager):
        pass

    assert kept(Setting(window=33)) is not None
    assert kept(Setting(window=33, nag=OwnNag)) is None
    assert kept(Setting(window=33, todo=OwnList)) is None


@pytest.fixture(scope="module")
def copied(tmp_path_factory):
    """A copy of the package, for somebody who changes it."""
    folder = tmp_path_factory.mktemp("copied") / "agentlib"
    without = shutil.ignore_patterns("__pycache__", "widgets", "exercises", "terminal")
    return shutil.copytree(store.PACKAGE, folder, ignore=without)


def is_stored(package):
    """Whether a copy of the package takes a run from its store, in a process of its own."""
    script = "from lesson.runs.measured import Setting, kept; print(kept(Setting()) is not None)"
    result = subprocess.run(
        [sys.executable, "-c", script],
        env=os.environ | {"PYTHONPATH": str(package.parent), "PYTHONDONTWRITEBYTECODE": "1"},
        cwd=package.parent,
        capture_output=True,
        text=True,
        check=True,
    )
    return result.stdout == "True\n"


def test_line_ends_and_bytecode_make_no_difference(copied):
    for path in [*copied.rglob("*.py"), *copied.rglob("*.toml")]:
        text = path.read_bytes().replace(b"\r\n", b"\n")
        path.write_bytes(text.replace(b"\n", b"\r\n"))
    bytecode = copied / "samples" / tool.TASK / "project" / "__pycache__"
    bytecode.mkdir()
    (bytecode / "shop.cpython-311.pyc").write_bytes(b"as an installer leaves it")
    assert is_stored(copied)


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("nag.py", "<reminder>", "<reminder>Please: "),
        ("samples/ten_steps/task.toml", "closing = ", "closing =  "),
        ("samples/ten_steps/project/shop.py", "\n", "\n# A comment\n"),
    ],
)
def test_who_changes_what_a_run_depends_on_gets_runs_of_their_own(copied, name, old, new):
    path = copied / name
    before = path.read_text(encoding="utf-8")
    assert old in before
    path.write_text(before.replace(old, new, 1), encoding="utf-8")
    try:
        assert not is_stored(copied)
    finally:
        path.write_text(before, encoding="utf-8")


def test_every_module_that_works_in_a_run_is_in_the_digest():
    worked = set()
    sys.setprofile(lambda frame, event, argument: worked.add(frame.f_code.co_filename))
    try:
        for setting in (Setting(after=4), Setting(after=8), Setting(after=None, plan=False)):
            tool.play(setting)
    finally:
        sys.setprofile(None)
    ours = {Path(name) for name in worked if Path(name).is_relative_to(store.PACKAGE)}
    assert len(ours) > 20
    assert ours <= set(store.sources(tool.TASK))


# What `make verify` says


@pytest.fixture(scope="module")
def played():
    """A small file of measured runs, of a task that takes no time."""
    return tool.play_columns({"task": "package", "settings": {"windows": [5]}})


def leaves(data, place=()):
    """Every place in a file that holds a text or a number."""
    if isinstance(data, dict | list):
        for key in data if isinstance(data, dict) else range(len(data)):
            yield from leaves(data[key], (*place, key))
    else:
        yield place


def altered(data, place):
    """A copy of a file in which one text or number is another."""
    data = json.loads(json.dumps(data))
    *path, last = place
    around = data
    for key in path:
        around = around[key]
    around[last] = around[last] + 1 if isinstance(around[last], int) else f"{around[last]}x"
    return data


def test_whatever_is_altered_in_a_file_is_found_and_named(played):
    places = list(leaves(played))
    assert len(places) > 17 * 11
    for place in places:
        found = [where for where, _, _ in tool.differences(altered(played, place), played)]
        assert found == [place]


def test_a_run_that_is_missing_or_too_many_is_found(played):
    for change in (lambda runs: runs.pop(), lambda runs: runs.append(runs[0]), list.clear):
        data = json.loads(json.dumps(played))
        change(data["columns"]["5"])
        assert [place for place, _, _ in tool.differences(data, played)] == [("columns", "5")]
    fewer = {"made_from": played["made_from"], "columns": {}}
    assert [place for place, _, _ in tool.differences(fewer, played)] == [("columns", "5")]


def verify(*paths):
    """What the command says of these files or folders, and its exit code."""
    command = [sys.executable, str(REPOSITORY / "tools" / "measured_runs.py"), "--check"]
    result = subprocess.run([*command, *map(str, paths)], capture_output=True, text=True)
    return result.stdout, result.returncode


def test_verify_finds_the_files_of_a_folder_and_names_what_is_not_so(played, tmp_path):
    file, broken = tmp_path / "package.runs.json", tmp_path / "broken.runs.json"
    file.write_text(tool.to_text(played), encoding="utf-8")
    said, code = verify(tmp_path)
    assert (said.splitlines()[1:], code) == (["Files played again: 1. Differences: 0."], 0)
    file.write_text(tool.to_text(altered(played, ("columns", "5", 5, 4, 0))), encoding="utf-8")
    broken.write_text(tool.to_text(played)[:-9], encoding="utf-8")
    said, code = verify(tmp_path)
    count = played["columns"]["5"][5][4][0]
    assert (
        f"{file}: columns, 5, reminder after 6, usage, input_tokens: stored is {count + 1}, "
        f"but played again it is {count}\n" in said
    )
    assert f"{broken} is not a file of measured runs, or not all of it" in said
    assert (code, "Differences: 2." in said) == (1, True)


def test_the_package_s_own_file_is_told_where_it_holds_less_than_the_map(tmp_path, monkeypatch):
    def play_again(content, made_from):
        return STORED if json.loads(made_from) == tool.WHOLE_MAP else fewer

    fewer = json.loads(json.dumps(STORED))
    fewer["made_from"]["settings"]["windows"].remove(12)
    del fewer["columns"]["12"]
    file = tmp_path / store.stored_in(tool.TASK).name
    file.write_text(json.dumps(fewer), encoding="utf-8")
    monkeypatch.setattr(tool, "play_again", play_again)
    told = list(tool.verify(file))
    assert any("columns, 12: stored is nothing" in sentence for sentence in told)


def test_verify_is_not_content_with_nothing(tmp_path):
    assert verify(tmp_path) == ("Files played again: 0. Differences: 0.\n", 1)
