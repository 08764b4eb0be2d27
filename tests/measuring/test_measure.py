"""Measuring a model: the known table, and what goes wrong with a server in the middle."""

from functools import partial
from pathlib import Path

import pytest
from loopback import KEY, SILENCE, Server, error, message
from support.blocks import text, use
from support.processes import interrupt_when

from lesson import connect, measure
from lesson.__main__ import run as run_command
from lesson.common.connection import make_settings
from lesson.measuring.measure import MeasureError, open_folder
from lesson.runs.saved_run import read_run

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


def play(server, **more):
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("ANTHROPIC_BASE_URL", server.url)
        return measure(**{"model": "m", "runs": 2} | more)


def read_runs():
    """Return the runs in all files, each with its number and condition."""
    found = []
    for path in sorted(Path("measured").glob("*/*.jsonl")):
        condition, number = path.stem.rsplit("_", 1)
        run = read_run(path)
        sent = {"messages": run.messages, "text": path.read_text("utf-8")}
        more = {"letters": run.letters, "problem": run.problem}
        found.append({"number": number, "condition": condition, "sent": sent} | more)
    return found


@pytest.mark.parametrize("model, done", [("practice", [3, 10]), ("Starter", [1, 10])])
def test_command_prints_the_table_of_a_script_which_costs_no_question(model, done, asked, capsys):
    assert run_command(["measure", model, "--runs", "1"]) == 0
    rows = capsys.readouterr().out.split(f"{model}, ")[1:]
    assert all(f"1 run, steps done: {one}" in row for one, row in zip(done, rows, strict=True))
    assert not asked and not [*Path().iterdir()]
    assert run_command(["measure", model, "--condition", "x"]) == 1
    assert "The conditions are" in capsys.readouterr().out


def test_user_is_asked_once_and_a_second_call_sends_and_asks_nothing(asked, capsys):
    with Worker() as server:
        found = play(server)
        assert len(asked) == 1 and len(server.requests) == 12  # two in each of six runs
        assert "m plays 6 runs: at most 360 requests and about 3,000,000" in capsys.readouterr().out
        assert repr(play(server)) == repr(found)
        assert len(asked) == 1 and len(server.requests) == 12
    assert KEY not in str(read_runs()) and len(read_runs()) == 6
    assert all(one["sent"]["messages"][-1]["role"] == "assistant" for one in read_runs())


def test_conditions_come_in_turn_and_only_one_has_the_steps_in_its_prompt():
    with Worker() as server:
        play(server, runs=1)
        first = [one for one in server.requests if len(one["messages"]) == 1]
    prompts = [str(one["messages"]) for one in first]
    assert ["Merge the two copies" in one for one in prompts] == [False, False, True]
    assert ["STEPS.md" in one for one in prompts] == [True, True, False]
    assert ["'name': 'todo'" in str(one["tools"]) for one in first] == [False, True, False]


@pytest.mark.parametrize("place", [0, 1, 4, 5])
def test_run_that_a_server_breaks_off_is_not_counted_and_the_next_call_goes_on(place, capsys):
    with Worker(*[None] * place, *[BUSY] * 3) as server:
        found = play(server)
        said = repr(found) + capsys.readouterr().out
        assert len(read_runs()) == place // 2 and "was broken off, and is not counted" in said
        assert KEY not in said and "Call this again to go on." in said
        assert "broken off" not in repr(play(server))
    assert len({(one["number"], one["condition"]) for one in read_runs()}) == len(read_runs()) == 6


def test_interrupt_keeps_the_runs_that_have_ended():
    with Worker(*[None] * 4, [SILENCE]) as server:
        with pytest.raises(KeyboardInterrupt), interrupt_when(lambda: server.requests[4:]):
            play(server)
        assert len(read_runs()) == 2
        play(server)
    assert len(read_runs()) == 6 and len(server.requests) == 13


def test_model_that_never_stops_ends_at_the_limit_of_each_run(monkeypatch):
    monkeypatch.setattr("lesson.measuring.measure.connect", partial(connect, max_rounds=3))
    with Worker(*[message(use("read_file", f"t{n}", path="shop.py")) for n in range(30)]) as server:
        play(server, runs=1)
    assert len(server.requests) == 9
    assert ["Request limit reached" in one["problem"] for one in read_runs()] == [True] * 3


