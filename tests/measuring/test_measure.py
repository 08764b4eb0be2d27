"""Measuring a model: the known table, and what goes wrong with a server in the middle."""

import errno
import json
import os
import re

import pytest
from loopback import KEY, Server, error, message
from support.blocks import text, use

from agentlib import Nag, TodoManager
from lesson import measure
from lesson.__main__ import run as run_command
from lesson.measuring.conditions import CONDITIONS
from lesson.measuring.setup import SENT, VERSION, Setup, digest, make_setup
from lesson.measuring.stored_runs import MeasureError, hide_keys_in, load, locked
from lesson.real_model.connection import make_settings
from lesson.real_model.limits import Limits
from lesson.runs.window import LEFT_OUT
from lesson.samples.jobs import load_job

BUSY = error(529, f"Overloaded, {KEY}")


class Worker(Server):
    """A model that reads a file and stops. `answers` come first; each None is an ordinary one."""

    def answer(self, request):
        if self.answers and (given := self.answers.pop(0)):
            return given
        last = request["messages"][-1]["content"]
        if isinstance(last, list) and last[-1]["type"] == "tool_result":
            return message(text("All ten steps are done."))
        return message(use("read_file", f"t{len(self.requests)}", path="shop.py"))


@pytest.fixture(autouse=True)
def asked(monkeypatch, tmp_path):
    """Work in a new folder, allow all, and return what the user is asked."""
    questions = []
    monkeypatch.setattr("safetylib.bubblewrap.sandbox_works", lambda: True)
    monkeypatch.setattr("safetylib.approval.confirm", lambda one: questions.append(one) or True)
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.chdir(tmp_path)
    return questions


@pytest.fixture
def play(monkeypatch):
    def play(server, **more):
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        return measure("m", **{"runs": 2} | more)

    return play


@pytest.mark.parametrize("model, done", [("practice", [3, 10]), ("Starter", [1, 10])])
def test_table_of_the_scripts_is_known_and_costs_no_question(model, done, tmp_path, asked):
    found = measure(model, runs=1)
    assert not asked and [sum(run.done) for run in found.runs] == done
    assert f"the files show {done[0]} of 10" in repr(found)
    assert "1 of 1 run did more steps than with “no list”" in repr(found)
    assert "the files show" in found._repr_html_() and not [*tmp_path.iterdir()]


def test_user_is_asked_once_and_a_second_call_sends_and_asks_nothing(play, asked, capsys):
    with Worker() as server:
        found = play(server)
        sent = len(server.requests)
        assert len(asked) == 1 and sent == 12  # two requests in each of six runs
        said = capsys.readouterr().out
        assert "m plays 6 runs: at most 360 requests and about 3,000,000" in said
        again = play(server)
        assert len(asked) == 1 and len(server.requests) == sent
    assert repr(again) == repr(found)
    files = [one.read_text("utf-8") for one in sorted(found_files())]
    assert len(files) == 6 and KEY not in "".join(files)
    assert all(json.loads(one)["sent"]["messages"][-1]["role"] == "assistant" for one in files)


def found_files():
    from pathlib import Path

    return Path("measured").glob("*/*.json")


def test_conditions_come_in_turn_and_only_one_has_the_steps_in_its_prompt(play):
    with Worker() as server:
        play(server, runs=1)
        first = [one for one in server.requests if len(one["messages"]) == 1]
    prompts = [str(one["messages"]) for one in first]
    assert ["Merge the two copies" in one for one in prompts] == [False, False, True]
    assert ["STEPS.md" in one for one in prompts] == [True, True, False]
    has_list = ["todo" in [tool["name"] for tool in one["tools"]] for one in first]
    assert has_list == [False, True, False]


