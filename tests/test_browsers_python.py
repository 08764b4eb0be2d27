"""The lesson in Pyodide, without threads, shell and network, simulated in CPython."""

import sys

import pytest

from agentlib import run
from lesson import ConnectError, PracticeModel, connect, sample
from lesson.runs import play
from lesson.runs.measured import Setting, measured, summarize
from lesson.samples.jobs import load_job
from lesson.time_limit import attempt


@pytest.fixture(autouse=True)
def no_programs(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(sys, "executable", None)


def test_check_runs_without_a_time_limit(monkeypatch):
    monkeypatch.delattr("signal.SIGALRM")
    assert attempt(lambda: print("done") or 7, seconds=1) == (7, "done\n")


def test_command_returns_an_error_message_and_raises_nothing(monkeypatch):
    monkeypatch.setattr(sys, "platform", "emscripten")
    output = sample("hello").bash("ls")
    assert output.startswith("There is no shell here, so nothing was run: a browser has none")
    assert output.endswith("(exit code 127)")


def test_real_model_is_rejected_with_an_error_message(monkeypatch):
    monkeypatch.setattr(sys, "platform", "emscripten")
    with pytest.raises(ConnectError, match="only the practice model is available"):
        connect("some-model", env={"ANTHROPIC_API_KEY": "a key"})


# The practice model continues with the file tools


def test_run_of_the_ten_steps_does_not_depend_on_the_shell(monkeypatch):
    setting = Setting(after=5)
    trial = setting.trial().play()
    assert trial.rounds[-1].text.endswith("There is no shell here, so I have run nothing.")
    without = summarize(setting, trial)
    monkeypatch.undo()
    run = measured(setting)
    assert run._replace(tokens=without.tokens) == without


def test_steps_that_are_nothing_but_commands_are_skipped_and_reported():
    trial = play("style")
    assert trial.done == (False, True, True, True, False)
    text = trial.rounds[-1].text
    assert text.startswith("I could not do this: Look for the usual flaws")
    assert "Check that the report prints the same" in text


def test_job_with_bash_as_the_only_tool_is_reported_as_not_done():
    bash = sample("hello").tools()[0]
    messages = [{"role": "user", "content": load_job("hello").prompt}]
    played = run(PracticeModel().client(), messages, [bash], model="practice", max_tokens=1000)
    assert played[0].calls[0].output.startswith("There is no shell here")
    assert played[-1].text.startswith("I could not do this: Add type hints;")