def test_model_that_calls_no_tool_is_told_after_one_run_and_a_later_one_may_call_none():
    with Server(*[message(text("I would use bash."))] * 9) as server:
        assert "the model has called no tool" in repr(play(server))
    assert len(server.requests) == 1
    with Worker(None, None, message(text("Shall I begin?"))) as server:
        assert "called no tool" not in repr(play(server))
    assert sorted(len(one["letters"]) for one in read_runs()) == [1, 1, *[2] * 5]


STEP, MORE = ("Write the greeting", "hello.txt", "Hi\n"), ("Write the list", "list.txt", "1\n")
SETUPS = (
    {"steps": {"job": [STEP, MORE]}, "content": {"job": [(*STEP[:2], "Hello\n")]}}
    | {"model": {"model": "org/m"}, "window": {"window": 20}, "after": {"after": 5}}
    | dict.fromkeys(("server", "__version__", "make_settings"), {})
)
PATCHED = {"__version__": "0", "make_settings": lambda model: make_settings(model, 9)}


@pytest.mark.parametrize("name", SETUPS)
def test_another_setup_is_another_file_and_the_first_is_unchanged(name, monkeypatch):
    given = {"model": "org_m", "job": [STEP], "runs": 1, "conditions": ["no list"]}
    with Worker() as server, Worker() as other:
        first = play(server, **given)
        [old] = Path("measured").iterdir()
        [old] = old.glob("*.jsonl")
        content = old.read_bytes()
        with monkeypatch.context() as patched:
            for target in {name} & {*PATCHED}:
                patched.setattr(f"lesson.measuring.measure.{target}", PATCHED[target])
            play(other if name == "server" else server, **given | SETUPS[name])
        assert len([*Path("measured").iterdir()]) == 2
        assert repr(play(server, **given)) == repr(first) and old.read_bytes() == content
        assert len(server.requests) + len(other.requests) == 4


@pytest.mark.parametrize(
    "line", ["{", "[" * 100_000, "null", "{}", '"a"', '{"letters": 5}', "\udcff"]
)
def test_damaged_file_or_one_in_use_is_named_before_a_request(line):
    one = {"runs": 1, "conditions": ["no list"]}
    with Worker() as server:
        play(server, **one)
        [file] = Path("measured").glob("*/*.jsonl")
        with file.open("a", errors="surrogateescape") as opened:
            opened.write(f"{line}\n")
        with pytest.raises(MeasureError, match=f"{file.parent.name} has no runs that can be read"):
            play(server, **one)
        file.unlink()
        held = open_folder(file.parent, [])
        with pytest.raises(MeasureError, match="Another measurement is running in"):
            play(server, **one)
        file.mkdir()
        del held
        with pytest.raises(MeasureError, match="has no runs"):
            play(server, **one)
        assert len(server.requests) == 2


def test_run_that_cannot_be_kept_is_shown_and_no_other_is_paid(monkeypatch):
    def write_half(file, line):
        file.write("{")
        raise OSError("the disk is full")

    with Worker() as server:
        with monkeypatch.context() as full:
            full.setattr("lesson.runs.run_lines.write_line", write_half)
            said = repr(play(server))
        assert len(server.requests) == 2 and "1 run, steps done: 0" in said
        assert "no list, run 1 of 2, could not be kept: the disk is full" in said
        assert not read_runs()
        play(server)
    assert len(read_runs()) == 6


def test_files_that_are_not_judged_and_a_job_without_a_judge_have_no_number(monkeypatch):
    with Worker() as server:
        assert "steps done" not in repr(play(server, job="hello"))
        monkeypatch.setattr("lesson.samples.project_files.MAX_FILES", 3)
        said = repr(play(server))
        assert "steps done: the folder has more than 3 files" in said.replace("not judged: ", "")
        assert repr(play(server)) == said  # read from the file


@pytest.mark.parametrize("refused", ["bubblewrap.sandbox_works", "approval.confirm"])
def test_measurement_that_may_not_begin_sends_nothing(monkeypatch, refused):
    monkeypatch.setattr(f"safetylib.{refused}", lambda *_: False)
    with Worker() as server:
        with pytest.raises(MeasureError):
            play(server)
        assert server.requests == []