@pytest.mark.parametrize("place", [0, 1, 4, 5])
def test_run_that_a_server_breaks_off_is_not_counted_and_the_next_call_goes_on(play, place, capsys):
    with Worker(*[None] * place, *[BUSY] * 3) as server:
        found = play(server)
        assert (
            len(found.runs) == place // 2 and "was broken off, and is not counted" in found.stopped
        )
        assert KEY not in repr(found) + capsys.readouterr().out
        whole = play(server)
    assert [(run.number, run.condition) for run in whole.runs] == [
        (number, name) for number in (1, 2) for name in whole.names
    ]
    assert len({(run.number, run.condition) for run in whole.runs}) == 6 and not whole.stopped


def test_interrupt_keeps_the_runs_that_have_ended(play, monkeypatch):
    def stop(line):
        if "run 1 of 2: " in line and line.startswith("list"):
            raise KeyboardInterrupt

    with Worker() as server:
        with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
            patched.setattr("builtins.print", stop)
            play(server)
        assert len([*found_files()]) == 2
        assert len(play(server).runs) == 6 and len(server.requests) == 12


def test_model_that_never_stops_ends_at_the_limit_of_each_run(play, monkeypatch):
    monkeypatch.setattr(Limits, "max_requests", 3)
    with Worker(*[message(use("read_file", f"t{n}", path="shop.py")) for n in range(30)]) as server:
        found = play(server, runs=1)
    assert len(server.requests) == 9
    assert all("Request limit reached" in run.problem for run in found.runs)
    assert len(found.runs) == 3 and not found.stopped


def test_model_that_calls_no_tool_is_told_after_one_run(play):
    with Server(*[message(text("I would use bash."))] * 9) as server:
        found = play(server)
    assert len(server.requests) == 1 and "the model has called no tool" in repr(found)


@pytest.mark.parametrize("run", [1, 2, 5])
def test_later_run_without_a_call_is_counted_and_the_others_are_played(play, run):
    with Worker(*[None] * 2 * run, message(text("Shall I begin?"))) as server:
        found = play(server)
    assert [one.rounds for one in found.runs] == [2] * run + [1] + [2] * (5 - run)
    assert not found.stopped


def test_two_measurements_in_one_folder_and_a_file_that_is_no_run_are_named(play, tmp_path):
    with Worker() as server:
        with locked(tmp_path / "a"), pytest.raises(MeasureError, match="Another measurement"):
            play(server, folder=tmp_path / "a")
        (tmp_path / "a" / "x.json").write_text("{}")
        with pytest.raises(MeasureError, match="x.json is no run of a measurement"):
            play(server, folder=tmp_path / "a")
        assert server.requests == []
    (tmp_path / "b").mkdir()
    # What `write_atomically` leaves of a run that is killed while it is saved is no run.
    (tmp_path / "b" / ".0123.tmp").write_text("{")
    setup = make_setup("m", load_job("ten_steps"), 12, 3, is_script=False)
    assert load(tmp_path / "b", setup) == ([], [])


STEP = ("Write the greeting", "hello.txt", "Hello!\n")
MORE = ("Write the list", "list.txt", "1\n")
# What makes a result: another one is asked and paid for, and the old file is named and kept.
CHANGES = {
    "steps": {"job": [STEP, MORE]},
    "content": {"job": [("Write the greeting", "hello.txt", "Hi!\n")]},
    "server": {},
    "model": {"model": "org/m"},
    "window": {"window": 20},
    "after": {"after": 5},
    "max_tokens": {},
    "version": {},
}


@pytest.mark.parametrize("change", CHANGES)
def test_run_of_another_setup_is_named_and_neither_shown_nor_replaced(
    change, monkeypatch, tmp_path, asked, capsys
):
    given = {"model": "org_m", "job": [STEP], "runs": 1, "conditions": ["no list"]}
    given |= {"folder": tmp_path / "runs"}
    with Worker() as server, Worker() as other:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        found = measure(**given)
        [old] = (tmp_path / "runs").glob("*.json")
        content = old.read_bytes()
        if change == "server":
            monkeypatch.setenv("ANTHROPIC_BASE_URL", other.url)
        if change == "version":
            monkeypatch.setattr(Setup, "__init__", with_version(VERSION + 1))
        if change == "max_tokens":
            monkeypatch.setattr("lesson.measuring.setup.make_settings", make_short_settings)
        before = len(server.requests) + len(other.requests)
        again = measure(**given | CHANGES[change])
        assert len(asked) == 2 and len(server.requests) + len(other.requests) > before
    assert len(again.runs) == 1
    assert old.read_bytes() == content and len([*(tmp_path / "runs").glob("*.json")]) == 2
    for said in (repr(again), again._repr_html_(), capsys.readouterr().out):
        assert "Not shown, because it was measured with a different" in said and str(old) in said
    if change == "steps":
        assert "the files show 0 of 2" in repr(again)
    with Worker() as server:  # back to the first one: nothing is sent, and the new file is named
        if change not in ("server", "version", "max_tokens"):
            monkeypatch.setenv("ANTHROPIC_BASE_URL", found_url(old))
            assert measure(**given).runs == found.runs and server.requests == []


def found_url(file):
    return "http://" + json.loads(file.read_text("utf-8"))["setup"]["server"]


def with_version(number):
    make = Setup.__init__
    return lambda self, *given: make(self, *given, version=number)


def make_short_settings(model):
    return make_settings(model, 100)


def test_setups_of_all_jobs_of_one_model_have_other_files(play, tmp_path):
    """Two jobs of the learner's have one folder, and each keeps its runs."""
    with Worker() as server:
        for job in ([STEP], [MORE], [STEP]):
            found = play(server, runs=1, job=job)
            assert len(found.runs) == 3
        assert len(server.requests) == 12 and len([*found_files()]) == 6
        assert len(found.others) == 3 and "with a different prompt and steps" in repr(found)


def test_file_of_an_older_lesson_is_named_and_kept(play, tmp_path):
    with Worker() as server:
        play(server, runs=1)
        for file in found_files():
            read = json.loads(file.read_text("utf-8"))
            del read["setup"], read["not_judged"]
            read["cells"] = read.pop("letters")
            file.write_text(json.dumps(read))
            file.rename(file.with_name(f"{file.stem[:-9]}.json"))
        found = play(server, runs=1)
        assert len(server.requests) == 12 and len([*found_files()]) == 6
    assert "Not shown, because it was measured by an older lesson" in repr(found)


DAMAGED = {
    "a number": {"letters": 5},
    "nothing": {"done": None},
    "a word": {"number": "1"},
    "another condition": {"condition": "none"},
    "another letter": {"letters": "zz"},
    "another length": {"steps": "0"},
    "stops": {"all_done": [True]},
    "items": {"items": ["a"]},
}


@pytest.mark.parametrize("damage", [*DAMAGED, "brackets", "half", "pipe", "bytes"])
def test_damaged_file_is_named_before_a_request(play, damage):
    with Worker() as server:
        play(server, runs=1, conditions=["no list"])
        [file] = found_files()
        text = file.read_text("utf-8")
        if damage in DAMAGED:
            text = json.dumps(json.loads(text) | DAMAGED[damage])
        file.unlink()
        if damage == "pipe":
            os.mkfifo(file)  # to open it would wait for ever
        else:
            others = {"brackets": "[" * 100_000, "half": text[:50], "bytes": "\udcff"}
            file.write_text(others.get(damage, text), errors="surrogateescape")
        sent = len(server.requests)
        with pytest.raises(MeasureError, match="is no run of a measurement: .*Move it to another"):
            play(server, runs=1, conditions=["no list"])
        assert len(server.requests) == sent and file.exists()


def test_run_that_cannot_be_saved_is_shown_and_no_other_is_paid(play, monkeypatch, capsys):
    def fail(*given, **more):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with Worker() as server:
        with monkeypatch.context() as full:
            full.setattr("lesson.measuring.stored_runs.write_atomically", fail)
            found = play(server)
        assert len(server.requests) == 2 and len(found.runs) == 1
        for said in (repr(found), found._repr_html_(), capsys.readouterr().out):
            assert "no list, run 1 of 2 is in this table, but its file could not be" in said
            assert "The disk is full" in said
        with monkeypatch.context() as full:
            full.setattr("lesson.samples.copies.tempfile.mkdtemp", fail)
            found = play(server)
        assert len(server.requests) == 2 and found.runs == []
        for said in (repr(found), found._repr_html_()):
            assert "no list, run 1 of 2 could not begin: No space left" in said
        assert len(play(server).runs) == 6


def test_folder_that_cannot_be_written_is_named_before_a_request(play, tmp_path):
    (tmp_path / "taken").write_text("")
    with Worker() as server:
        with pytest.raises(MeasureError, match="No run can be saved in .*taken"):
            play(server, folder=tmp_path / "taken")
        assert server.requests == []


def test_job_without_a_judge_has_a_table_without_steps(play):
    """Everyone knows the job `hello`, whose steps are not counted."""
    with Worker() as server:
        found = play(server, job="hello")
    for said in (repr(found), found._repr_html_()):
        assert "2 runs; median of 2 rounds" in said
        assert "steps done" not in said and "did more steps" not in said


def test_run_whose_files_are_not_judged_is_not_compared(play, monkeypatch):
    monkeypatch.setattr("lesson.samples.project_files.MAX_FILES", 3)
    with Worker() as server:
        found = play(server)
    for said in (repr(found), found._repr_html_()):
        assert "not judged: the folder has more than 3 files" in said
        assert "steps done: not judged, not judged; median" in said
        assert "did more steps" not in said and "0 of 10" not in said
    assert repr(play(server)) == repr(found)  # read from the files


def test_version_of_what_is_sent_is_raised_with_it(play):
    with Worker() as server:
        play(server, runs=1, conditions=[*CONDITIONS])
        first = [one for one in server.requests if len(one["messages"]) == 1]
    fields = [{name: one[name] for name in ("system", "tools", "messages")} for one in first]
    words = [Nag(TodoManager()).reminder(), LEFT_OUT, TodoManager().update([{"text": "a"}])]
    changed = "What is sent has changed: raise VERSION in lesson/measuring/setup.py, with this SENT"
    assert digest([fields, words]) == SENT, changed


@pytest.mark.parametrize("case", ["no", "sandbox", "condition", "runs"])
def test_measurement_that_may_not_begin_sends_nothing(play, monkeypatch, case):
    wrong = {"condition": {"conditions": ["x"]}, "runs": {"runs": 0}}.get(case, {})
    if case == "sandbox":
        monkeypatch.setattr("safetylib.bubblewrap.sandbox_works", lambda: False)
    if case == "no":
        monkeypatch.setattr("safetylib.approval.confirm", lambda question: False)
    with Worker() as server:
        with pytest.raises(MeasureError):
            play(server, **wrong)
        assert server.requests == []


def test_command_prints_the_table(capsys):
    assert run_command(["measure", "practice", "--runs", "1"]) == 0
    assert re.search(r"practice, no list\n", capsys.readouterr().out)
    assert run_command(["measure", "practice", "--condition", "x"]) == 1
    assert "The conditions are" in capsys.readouterr().out


def test_a_key_in_a_run_is_hidden_and_what_is_around_it_stays_json(monkeypatch):
    """The words around a key may contain a quote as an escape or as an entity."""
    monkeypatch.setattr("lesson.real_model.hide_keys._secrets", {"a-key-that-nobody-may-read"})
    code = r"print('\u0022 a-key-that-nobody-may-read &quot;')"
    read = {"sent": [{"text": code, "n": 1}], "other": r"\u0022 &quot; stays"}
    hidden = hide_keys_in(read)
    assert "may-read" not in str(hidden) and "(your key)" in hidden["sent"][0]["text"]
    assert hidden["other"] == read["other"] and json.loads(json.dumps(hidden)) == hidden
